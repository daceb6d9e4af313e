/**
 * The plan language: what a model writes and a person may submit.
 *
 * Strict, because people write it: an unknown field is a refusal, not a shrug.
 */
import { z } from "zod";
import { CONDITION_CHARS_MAX } from "./condition/parse-condition.ts";
import { StepId } from "./ids.ts";
import { JsonObject, JsonValue } from "./json.ts";
import { LIMITS } from "./limits.ts";
import { StepReview } from "./review-policy.ts";
import { PoolName } from "./tool-spec.ts";

const Sentence = z.string().max(2_000);

/** How sure somebody is, from 0 to 1. */
export const Confidence = z.number().min(0).max(1);

/** A condition over results, such as `s1.output.total > 100`; see docs/steps.md. */
const ConditionText = z.string().trim().min(1).max(CONDITION_CHARS_MAX);

export const RetryPolicy = z.strictObject({
  /** Attempts in all, the first included. */
  maxAttempts: z.int().min(1).max(LIMITS.attemptsMax).optional(),
  /** The wait before the second attempt, in milliseconds; it doubles with each attempt. */
  backoffMs: z.int().min(0).max(3_600_000).optional(),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** What steps and their compensations have in common. */
const Call = {
  description: Sentence.default("").meta({ description: "What it is for, in words." }),
  tool: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: "The tool that runs it, as `GET /v1/tools` names it." }),
  args: JsonObject.default({}).meta({ description: "The tool's arguments; they may hold references." }),
  agent: PoolName.optional().meta({
    description: "The agent type, or the pool of workers, that runs it; otherwise the tool's own pool.",
  }),
  timeoutMs: z
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .meta({ description: "How long one attempt may take, in milliseconds; otherwise as the tool says." }),
  retry: RetryPolicy.optional().meta({
    description:
      "`maxAttempts`, the first included, and `backoffMs` before the second; the wait doubles each time.",
  }),
} as const;

/** How a step is undone. Its arguments may refer to the output of the step itself and of those it depends on. */
export const Compensation = z.strictObject(Call);
export type Compensation = z.infer<typeof Compensation>;

export const Step = z.strictObject({
  id: StepId.meta({ description: "1 to 64 letters, digits, underscores or hyphens." }),
  description: Call.description,
  tool: Call.tool,
  args: Call.args,
  dependsOn: z
    .array(StepId)
    .max(LIMITS.stepsMax)
    .default([])
    .meta({ description: "Steps to wait for besides those that the arguments refer to." }),
  when: ConditionText.optional().meta({
    description:
      'A condition over results, such as `s1.output.total > 100 and s2.output.status == "ok"`; when it does not hold, the step is skipped, and those that need it go on without it.',
  }),
  forEach: z
    // As a record: tools that read JSON schemas take a property of the name $ref for a reference of their own.
    .union([z.record(z.literal("$ref"), z.string().max(500)), z.array(JsonValue).max(LIMITS.itemsMax)])
    .optional()
    .meta({
      description:
        'A reference to a list, or a list: the step runs once for each item, which its arguments refer to as `{"$ref": "item"}` or `{{item.name}}`. Its output is the list of the results.',
    }),
  verifies: StepId.optional().meta({
    description:
      "The step that this one checks. That one's output reaches nothing else before; when this one fails, or its output is false, or says so in `ok`, `passed`, `valid`, `approved` or `value`, that one fails.",
  }),
  fallback: StepId.optional().meta({
    description:
      "A step that runs only when this one fails for good; what needs this one then gets the output of that one.",
  }),
  successCriteria: Sentence.optional().meta({ description: "When the step has done its job, in words." }),
  expectedOutput: Sentence.optional().meta({ description: "What its output should look like, in words." }),
  review: StepReview.optional().meta({
    description:
      "Has the output judged, and the step tried again with what was said of it: `maxIterations` (3), `onMiss`.",
  }),
  compensate: Compensation.optional().meta({
    description:
      "What undoes the step when the plan fails or is cancelled: `tool`, `args` and, as for a step, `agent`, `timeoutMs`, `retry`.",
  }),
  agent: Call.agent,
  model: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: "The model that its tool should use, if any." }),
  timeoutMs: Call.timeoutMs,
  retry: Call.retry,
  confidence: Confidence.optional().meta({
    description: "How sure the planner is that this is the right step, from 0 to 1.",
  }),
});
export type Step = z.infer<typeof Step>;

export const PlanDocument = z.strictObject({
  steps: z.array(Step).min(1).max(LIMITS.stepsMax),
  answerFrom: StepId.optional().meta({
    description: "The step whose output is the answer; no model is asked for one.",
  }),
  reasoning: z.string().max(20_000).optional().meta({ description: "Why the plan is as it is." }),
  confidence: Confidence.optional().meta({
    description: "How sure the planner is that this is the right plan, from 0 to 1.",
  }),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

export const Strategy = z.enum([
  "auto",
  "direct",
  "sequential",
  "parallel",
  "hierarchical",
  "waves",
  "summarize",
  "tree-search",
  "code",
]);
export type Strategy = z.infer<typeof Strategy>;
