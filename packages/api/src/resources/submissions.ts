/** Calls that start plans: from a goal, from a plan document, or from another plan. */
import {
  Issue,
  JsonObject,
  JsonValue,
  PlanDocument,
  PlanStrategy,
  RunEstimate,
  Step,
  StepId,
  Submission,
  Usage,
} from "@planwright/plan";
import { z } from "zod";
import { type DeepReadonly, defineEndpoint } from "../endpoint.ts";
import { Accepted, EXAMPLE_ACCEPTED, PlanPath, SubmitHeaders } from "../plan-ids.ts";

/** A document of the plan language. It is sent as arbitrary JSON: its own checker reports every fault by step and field. */
export const SubmittedPlan = JsonValue.meta({
  description: "A predefined plan, to run without drafting: an object of the schema `PlanDocument`.",
});

/** A submission as received: see `Submission` for a checked one. */
export const SubmissionBody = Submission.extend({ plan: SubmittedPlan.optional() });
export type SubmissionBody = z.output<typeof SubmissionBody>;
/** A submission as clients write it: fields with a default can be omitted. */
export type SubmissionInput = DeepReadonly<z.input<typeof SubmissionBody>>;

/** Every submission field, optional and without its default; `null` removes it. */
export const SubmissionEdits = z
  .strictObject(
    Object.fromEntries(
      Object.entries(SubmissionBody.shape).map(([name, Field]): [string, z.ZodType] => [
        name,
        withoutDefault(Field).nullable().optional(),
      ]),
    ),
  )
  .meta({
    description:
      "Fields of a submission. Each replaces the whole field of the first run. `null` removes the field: with `plan: null`, the goal is planned again.",
  });

export const RerunBody = z.strictObject({ edits: SubmissionEdits.optional() });

/** The edits of {@link RerunBody} as sent: parsing would add the defaults of nested fields. */
export const SentEdits = z
  .object({ edits: JsonObject.default({}) })
  .nullish()
  .transform((body) => body?.edits ?? {});

export const ForkBody = z.strictObject({
  fromStep: StepId.meta({
    description: "The finished step that runs again, together with all steps that depend on it.",
  }),
  edits: JsonObject.optional().meta({
    description: "All arguments for that step. Default: its original arguments. They can contain references.",
  }),
});
export type ForkBody = z.output<typeof ForkBody>;

export const PlanEstimate = z.object({
  steps: z.array(Step),
  answerFrom: PlanDocument.shape.answerFrom,
  reasoning: PlanDocument.shape.reasoning,
  criticalPath: z.object({
    stepIds: z.array(StepId),
    durationMs: z
      .number()
      .nullable()
      .meta({ description: "Milliseconds; null if the duration of one of the steps is unknown." }),
  }),
  modelCalls: z.int().meta({
    description:
      "Minimum number of model calls: those of the steps, and one for the answer unless a step provides it.",
  }),
  running: RunEstimate.optional().meta({
    description: "Estimate for running the plan. Drafting is in `usage`.",
  }),
});
export type PlanEstimate = z.output<typeof PlanEstimate>;

export const Preview = PlanEstimate.extend({
  strategy: PlanStrategy,
  strategyReason: z.string().optional(),
  usage: Usage.optional().meta({ description: "Usage of drafting; absent if nothing was drafted." }),
}).meta({ description: "The plan that the submission would run." });
export type Preview = z.output<typeof Preview>;

export const CheckBody = z.object({ plan: SubmittedPlan });

export const PlanCheck = z.object({
  valid: z.boolean(),
  issues: z.array(Issue).meta({ description: "Empty if the plan is valid." }),
});
export type PlanCheck = z.output<typeof PlanCheck>;

const tag = "plans";
const REFUSED_SUBMISSIONS = [
  "denied_by_policy",
  "invalid_plan",
  "unknown_tool",
  "unknown_source",
  "data_required",
  "model_needed",
  "price_unknown",
  "not_ready",
] as const;
const REFUSED_STARTS = [
  ...REFUSED_SUBMISSIONS,
  "idempotency_key_reused",
  "plan_deleted",
  "too_many_submissions",
  "too_many_open_plans",
  "quota_reached",
  "store_full",
] as const;

const EXAMPLE_STEPS = [
  {
    id: "north",
    tool: "sql.query",
    args: { source: "sales", sql: "SELECT sum(amount) AS total FROM sales" },
  },
  { id: "answer", tool: "flow.echo", args: { value: "{{north.output.rows[0].total}}" } },
];

export const submitPlan = defineEndpoint({
  id: "submitPlan",
  method: "POST",
  path: "/v1/plans",
  tag,
  summary: "Submit a goal",
  description:
    "Responds as soon as the goal is stored in the log. The same Idempotency-Key and body return the same plan.",
  headers: SubmitHeaders,
  body: SubmissionBody,
  responses: { 202: Accepted },
  problems: REFUSED_STARTS,
  example: {
    body: { goal: "Which region sold most in the last quarter?", data: ["sales"], budget: { usd: 0.5 } },
    response: EXAMPLE_ACCEPTED,
  },
});

export const previewPlan = defineEndpoint({
  id: "previewPlan",
  method: "POST",
  path: "/v1/plans/preview",
  tag,
  summary: "Preview the plan of a submission",
  description: "Nothing is stored or run. If the goal has no plan, a model drafts one.",
  body: SubmissionBody,
  responses: { 200: Preview },
  problems: [...REFUSED_SUBMISSIONS, "quota_reached", "no_planner", "model_failed"],
  example: {
    body: { goal: "Total sales", plan: { steps: EXAMPLE_STEPS } },
    response: {
      steps: EXAMPLE_STEPS.map((step) => ({ description: "", dependsOn: [], ...step })),
      criticalPath: { stepIds: ["north", "answer"], durationMs: 12 },
      modelCalls: 0,
      strategy: "submitted",
    },
  },
});

export const checkPlan = defineEndpoint({
  id: "checkPlan",
  method: "POST",
  path: "/v1/plans/check",
  tag,
  summary: "List all problems of a plan",
  body: CheckBody,
  responses: { 200: PlanCheck },
  problems: ["not_ready"],
  example: {
    body: { plan: { steps: [{ id: "a", tool: "flow.eco" }] } },
    response: {
      valid: false,
      issues: [{ code: "unknown_tool", stepId: "a", field: "tool", message: 'there is no tool "flow.eco"' }],
    },
  },
});

export const rerunPlan = defineEndpoint({
  id: "rerunPlan",
  method: "POST",
  path: "/v1/plans/:planId/rerun",
  tag,
  summary: "Run a plan again",
  description:
    "Submits the same goal, or the same predefined plan, as a new plan. Every step runs again. The same Idempotency-Key and body return the same plan.",
  params: PlanPath,
  headers: SubmitHeaders,
  body: RerunBody,
  bodyOptional: true,
  responses: { 202: Accepted },
  problems: ["plan_not_found", ...REFUSED_STARTS],
  example: { body: { edits: { strategy: "sequential", plan: null } }, response: EXAMPLE_ACCEPTED },
});

export const getSubmission = defineEndpoint({
  id: "getSubmission",
  method: "GET",
  path: "/v1/plans/:planId/submission",
  tag,
  summary: "Get the submission of a re-run",
  description: "Returns what a re-run without edits submits. It can be used as the body of a new submission.",
  params: PlanPath,
  responses: { 200: Submission },
  problems: ["plan_not_found"],
});

export const forkPlan = defineEndpoint({
  id: "forkPlan",
  method: "POST",
  path: "/v1/plans/:planId/fork",
  tag,
  summary: "Fork a plan",
  description:
    "Creates a new plan that runs again from the named step. Results of other steps that succeeded are carried over and do not run again.",
  params: PlanPath,
  headers: SubmitHeaders,
  body: ForkBody,
  responses: { 202: Accepted },
  problems: ["plan_not_found", "step_not_found", "step_not_settled", "fork_refused", ...REFUSED_STARTS],
  example: { body: { fromStep: "answer", edits: { value: "other" } }, response: EXAMPLE_ACCEPTED },
});

function withoutDefault(Field: z.ZodType): z.ZodType {
  if (Field instanceof z.ZodDefault || Field instanceof z.ZodPrefault || Field instanceof z.ZodOptional) {
    return withoutDefault(Field.unwrap() as z.ZodType);
  }
  return Field;
}
