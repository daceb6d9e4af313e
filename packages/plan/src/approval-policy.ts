/** When people are asked before something runs: the `approval` of a submission. */
import { z } from "zod";
import type { Risk } from "./tool-spec.ts";

/** A day. */
export const APPROVAL_EXPIRES_MS = 86_400_000;
export const APPROVAL_EXPIRES_MS_MAX = 30 * 86_400_000;

export const ApprovalPolicy = z.strictObject({
  risk: z
    .enum(["low", "medium", "high", "never"])
    .default("high")
    .meta({ description: "The lowest risk of a tool that waits for a person; `never` when none does." }),
  expiresAfterMs: z
    .int()
    .min(1_000)
    .max(APPROVAL_EXPIRES_MS_MAX)
    .default(APPROVAL_EXPIRES_MS)
    .meta({ description: "How long an approval waits, in milliseconds, before it is rejected." }),
});
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

const RISKS: readonly Risk[] = ["low", "medium", "high"];

/** Whether a tool of that risk waits for a person. */
export function waitsForApproval(policy: ApprovalPolicy | undefined, risk: Risk): boolean {
  if (policy === undefined || policy.risk === "never") return false;
  return RISKS.indexOf(risk) >= RISKS.indexOf(policy.risk);
}
