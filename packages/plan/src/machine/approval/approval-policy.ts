/** Which runs need approval: the `approval` of a submission. */
import { z } from "zod";

/** One day. */
export const APPROVAL_EXPIRES_MS = 86_400_000;
export const APPROVAL_EXPIRES_MS_MAX = 30 * 86_400_000;

export const ApprovalPolicy = z.strictObject({
  plan: z.boolean().default(false).meta({
    description: "Whether each plan, and each of its revisions, needs approval before it runs.",
  }),
  risk: z
    .enum(["low", "medium", "high", "never"])
    .default("high")
    .meta({ description: "The lowest tool risk that needs approval; `never` if none does." }),
  confidenceBelow: z.number().min(0).max(1).optional().meta({
    description: "Steps and plans with a lower confidence of the planner than this need approval.",
  }),
  expiresAfterMs: z
    .int()
    .min(1_000)
    .max(APPROVAL_EXPIRES_MS_MAX)
    .default(APPROVAL_EXPIRES_MS)
    .meta({ description: "Time in milliseconds after which an undecided approval is rejected." }),
});
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;
