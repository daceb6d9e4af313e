/** What waits for approval: by what the submission says, and by the installation's policy, whichever is stricter. */
import type { ApprovalPolicy } from "./approval-policy.ts";
import type { EgressRule } from "../../egress/egress-rule.ts";
import type { GatePolicy } from "../../policy/gate-policy.ts";
import { isAtLeast, policyAlwaysRequires, policyLifts, policyRequires } from "../../policy/gates.ts";
import type { PolicyCall } from "../../policy/match-rules.ts";
import type { Risk } from "../../language/tool-spec.ts";
import type { KnownPlan, StepEntry } from "../plan-state.ts";
import { itemOf } from "../step/runs.ts";

/** The gates of a plan, as its submission's event holds them. */
export type Gates = {
  readonly approval: ApprovalPolicy;
  readonly policy?: GatePolicy | undefined;
  readonly egress: EgressRule;
};

/**
 * Who requires that something is approved: the installation's policy, whatever the submission says, the submission alone,
 * or, of neither, the rule about URLs that a model composed.
 */
export type RequiredBy = "policy" | "submission" | "egress";

/** Whether nothing of a draft may run before it is complete: a person may have to see it first. */
export function gatesDrafts(gates: Gates): boolean {
  return [gates.approval, gates.policy?.approval].some(
    (one) => one?.plan === true || one?.confidenceBelow !== undefined,
  );
}

/** Whether a whole plan waits for a person. Who says nothing of its confidence is sure. */
export function waitsAsPlan(gates: Gates, confidence: number | undefined): boolean {
  return planRequiredBy(gates, confidence) !== undefined;
}

/** Who requires approval of a whole plan; undefined when neither does. */
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

/** Who requires approval of a step for its planner's doubt; undefined when neither does. */
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

/** A call of a tool; without `args` they are not known yet, and what depends on them counts as required. */
export type GatedCall = PolicyCall & { readonly risk: Risk };

/** Whether a call waits for a person. */
export function waitsForApproval(gates: Gates, call: GatedCall): boolean {
  return callRequiredBy(gates, call) !== undefined;
}

/** Who requires approval of a call; undefined when no rule does. */
export function callRequiredBy({ approval, policy, egress }: Gates, call: GatedCall): RequiredBy | undefined {
  if (policyRequires(policy, call)) return "policy";
  if (urlRequires({ policy, egress }, call)) return "egress";
  return isRisky(approval, call.risk) ? "submission" : undefined;
}

/** Whether a call waits because of a URL that a model composed; a rule that lifts its gate lifts this, too. */
export function urlRequires({ policy, egress }: Pick<Gates, "policy" | "egress">, call: PolicyCall): boolean {
  const { composed = [] } = call;
  return composed.length > 0 && egress.composedUrls === "approve" && !policyLifts(policy, call);
}

/** Whether every call of a tool waits for a person, whatever its arguments are. */
export function alwaysWaits(
  { approval, policy }: Omit<Gates, "egress">,
  call: Omit<GatedCall, "args">,
): boolean {
  return isRisky(approval, call.risk) || policyAlwaysRequires(policy, call);
}

function isRisky(approval: ApprovalPolicy, risk: Risk): boolean {
  return approval.risk !== "never" && isAtLeast(risk, approval.risk);
}

/** Whether a model's draft has so many steps that the plan waits for approval. */
export function isLargeDraft(
  { unapprovedStepsMax }: { readonly unapprovedStepsMax: number },
  steps: number,
): boolean {
  return steps > unapprovedStepsMax;
}

/**
 * Names the question whether a step may run. A step that was edited after its approval is asked about under a new id: what was
 * decided under an id stays decided.
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
