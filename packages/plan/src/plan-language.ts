/**
 * The plan language: what a model writes and a person may submit.
 *
 * Strict, because people write it: an unknown field is a refusal, not a shrug.
 */
import { z } from "zod";
import { StepId } from "./ids.ts";
import { JsonObject } from "./json.ts";
import { LIMITS } from "./limits.ts";
import { PoolName } from "./tool-spec.ts";

const Sentence = z.string().max(2_000);

export const RetryPolicy = z.strictObject({
  /** Attempts in all, the first included. */
  maxAttempts: z.int().min(1).max(LIMITS.attemptsMax).optional(),
  /** The wait before the second attempt, in milliseconds; it doubles with each attempt. */
  backoffMs: z.int().min(0).max(3_600_000).optional(),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

export const Step = z.strictObject({
  id: StepId,
  description: Sentence.default(""),
  tool: z.string().min(1).max(128),
  /** The tool's arguments; `{"$ref": "s1.output.rows[0]"}` and `{{s1.output}}` stand for other steps' results. */
  args: JsonObject.default({}),
  /** Steps to wait for besides those that `args` refer to. */
  dependsOn: z.array(StepId).max(LIMITS.stepsMax).default([]),
  successCriteria: Sentence.optional(),
  expectedOutput: Sentence.optional(),
  /** The pool of workers that runs the step; without it, the tool's own pool. */
  agent: PoolName.optional(),
  /** The model that the step's tool should use, if it uses one. */
  model: z.string().min(1).max(128).optional(),
  timeoutMs: z.int().min(1).max(86_400_000).optional(),
  retry: RetryPolicy.optional(),
  /** How sure the planner is that this is the right step, from 0 to 1. */
  confidence: z.number().min(0).max(1).optional(),
});
export type Step = z.infer<typeof Step>;

export const PlanDocument = z.strictObject({
  steps: z.array(Step).min(1).max(LIMITS.stepsMax),
  /** The step whose output is the answer; no model is asked to write one. */
  answerFrom: StepId.optional(),
  reasoning: z.string().max(20_000).optional(),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

export const Strategy = z.enum(["auto", "direct", "sequential", "parallel"]);
export type Strategy = z.infer<typeof Strategy>;
