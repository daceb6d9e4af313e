/**
 * Step events: one attempt of one step, from start to outcome.
 *
 * The first stored outcome of an attempt is final. A tool's failure is part of the plan, so it is an event; exceptions are for
 * faults in our own code.
 */
import { PlanTally } from "./plan-tally.ts";
import { z } from "zod";
import { Forfeit } from "../language/budget.ts";
import { PROGRAM_CALLS_MAX } from "../arguments/code-run.ts";
import { CLAIMS_MAX, FactClaim } from "../facts/fact.ts";
import { fnv1a32 } from "../values/fnv1a.ts";
import { PlanId, StepId } from "../values/ids.ts";
import { JsonObject, isObject } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { PoolName, Risk } from "../language/tool-spec.ts";
import { defineEvent, firstOnSubject } from "./define-event.ts";
import { ModelTries } from "./model-events.ts";
import {
  ArtifactRef,
  type AttemptName,
  attemptName,
  FromPool,
  StepOutput,
  StepRun,
  TurnCall,
  Unit,
  UnitId,
  Usage,
} from "./values.ts";

/**
 * Whether a value is a success with an inline output, without usage or files: the shape that the schema would return unchanged.
 * The writer guarantees the parts that it does not check (the form of ids and times), and no fold relies on them.
 */
export function isPlainSuccess(value: unknown): boolean {
  if (!isObject(value) || value["type"] !== "step.succeeded") return false;
  const { id, planId, at, data } = value;
  if (typeof id !== "string" || typeof planId !== "string" || typeof at !== "string") return false;
  if (
    !isObject(data) ||
    data["usage"] !== undefined ||
    data["forfeited"] !== undefined ||
    data["facts"] !== undefined ||
    data["replan"] !== undefined ||
    !isEmptyList(data["artifacts"])
  )
    return false;
  const { stepId, item, attempt, unit, pool, workerId, startedAt, durationMs, output } = data;
  return (
    (unit === undefined || typeof unit === "string") &&
    (pool === undefined || typeof pool === "string") &&
    data["undo"] === undefined &&
    typeof stepId === "string" &&
    isCount(item, 0) &&
    isCount(attempt, 1) &&
    typeof workerId === "string" &&
    typeof startedAt === "string" &&
    typeof durationMs === "number" &&
    durationMs >= 0 &&
    isObject(output) &&
    output["value"] !== undefined &&
    output["artifact"] === undefined
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isCount(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}

/** A worker has begun the step. Read-only steps that finish immediately may have no such event. */
export const StepStarted = defineEvent("step.started", {
  ...StepRun,
  unit: Unit,
  pool: FromPool,
  workerId: z.string(),
  delivery: z.int().positive().default(1).meta({
    description: "Number of deliveries of the attempt's message; more than 1 if an earlier worker was lost.",
  }),
  message: z
    .int()
    .positive()
    .optional()
    .meta({ description: "Stream sequence number of the work message; absent if there is none." }),
  subPlan: PlanId.optional().meta({ description: "The sub-plan that does the work of the step." }),
}).named((run, writer?: string) => {
  const name = `${attemptName(run)}/started`;
  return writer === undefined ? name : firstOnSubject(name, writer);
});
export type StepStarted = z.infer<typeof StepStarted>;

/** The first outcome of an attempt that is stored is its only one. */
function attemptDone(run: AttemptName): string {
  return `${attemptName(run)}/done`;
}

const Ended = {
  ...StepRun,
  unit: Unit,
  pool: FromPool,
  workerId: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative(),
  usage: Usage.optional(),
  forfeited: Forfeit.optional().meta({
    description: "Possible additional usage that was not reported. Counts as used.",
  }),
  stepsSent: z
    .int()
    .nonnegative()
    .optional()
    .meta({ description: "For a sub-plan: the number of attempts it sent to workers." }),
  tally: PlanTally.optional().meta({
    description: "For a sub-plan: its counts, which are part of the parent plan's metrics.",
  }),
} as const;

export const StepSucceeded = defineEvent("step.succeeded", {
  ...Ended,
  output: StepOutput,
  artifacts: z.array(ArtifactRef).default([]).meta({ description: "Files that the step wrote." }),
  facts: z.array(FactClaim).max(CLAIMS_MAX).optional().meta({
    description: "Facts that the tool recorded. No further facts are extracted from the output then.",
  }),
  partial: z.string().min(1).max(4_000).optional().meta({
    description: "Why the output is incomplete; absent if it is complete.",
  }),
  replan: z
    .object({ reason: z.string().max(4_000) })
    .optional()
    .meta({ description: "The step found that the plan must change." }),
  reused: z.literal(true).optional().meta({
    description:
      "The output was reused from an identical call in the same plan; the call was not made again.",
  }),
  truncated: z
    .literal(true)
    .optional()
    .meta({ description: "The output is cut off, because a model reached its length limit." }),
}).named(attemptDone, isPlainSuccess);
export type StepSucceeded = z.infer<typeof StepSucceeded>;

/** The list of a step that runs for each item is known: it runs once per item, counted from 0. */
export const StepExpanded = defineEvent("step.expanded", {
  stepId: StepId,
  items: z.int().nonnegative().max(LIMITS.itemsMax),
}).named(({ stepId }, redriven: number) => `expand/${stepId}/${redriven}`);
export type StepExpanded = z.infer<typeof StepExpanded>;

/** A call inside a loop that waits for a person: it needs approval, or it is unknown whether it took effect. */
export const AskedCall = z.object({
  turn: z.int().positive().max(PROGRAM_CALLS_MAX),
  call: TurnCall.meta({ description: "Position in a turn with several calls." }),
  thought: z.string().max(4_000),
  tool: z.string().max(128),
  args: JsonObject,
  proposed: JsonObject.optional().meta({
    description: "The arguments that the loop proposed; set if a reviewer changed them.",
  }),
  risk: Risk,
  doubt: z.string().max(4_000).optional().meta({
    description: "Why it is unknown whether the call took effect; absent if the call was not made.",
  }),
});
export type AskedCall = z.infer<typeof AskedCall>;

/**
 * The attempt has ended at a call of its loop that needs a person's decision. The next attempt resumes there after the
 * decision; nothing runs in the meantime.
 */
export const StepAsked = defineEvent("step.asked", { ...Ended, call: AskedCall }).named(attemptDone);
export type StepAsked = z.infer<typeof StepAsked>;

/** The step that failed in a sub-plan, at any level below. */
const FailedLeaf = z.object({
  planId: PlanId,
  path: z
    .array(StepId)
    .min(1)
    .max(LIMITS.subPlanDepthMax + 1)
    .meta({ description: "Steps below the step that ran the sub-plan, one per level. The last one failed." }),
  message: z.string().max(4_000),
});

export const StepError = z.object({
  code: z.string(),
  message: z.string(),
  leaf: FailedLeaf.optional().meta({
    description: "For a step whose sub-plan failed because of one of its steps: that step.",
  }),
});
export type StepError = z.infer<typeof StepError>;

export const StepFailed = defineEvent("step.failed", {
  ...Ended,
  error: StepError,
  retryable: z.boolean(),
  retryAfterMs: z
    .number()
    .nonnegative()
    .optional()
    .meta({ description: "The delay that the called service requested, in milliseconds." }),
  modelTries: ModelTries.optional().meta({
    description: "Failed calls to a model server so far. The next attempt continues the count.",
  }),
  uncertain: z.boolean().optional().meta({
    description:
      "The attempt failed but may have taken effect. If it is retryable, repeating it does no harm.",
  }),
}).named(attemptDone);
export type StepFailed = z.infer<typeof StepFailed>;

/**
 * An attempt that runs at most once has ended without an outcome, and it is unknown whether it took effect: a person
 * decides, unless the outcome arrives after all.
 */
export const StepInterrupted = defineEvent("step.interrupted", {
  ...StepRun,
  pool: FromPool,
  workerId: z.string(),
  message: z.string().max(4_000),
}).named((run) => `${attemptName(run)}/interrupted`);
export type StepInterrupted = z.infer<typeof StepInterrupted>;

/** Why a worker closed a unit before all of its steps had run. */
export const UnitClosedBecause = z.enum(["time", "stop", "lost"]);

/**
 * A worker returns steps of a unit that it does not run: those without an outcome, except the ones that it keeps. From
 * then on they are no longer part of the unit.
 */
export const UnitClosed = defineEvent("unit.closed", {
  unit: UnitId.meta({ description: "The name of the unit." }),
  pool: PoolName,
  workerId: z.string(),
  because: UnitClosedBecause.meta({
    description:
      "`time`: the unit has had its time. `stop`: the plan was paused or stopped, must change, or a step cannot be run. `lost`: workers were lost while they ran it.",
  }),
  kept: z.array(StepId).meta({ description: "Steps that the worker still runs." }),
}).named(({ unit }, writer: string) => firstOnSubject(`unit/${unit}/closed`, writer));
export type UnitClosed = z.infer<typeof UnitClosed>;

/** Steps that will not run, because a dependency did not succeed, or because they are not needed. */
export const StepSkipped = defineEvent("step.skipped", {
  stepIds: z.array(StepId).min(1),
  because: StepId.meta({
    description:
      "The failed step that they depend on, directly or indirectly, or the step because of which they are not needed.",
  }),
  reason: z.string(),
  passedOver: z.literal(true).optional().meta({
    description:
      "The steps are not needed, for example because a condition is false. Their dependents run without their outputs.",
  }),
}).named(({ stepIds, because, passedOver }, redriven: (stepId: StepId) => number) => {
  // A retried step may have to be skipped again.
  const named = (stepId: StepId) => `${stepId}:${redriven(stepId)}`;
  if (passedOver === true) return `pass/${stepIds.map((stepId) => `${stepId}/${redriven(stepId)}`).join()}`;
  // A draft may add a dependent between two decisions about the same failed step.
  const hash = fnv1a32([because, ...stepIds].map(named).join(" ")).toString(16);
  return `skip/${because}/${stepIds.length}-${hash}`;
});
export type StepSkipped = z.infer<typeof StepSkipped>;
