/** Who may decide an approval. */
import type { ApprovalDecision, ApprovalRequested } from "../events/approval-events.ts";
import type { GoalSubmitted } from "../events/control-events.ts";
import type { JsonObject } from "../values/json.ts";
import type { Approval, KnownPlan } from "../machine/plan-state.ts";
import { type Deciders, decidersOf, isNamed } from "./gates.ts";
import type { GatePolicy, Provenance } from "./gate-policy.ts";

const NOTHING: Provenance = { tools: [], isOpen: false };

/** The parts of a request that determine who may decide it. */
type Asked = Pick<Approval, "kind" | "tool" | "args" | "argumentsFrom">;

/** A decision that an identity requests to make. */
export type Deciding = {
  readonly decision: ApprovalDecision;
  /** The edited arguments that replace the displayed ones. */
  readonly edits?: JsonObject | undefined;
  /** The identity of the deciding key; undefined if no keys are configured: then anyone can decide everything. */
  readonly identity: string | undefined;
  /** The decision comes from an MCP client: a model may have made it. */
  readonly isMcp?: boolean | undefined;
};

/** Returns who may decide a request, by the plan's policy and the arguments that would run. */
export function approvalDeciders(
  policy: GatePolicy | undefined,
  { kind, tool, args, argumentsFrom = NOTHING }: Asked,
  edits?: JsonObject,
): Deciders {
  if (kind === "question") return { submitterMayApprove: true };
  return decidersOf(
    policy,
    tool === undefined ? undefined : { tool, args: edits ?? args, from: argumentsFrom },
  );
}

/** Who may decide, as shown with an approval: empty if every key of the tenant may. */
export function shownDeciders(
  { goal }: Pick<KnownPlan, "goal">,
  asked: Asked,
): Pick<ApprovalRequested["data"], "approvers" | "submitterMayApprove"> {
  const { approvers, submitterMayApprove } = approvalDeciders(goal.policy, asked);
  return {
    ...(approvers === undefined ? {} : { approvers: [...approvers] }),
    ...(submitterMayApprove ? {} : { submitterMayApprove: false as const }),
  };
}

/**
 * Returns why an identity may not make a decision, as a sentence that names who may; undefined if it may.
 *
 * Any key of the tenant may reject, because it may also cancel the plan, and may answer a plan's questions.
 */
export function decisionRefusal(
  { policy, submittedBy }: Pick<GoalSubmitted["data"], "policy" | "submittedBy">,
  approval: Asked,
  { decision, edits, identity, isMcp = false }: Deciding,
): string | undefined {
  if (identity === undefined || decision === "reject") return undefined;
  const named = policy?.mcpApprovers ?? [];
  if (isMcp && !isNamed(identity, named)) {
    const who = named.length === 0 ? "no one may" : `only ${named.join(", ")} may`;
    return `${identity} may not approve through MCP, ${who}: decide it on the page, by planwright approve or over HTTP, or have the operator add the identity to mcpApprovers of the policy file`;
  }
  const { approvers, submitterMayApprove } = approvalDeciders(policy, approval, edits);
  if (approvers !== undefined && !isNamed(identity, approvers)) {
    const who = approvers.length === 0 ? "nobody" : approvers.join(", ");
    return `${identity} may not approve it; the installation's policy lets these do so: ${who}`;
  }
  if (submitterMayApprove || submittedBy !== identity) return undefined;
  const others = approvers === undefined ? "any other key of the tenant" : approvers.join(", ");
  return `${identity} submitted the plan, and the installation's policy lets no submitter approve it; who may: ${others}`;
}
