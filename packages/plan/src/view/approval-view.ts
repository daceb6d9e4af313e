/** The public view of approvals. */
import { z } from "zod";
import { definedOnly } from "../values/defined-only.ts";
import { ApprovalDecision, ApprovalRequested } from "../events/approval-events.ts";
import { JsonObject, JsonValue } from "../values/json.ts";
import { approvalStatusOf, choicesOf } from "../machine/approval/approval-transitions.ts";
import type { Approval, KnownPlan } from "../machine/plan-state.ts";

export const ApprovalView = z.object({
  ...ApprovalRequested.shape.data.shape,
  status: z
    .enum(["pending", "decided", "expired", "withdrawn"])
    .meta({ description: "`withdrawn`: the step or plan ended before a decision." }),
  choices: z.array(ApprovalDecision).meta({ description: "The possible decisions." }),
  requestedAt: z.string(),
  expiresAt: z.string(),
  decision: ApprovalDecision.optional(),
  edits: JsonObject.optional(),
  answer: JsonValue.optional(),
  decidedBy: z
    .string()
    .optional()
    .meta({ description: "The identity that decided; `timer` if the approval expired." }),
  signedAs: z
    .string()
    .optional()
    .meta({ description: "The name given with the decision. It is not verified." }),
  decidedAt: z.string().optional(),
  reason: z.string().optional(),
});
export type ApprovalView = z.infer<typeof ApprovalView>;

/** Oldest first. */
export function approvalViews(plan: KnownPlan): ApprovalView[] {
  const views = Array.from(plan.approvals.values(), (approval) => approvalView(plan, approval));
  return views.toSorted((left, right) => orderOf(left).localeCompare(orderOf(right)));
}

function orderOf({ requestedAt, approvalId }: ApprovalView): string {
  return `${requestedAt} ${approvalId}`;
}

export function approvalView(plan: KnownPlan, approval: Approval): ApprovalView {
  const { decided, ...asked } = approval;
  return definedOnly<ApprovalView>({
    ...asked,
    choices: [...choicesOf(approval)],
    status: approvalStatusOf(plan, approval),
    decision: decided?.decision,
    edits: decided?.edits,
    answer: decided?.answer,
    decidedBy: decided?.by,
    signedAs: decided?.signedAs,
    decidedAt: decided?.at,
    reason: decided?.reason,
  });
}
