/** When people are asked before something runs: the `approval` of a submission. */
import { z } from "zod";
import type { Risk } from "./tool-spec.ts";

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

const RISKS: readonly Risk[] = ["low", "medium", "high"];

/** Whether nothing of a draft may run before it is complete: a person may have to see it first. */
export function gatesDrafts(policy: ApprovalPolicy | undefined): boolean {
  return policy?.plan === true || policy?.confidenceBelow !== undefined;
}

/** Whether a whole plan waits for a person. Who says nothing of its confidence is sure. */
export function waitsAsPlan(policy: ApprovalPolicy | undefined, confidence: number | undefined): boolean {
  return policy?.plan === true || isUnsure(policy, confidence);
}

/** Whether somebody is less sure than the policy wants. */
export function isUnsure(policy: ApprovalPolicy | undefined, confidence: number | undefined): boolean {
  return (
    policy?.confidenceBelow !== undefined && confidence !== undefined && confidence < policy.confidenceBelow
  );
}

/** Whether a tool of that risk waits for a person. */
export function waitsForApproval(policy: ApprovalPolicy | undefined, risk: Risk): boolean {
  if (policy === undefined || policy.risk === "never") return false;
  return RISKS.indexOf(risk) >= RISKS.indexOf(policy.risk);
}
