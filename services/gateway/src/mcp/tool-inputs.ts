/** What the tools of the MCP server take. */
import { IdempotencyKey } from "@planwright/api";
import { ApprovalDecision, JsonValue, Strategy } from "@planwright/plan";
import { z } from "zod";

/** Less than the minute that most clients wait for an answer. */
const WAIT_S = 45;
const WAIT_S_MAX = 600;

const PlanId = z.string().min(1).max(128).describe("As plan_submit gave it.");

/** The fields of a submission that most need; the others go through `options`. */
const GoalFields = {
  goal: z.string().min(1).describe("What is wanted, in words."),
  plan: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'A plan to run as it is, without drafting: {"steps": [{"id": "s1", "tool": "docs.search", "args": {"query": "…"}}]}.',
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

export const PreviewInput = z.strictObject(GoalFields);
export const SubmitInput = z.strictObject({
  ...GoalFields,
  idempotencyKey: IdempotencyKey.optional().describe("The same key and goal give the same plan again."),
});
export const StatusInput = z.strictObject({
  planId: PlanId,
  outputsOf: z.array(z.string()).max(20).default([]).describe("Steps whose outputs are wanted whole."),
});
export const WaitInput = z.strictObject({
  planId: PlanId,
  timeoutSeconds: z.number().min(0).max(WAIT_S_MAX).default(WAIT_S),
  untilEnd: z
    .boolean()
    .default(false)
    .describe("Go on waiting while something waits for a person; without it that is told at once."),
});
export const ApproveInput = z.strictObject({
  planId: PlanId,
  approvalId: z.string().min(1).max(128),
  decision: ApprovalDecision.describe("One of the approval's choices."),
  edits: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("With approve: all the arguments that are to run instead; of a plan, the whole plan."),
  answer: z.unknown().optional().describe("With answer: what is answered."),
  output: z.unknown().optional().describe("With happened: the step's output."),
  reason: z.string().max(2_000).optional(),
  by: z.string().max(128).optional().describe("The person who decided, for the record."),
});
export const CancelInput = z.strictObject({
  planId: PlanId,
  reason: z.string().min(1).max(2_000).optional(),
});

/** The body of a submission, with what its `options` add. */
export function submissionOf({ options = {}, ...fields }: z.output<typeof PreviewInput>): unknown {
  return JsonValue.parse({ ...options, ...fields });
}
