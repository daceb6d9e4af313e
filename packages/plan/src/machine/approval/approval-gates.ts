/** Decides what needs approval: the stricter of the submission's settings and the installation's policy. */
import type { ApprovalPolicy } from "./approval-policy.ts";
import type { EgressRule } from "../../egress/egress-rule.ts";
import type { GatePolicy } from "../../policy/gate-policy.ts";
import { isAtLeast, policyAlwaysRequires, policyLifts, policyRequires } from "../../policy/gates.ts";
import type { PolicyCall } from "../../policy/match-rules.ts";
import type { Risk } from "../../language/tool-spec.ts";
import type { KnownPlan, StepEntry } from "../plan-state.ts";
import { itemOf } from "../step/runs.ts";

/** The gates of a plan, as stored in its `goal.submitted` event. */
export type Gates = {
  readonly approval: ApprovalPolicy;
  readonly policy?: GatePolicy | undefined;
  readonly egress: EgressRule;
};

/**
 * Which rule requires an approval: the installation's policy (regardless of the submission), only the submission, or
 * neither of them but the rule about URLs that a model composed.
 */
export type RequiredBy = "policy" | "submission" | "egress";

/** Whether no step of a draft can run before the draft is complete, because it might need approval. */
export function gatesDrafts(gates: Gates): boolean {
  return [gates.approval, gates.policy?.approval].some(
    (one) => one?.plan === true || one?.confidenceBelow !== undefined,
  );
}

/** Whether the whole plan needs approval. A missing confidence is treated as 1.0. */
export function waitsAsPlan(gates: Gates, confidence: number | undefined): boolean {
  return planRequiredBy(gates, confidence) !== undefined;
}

/** Returns which rule requires approval of a whole plan; undefined if none does. */
export function planRequiredBy(
  { approval, policy }: Gates,
  confidence: number | undefined,
): RequiredBy | undefined {
  if (policy?.approval?.plan === true || isBelow(policy?.approval, confidence)) return "policy";
  return approval.plan || isBelow(approval, confidence) ? "submission" : undefined;
}

/** Whether the confidence is below what the submission or the policy requires. */
export function isUnsure(gates: Gates, confidence: number | undefined): boolean {
  return confidenceRequiredBy(gates, confidence) !== undefined;
}

/** Returns which rule requires approval of a step because of its planner's low confidence; undefined if none does. */
export function confidenceRequiredBy(
  { approval, policy }: Gates,
  confidence: number | undefined,
): RequiredBy | undefined {
  if (isBelow(policy?.approval, confidence)) return "policy";
  return isBelow(approval, confidence) ? "submission" : undefined;
}

function isBelow(
  limits: { readonly confidenceBelow?: number | undefined } | undefined,
  confidence: number | undefined,
): boolean {
  const limit = limits?.confidenceBelow;
  return limit !== undefined && confidence !== undefined && confidence < limit;
}

/** A tool call. Without `args`, the arguments are not known yet, and every rule that depends on them counts as matched. */
export type GatedCall = PolicyCall & { readonly risk: Risk };

/** Whether a call needs approval. */
export function waitsForApproval(gates: Gates, call: GatedCall): boolean {
  return callRequiredBy(gates, call) !== undefined;
}

/** Returns which rule requires approval of a call; undefined if none does. */
export function callRequiredBy({ approval, policy, egress }: Gates, call: GatedCall): RequiredBy | undefined {
  if (policyRequires(policy, call)) return "policy";
  if (urlRequires({ policy, egress }, call)) return "egress";
  return isRisky(approval, call.risk) ? "submission" : undefined;
}

/**
 * Whether a call needs approval because of a URL that a model composed. A rule that lifts the approval gate lifts this
 * one too.
 */
export function urlRequires({ policy, egress }: Pick<Gates, "policy" | "egress">, call: PolicyCall): boolean {
  const { composed = [] } = call;
  return composed.length > 0 && egress.composedUrls === "approve" && !policyLifts(policy, call);
}

/** Whether every call of a tool needs approval, regardless of its arguments. */
export function alwaysWaits(
  { approval, policy }: Omit<Gates, "egress">,
  call: Omit<GatedCall, "args">,
): boolean {
  return isRisky(approval, call.risk) || policyAlwaysRequires(policy, call);
}

function isRisky(approval: ApprovalPolicy, risk: Risk): boolean {
  return approval.risk !== "never" && isAtLeast(risk, approval.risk);
}

/** Whether a model's draft has so many steps that the plan needs approval. */
export function isLargeDraft(
  { unapprovedStepsMax }: { readonly unapprovedStepsMax: number },
  steps: number,
): boolean {
  return steps > unapprovedStepsMax;
}

/**
 * Returns the id of a step's approval. A step that was edited after its approval gets a new id, because a decision is
 * final for its id.
 */
export function approvalIdOf(
  { approvals }: KnownPlan,
  entry: StepEntry,
  doubt: "tool-risk" | "confidence",
): string {
  let approvalId = `${doubt === "tool-risk" ? "risk" : doubt}-${entry.step.id}-${itemOf(entry)}`;
  while (approvals.get(approvalId)?.decided !== undefined) approvalId += "-again";
  return approvalId;
}
