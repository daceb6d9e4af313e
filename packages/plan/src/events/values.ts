/** Values that several events share. */
import { z } from "zod";
import { StepId } from "../values/ids.ts";
import { ANSWER_STATUSES } from "../values/codes.ts";
import { JsonValue } from "../values/json.ts";
import { Effect, PoolName, Risk } from "../language/tool-spec.ts";

/** Counted from 1. */
export const Attempt = z.int().positive();
/** The item of a repeated step; 0 for a step that runs once. */
export const Item = z.int().nonnegative();
/** Maximum tool calls in one turn of a loop. */
export const TURN_CALLS_MAX = 8;
/** The position of a call in a turn of several calls, from 1; absent when the turn has one call or none. */
export const TurnCall = z.int().min(1).max(TURN_CALLS_MAX).optional();
/** Drafts of one plan are numbered from 1, regardless of their purpose. */
export const DraftNumber = z.int().positive();

export const StepRun = {
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  undo: z.literal(true).optional().meta({ description: "Set if this is the compensation of the step." }),
} as const;

/** Names a work unit in its plan: see `values/unit-id.ts`. */
export const UnitId = z
  .string()
  .regex(/^[\w-]{1,64}(~\d{1,2})?$/)
  .brand<"UnitId">();
export type UnitId = z.infer<typeof UnitId>;

/** The work unit in which an attempt ran. */
export const Unit = UnitId.optional().meta({
  description: "The work unit in which the attempt ran; absent if it was sent alone.",
});

/** The fields that identify an attempt of a step, or of its compensation. */
export type AttemptName = {
  readonly stepId: string;
  readonly item?: number;
  readonly undo?: true | undefined;
  readonly attempt: number;
  readonly unit?: string | undefined;
};

/** The name of one attempt within its plan: part of the id of every message about it. */
export function attemptName({ stepId, item = 0, undo, attempt, unit }: AttemptName): string {
  const own = `${stepId}/${undo === true ? "undo" : item}/${attempt}`;
  return unit === undefined ? own : `${own}/unit/${unit}`;
}

/** The pool of the worker that reports the event; it is also part of the event's subject. */
export const FromPool = PoolName.optional().meta({
  description: "The pool of the worker that reports the event; absent if the dispatcher reports it.",
});

/** The properties of a tool that a plan's log needs to run it, fixed when the step is planned. */
export const ToolGrant = z.object({
  pool: PoolName,
  risk: Risk,
  effect: Effect,
  timeoutMs: z.int().positive(),
  modelTokens: z.int().positive().optional().meta({
    description:
      "Typical number of model tokens per run in addition to the input; absent if the tool calls no model.",
  }),
  light: z
    .literal(true)
    .optional()
    .meta({ description: "The tool takes a few milliseconds and never waits." }),
  revises: z
    .literal(true)
    .optional()
    .meta({ description: "The tool improves a rejected draft based on its review." }),
  agent: z.object({ pool: PoolName }).optional().meta({
    description: "For a step with an agent type: the pool that runs it, instead of the tool's pool.",
  }),
});
export type ToolGrant = z.infer<typeof ToolGrant>;

export const ArtifactRef = z.object({
  name: z.string().min(1).max(512),
  contentType: z.string().max(128),
  bytes: z.int().nonnegative(),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** A step's output: the value itself, or a preview of an artifact. */
export const StepOutput = z.union([
  z.object({ value: JsonValue }),
  z.object({
    artifact: ArtifactRef,
    preview: z.string().max(2_000),
    lists: z
      .record(z.string(), z.int().nonnegative())
      .optional()
      .meta({ description: "Lengths of the lists in the output, by path." }),
  }),
]);
export type StepOutput = z.infer<typeof StepOutput>;

/** Model usage, summed over calls. */
export const Usage = z.object({
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z
    .number()
    .nonnegative()
    .nullable()
    .meta({ description: "US dollars; null if the price of a model is unknown." }),
});
export type Usage = z.infer<typeof Usage>;

export const AnswerStatus = z.enum(ANSWER_STATUSES);
export type AnswerStatus = z.infer<typeof AnswerStatus>;

export const Answer = z.object({
  text: z.string(),
  status: AnswerStatus,
  data: JsonValue.optional(),
  sources: z.array(StepId).meta({ description: "The steps on which the answer is based." }),
  artifacts: z.array(ArtifactRef),
});
export type Answer = z.infer<typeof Answer>;

/** How a plan ended; docs/plan-status.md says which one when. */
export const Outcome = z.enum(["succeeded", "partial", "failed", "cancelled"]);
export type Outcome = z.infer<typeof Outcome>;

/** One fault of a plan: the step and field, and a description. */
export const Issue = z.object({
  code: z.string(),
  stepId: z.string().optional().meta({ description: "Absent if the problem concerns the whole plan." }),
  field: z.string().meta({ description: "Path in the step (`args.url`) or the plan (`answerFrom`)." }),
  message: z.string(),
});
export type Issue = z.infer<typeof Issue>;

/** Where a plan's spans belong: the trace, the id kept for its workflow span, and whether spans are recorded. */
export const PlanTrace = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional()
    .meta({ description: "The request's span, parent of the workflow span." }),
  sampled: z.boolean(),
});
export type PlanTrace = z.infer<typeof PlanTrace>;

export const RetryAfterMs = z
  .number()
  .nonnegative()
  .optional()
  .meta({ description: "The delay that the model server requested, in milliseconds." });
