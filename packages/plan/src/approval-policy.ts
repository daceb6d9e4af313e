/** When people are asked before something runs: the `approval` of a submission. */
import { z } from "zod";

export {
  alwaysWaits,
  callRequiredBy,
  confidenceRequiredBy,
  gatesDrafts,
  isLargeDraft,
  isUnsure,
  planRequiredBy,
  urlRequires,
  waitsAsPlan,
  waitsForApproval,
} from "./approval-gates.ts";

/** A day. */
export const APPROVAL_EXPIRES_MS = 86_400_000;
export const APPROVAL_EXPIRES_MS_MAX = 30 * 86_400_000;

export const ApprovalPolicy = z.strictObject({
  plan: z.boolean().default(false).meta({
    description: "Whether a person sees each plan, and each revision of it, before any of it runs.",
  }),
  risk: z
    .enum(["low", "medium", "high", "never"])
    .default("high")
    .meta({ description: "The lowest risk of a tool that waits for a person; `never` when none does." }),
  confidenceBelow: z.number().min(0).max(1).optional().meta({
    description: "Steps, and plans, whose planner says that it is less sure than this wait for a person.",
  }),
  expiresAfterMs: z
    .int()
    .min(1_000)
    .max(APPROVAL_EXPIRES_MS_MAX)
    .default(APPROVAL_EXPIRES_MS)
    .meta({ description: "How long an approval waits, in milliseconds, before it is rejected." }),
});
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;
