/**
 * The plan language: models write it, and users can submit it.
 *
 * Strict, because people write it: an unknown field is refused, not ignored.
 */
import { z } from "zod";
import { CONDITION_CHARS_MAX } from "./parse-condition.ts";
import { StepId } from "../values/ids.ts";
import { JsonObject, JsonValue } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { StepReview } from "../machine/review/review-policy.ts";
import { PoolName } from "./tool-spec.ts";

const Sentence = z.string().max(2_000);

/** A confidence from 0 (none) to 1 (certain). */
export const Confidence = z.number().min(0).max(1);

/** A condition over results, such as `s1.output.total > 100`; see docs/steps.md. */
const ConditionText = z.string().trim().min(1).max(CONDITION_CHARS_MAX);

export const RetryPolicy = z.strictObject({
  /** Total attempts, including the first. */
  maxAttempts: z.int().min(1).max(LIMITS.attemptsMax).optional(),
  /** The wait before the second attempt, in milliseconds; it doubles with each attempt. */
  backoffMs: z.int().min(0).max(3_600_000).optional(),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** Fields that steps and their compensations share. */
const Call = {
  description: Sentence.default("").meta({ description: "Purpose of the step." }),
  tool: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: "Name of the tool to call, as listed by `GET /v1/tools`." }),
  args: JsonObject.default({}).meta({ description: "Arguments of the tool. They can contain references." }),
  agent: PoolName.optional().meta({
    description: "Agent type or worker pool that runs it. Default: the tool's pool.",
  }),
  timeoutMs: z
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .meta({ description: "Time limit for one attempt, in milliseconds. Default: the tool's time limit." }),
  retry: RetryPolicy.optional().meta({
    description:
      "`maxAttempts`, including the first one, and `backoffMs`, the delay before the second attempt. The delay doubles with each further attempt.",
  }),
} as const;

/** A step's compensation. Its arguments can refer to the output of the step itself and of its dependencies. */
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
    .meta({ description: "Steps to wait for, in addition to those that the arguments refer to." }),
  when: ConditionText.optional().meta({
    description:
      'A condition on outputs of other steps, such as `s1.output.total > 100 and s2.output.status == "ok"`. If it is false, the step is skipped, and the steps that depend on it run without its output.',
  }),
  forEach: z
    // A record, because tools that read JSON schemas mistake a property named $ref for a JSON Schema reference.
    .union([z.record(z.literal("$ref"), z.string().max(500)), z.array(JsonValue).max(LIMITS.itemsMax)])
    .optional()
    .meta({
      description:
        'A list, or a reference to one. The step runs once for each item. Its arguments can refer to the item as `{"$ref": "item"}` or `{{item.name}}`. Its output is the list of results.',
    }),
  verifies: StepId.optional().meta({
    description:
      "The step whose output this step verifies. Until then, no other step receives that output. If this step fails, or its output is false or has a false `ok`, `passed`, `valid`, `approved` or `value`, the verified step fails.",
  }),
  fallback: StepId.optional().meta({
    description:
      "A step that runs only if this step fails permanently. The dependents of this step then receive the fallback's output.",
  }),
  successCriteria: Sentence.optional().meta({
    description: "Conditions under which the step counts as successful, in plain language.",
  }),
  expectedOutput: Sentence.optional().meta({
    description: "Description of the expected output, in plain language.",
  }),
  review: StepReview.optional().meta({
    description:
      "Has a model review the output. If the review rejects it, the step runs again with the feedback. Fields: `maxIterations` (default 3), `onMiss`.",
  }),
  compensate: Compensation.optional().meta({
    description:
      "The call that undoes the step if the plan fails or is cancelled: `tool`, `args` and, as in a step, `agent`, `timeoutMs`, `retry`.",
  }),
  agent: Call.agent,
  model: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: "Model for the tool, if the tool uses one." }),
  timeoutMs: Call.timeoutMs,
  retry: Call.retry,
  confidence: Confidence.optional().meta({
    description: "Confidence of the planner that this is the right step, from 0 to 1.",
  }),
});
export type Step = z.infer<typeof Step>;

export const PlanDocument = z.strictObject({
  steps: z.array(Step).min(1).max(LIMITS.stepsMax),
  answerFrom: StepId.optional().meta({
    description: "The step whose output is the answer. No model writes an answer then.",
  }),
  reasoning: z.string().max(20_000).optional().meta({ description: "Reasoning behind the plan." }),
  confidence: Confidence.optional().meta({
    description: "Confidence of the planner that this is the right plan, from 0 to 1.",
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
