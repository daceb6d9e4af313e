/** The tools of the Model Context Protocol server: their arguments, and the plan that they return. */
import { ApprovalView, PlanView, StepView, Strategy } from "@planwright/plan";
import { z } from "zod";
import { DecisionBody } from "./resources/approvals.ts";
import { IdempotencyKey } from "./plan-ids.ts";
import { CancelBody } from "./resources/plans.ts";

/** Less than the minute for which most clients wait for a response. */
const WAIT_S = 45;
const WAIT_S_MAX = 600;

const PlanId = z.string().min(1).max(128).describe("As plan_submit returned it.");

/**
 * The submission fields that most clients need; the others go through `options`. Their values are checked as in `POST /v1/plans`.
 */
const GoalFields = {
  goal: z.string().min(1).describe("The goal, in plain language."),
  plan: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'A plan to run unchanged, without drafting: {"steps": [{"id": "s1", "tool": "docs.search", "args": {"query": "…"}}]}.',
    ),
  strategy: Strategy.optional().describe("How the plan is drafted; auto when absent."),
  constraints: z.array(z.string()).optional().describe("Sentences that planning and judging keep to."),
  tools: z.array(z.string()).optional().describe("The only tools the plan may use; all when absent."),
  data: z.array(z.string()).optional().describe("The only data sources the plan may use; all when absent."),
  metadata: z.record(z.string(), z.unknown()).optional().describe("Stored and searchable."),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Further fields of a submission as POST /v1/plans takes them, such as approval, budget, review.",
    ),
};

export const McpPreview = z.strictObject(GoalFields);
export const McpSubmit = z.strictObject({
  ...GoalFields,
  idempotencyKey: IdempotencyKey.optional().describe("The same key and goal give the same plan again."),
});
export const McpStatus = z.strictObject({
  planId: PlanId,
  outputsOf: z.array(z.string()).max(20).default([]).describe("Steps whose outputs are wanted whole."),
});
export const McpWait = z.strictObject({
  planId: PlanId,
  timeoutSeconds: z.number().min(0).max(WAIT_S_MAX).default(WAIT_S),
  untilEnd: z
    .boolean()
    .default(false)
    .describe("Keep waiting while an approval is pending; otherwise the call returns then."),
});
export const McpApprove = z.strictObject({
  planId: PlanId,
  approvalId: z.string().min(1).max(128),
  decision: DecisionBody.shape.decision.describe("One of the approval's choices."),
  edits: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("With approve: all arguments that run instead; of a plan, the whole plan."),
  answer: z.unknown().optional().describe("With answer: the answer."),
  output: z.unknown().optional().describe("With happened: the step's output."),
  reason: DecisionBody.shape.reason,
  by: DecisionBody.shape.by.describe("The reviewer who decided, for the record."),
});
export const McpCancel = CancelBody.extend({ planId: PlanId });

/** Maximum number of steps in a returned plan. */
export const MCP_STEPS_MAX = 100;

export const McpApproval = ApprovalView.pick({
  approvalId: true,
  kind: true,
  question: true,
  choices: true,
  stepId: true,
  tool: true,
  risk: true,
  args: true,
  details: true,
  requiredBy: true,
  approvers: true,
  submitterMayApprove: true,
  expiresAt: true,
});
export type McpApproval = z.output<typeof McpApproval>;

export const McpStep = StepView.pick({ id: true, tool: true, status: true }).extend({
  description: z.string().optional(),
  error: z.string().optional(),
  output: z.unknown().optional().describe("Whole for the steps of `outputsOf`, else its start."),
});
export type McpStep = z.output<typeof McpStep>;

export const McpPlan = PlanView.pick({
  planId: true,
  goal: true,
  status: true,
  ended: true,
  outcome: true,
  reason: true,
}).extend({
  progress: PlanView.shape.progress.omit({ etaMs: true }),
  approvals: z.array(McpApproval).describe("The pending approvals."),
  steps: z.array(McpStep).describe(`The first ${MCP_STEPS_MAX}.`),
  answer: PlanView.shape.answer.unwrap().pick({ text: true, status: true, data: true }).optional(),
});
export type McpPlan = z.output<typeof McpPlan>;
