/** Approvals: pending requests, and decisions. */
import { ApprovalDecision, ApprovalView, JsonObject, JsonValue, PlanId } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { PlanPath } from "../plan-ids.ts";

const PAGE_MAX = 1_000;

const ApprovalPath = PlanPath.extend({
  approvalId: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: "Id of the approval, from the view of the plan." }),
});

const PendingQuery = z.object({
  limit: z.coerce
    .number()
    .pipe(z.int().min(1).max(PAGE_MAX))
    .default(100)
    .meta({ description: "Maximum number of approvals to list." }),
});

export const PendingApproval = ApprovalView.extend({ planId: PlanId, goal: z.string() });
export type PendingApproval = z.output<typeof PendingApproval>;

export const PendingApprovals = z.object({
  total: z.int().meta({ description: "Number of all pending approvals, including those not listed." }),
  approvals: z.array(PendingApproval).meta({ description: "Pending approvals, oldest first." }),
});
export type PendingApprovals = z.output<typeof PendingApprovals>;

export const DecisionBody = z.strictObject({
  decision: ApprovalDecision.meta({ description: "One of the approval's `choices`." }),
  edits: JsonObject.optional().meta({
    description:
      "With `approve`: the complete edited arguments. For a plan: the complete edited plan. For a budget: the amount by which to raise each limit.",
  }),
  output: JsonValue.optional().meta({
    description: "With `happened`: the output of the step. Default: null.",
  }),
  answer: JsonValue.optional().meta({
    description: "With `answer`: the answer. If the question has `choices`, one of them.",
  }),
  by: z.string().trim().min(1).max(128).optional().meta({
    description:
      "Name to record with the decision. It is not verified. If keys are set, the identity of the key is recorded too.",
  }),
  reason: z.string().trim().min(1).max(2_000).optional(),
});
export type DecisionBody = z.output<typeof DecisionBody>;

export const listApprovals = defineEndpoint({
  id: "listApprovals",
  method: "GET",
  path: "/v1/approvals",
  tag: "approvals",
  summary: "List the pending approvals of all plans",
  query: PendingQuery,
  responses: { 200: PendingApprovals },
});

export const decideApproval = defineEndpoint({
  id: "decideApproval",
  method: "POST",
  path: "/v1/plans/:planId/approvals/:approvalId",
  tag: "approvals",
  summary: "Decide an approval",
  description:
    "The view of a plan lists its approvals with the exact arguments and the possible decisions. The first decision counts; further ones are rejected.",
  params: ApprovalPath,
  body: DecisionBody,
  responses: { 200: ApprovalView },
  problems: [
    "plan_not_found",
    "approval_not_found",
    "not_an_approver",
    "redacted_for_role",
    "denied_by_policy",
    "approval_decided",
    "approval_expired",
    "approval_withdrawn",
    "plan_ended",
    "invalid_edits",
    "invalid_plan",
    "not_ready",
    "store_full",
  ],
  example: {
    body: { decision: "approve", edits: { to: "ada@example.org", subject: "Report 2" }, by: "Ada" },
  },
});
