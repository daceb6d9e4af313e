/** What an approval policy makes wait for a person. */
import type { ApprovalPolicy } from "./approval-policy.ts";
import type { Risk } from "./tool-spec.ts";

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

/** Whether a model's draft has so many steps that the plan waits for approval. */
export function isLargeDraft(
  { unapprovedStepsMax }: { readonly unapprovedStepsMax?: number | undefined },
  steps: number,
): boolean {
  return unapprovedStepsMax !== undefined && steps > unapprovedStepsMax;
}
