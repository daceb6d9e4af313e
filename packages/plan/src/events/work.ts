/** Work messages: what the dispatcher requests from executors, planners and reflectors. */
import { z } from "zod";
import { ApprovalId } from "./approval-events.ts";
import { After } from "./define-event.ts";
import { Allowance } from "../language/budget.ts";
import { ModelTries } from "./model-events.ts";
import { Attempt, attemptName, DraftNumber, Item, PlanTrace, StepOutput, Unit, UnitId } from "./values.ts";
import { PlanId, StepId } from "../values/ids.ts";
import { JsonObject } from "../values/json.ts";
import { SourceName } from "../language/submission.ts";
import { Effect, PoolName } from "../language/tool-spec.ts";

/** Fields of every kind of work. */
const ofPlan = {
  planId: PlanId,
  /** The allowance of its model calls; unlimited when absent. */
  allowance: Allowance.optional(),
  /** How far the dispatcher had read the log when it sent the work. Events that report the work repeat it. */
  after: After,
  trace: PlanTrace,
};

/** One attempt of one step. Its references are resolved, except those to artifacts. */
export const StepWork = z.object({
  ...ofPlan,
  /** The plan's tenant. */
  tenant: z.string(),
  stepId: StepId,
  item: Item,
  /** Set when the step's compensation is to be run. */
  undo: z.literal(true).optional(),
  attempt: Attempt,
  /** The pause after which it was sent again; 0 for the first time. */
  sentAfter: z.int().nonnegative(),
  tool: z.string(),
  args: JsonObject,
  /** Texts among the arguments as planned, before other steps' outputs were inserted; see `own-words.ts`. */
  templates: z.record(z.string(), z.string()).optional(),
  pool: PoolName,
  effect: Effect,
  timeoutMs: z.int().positive(),
  /** The approval that allows it to run, and the hash of the approved arguments. */
  approval: z.object({ approvalId: ApprovalId, argsHash: z.string() }).optional(),
  model: z.string().optional(),
  /** The agent type that runs it. */
  agent: PoolName.optional(),
  /** The only data sources that the plan may use; all when absent. */
  sources: z.array(SourceName).optional(),
  /** Larger outputs are stored as artifacts; 64 KiB when absent. */
  inlineBytesMax: z.int().positive().optional(),
  /** The review of the last draft, when it requests a better one. */
  feedback: z.object({ output: StepOutput, issues: z.array(z.string()), suggestion: z.string() }).optional(),
  /** How much of its limits for an unresponsive model server the previous attempt has used. */
  tried: ModelTries.optional(),
  /** The unit that contains it, for the worker that runs the unit. */
  unit: Unit,
});
export type StepWork = z.infer<typeof StepWork>;

/** A pause causes it to be sent again. */
export function stepWorkId({ planId, sentAfter, ...run }: StepWork): string {
  const id = `${planId}/${attemptName(run)}`;
  return sentAfter === 0 ? id : `${id}/after-${sentAfter}`;
}

/** One step of a unit: its first attempt. */
export const UnitStep = z.object({
  stepId: StepId,
  tool: z.string(),
  /** Resolved if it depends on no other step of the unit; as planned otherwise. */
  args: JsonObject,
  /** The steps of the unit that must have succeeded before it starts. */
  needs: z.array(StepId),
  timeoutMs: z.int().positive(),
  model: z.string().optional(),
  agent: PoolName.optional(),
  inlineBytesMax: z.int().positive().optional(),
});
export type UnitStep = z.infer<typeof UnitStep>;

const KnownOutput = z.object({ stepId: StepId, output: StepOutput });
export type KnownOutput = z.infer<typeof KnownOutput>;

/** Several light steps of a plan that one worker runs as a small graph: see `machine/step/units.ts`. */
export const UnitWork = z.object({
  ...ofPlan,
  /** The plan's tenant. */
  tenant: z.string(),
  /** Its name: that of the first of its steps. */
  unit: UnitId,
  pool: PoolName,
  /** The only data sources that the plan may use; all when absent. */
  sources: z.array(SourceName).optional(),
  /** Sorted so that each step comes after its dependencies. */
  steps: z.array(UnitStep).min(1),
  /** Outputs of steps outside the unit that the arguments refer to. */
  outputs: z.array(KnownOutput),
});
export type UnitWork = z.infer<typeof UnitWork>;

export function unitWorkId({ planId, unit }: Pick<UnitWork, "planId" | "unit">): string {
  return `${planId}/${unit}/unit`;
}

/** A message of a pool's queue. A unit has `steps`. */
export const PoolWork = z.union([UnitWork, StepWork]);
export type PoolWork = z.infer<typeof PoolWork>;

/** Write a draft. The plan's log holds its purpose. */
export const DraftWork = z.object({
  ...ofPlan,
  draft: DraftNumber,
});
export type DraftWork = z.infer<typeof DraftWork>;

export function draftWorkId({ planId, draft }: DraftWork): string {
  return `${planId}/draft/${draft}`;
}

/** Extract facts from one output. The plan's log holds the output and the known facts. */
export const FactsWork = z.object({
  ...ofPlan,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
});
export type FactsWork = z.infer<typeof FactsWork>;

export function factsWorkId({ planId, stepId, item, attempt }: FactsWork): string {
  return `${planId}/facts/${stepId}/${item}/${attempt}`;
}

/** Review the output of one attempt of a step. */
export const ReviewWork = z.object({
  ...ofPlan,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  review: z.int().positive(),
});
export type ReviewWork = z.infer<typeof ReviewWork>;

export function reviewWorkId({ planId, stepId, item, attempt, review }: ReviewWork): string {
  return `${planId}/${stepId}/${item}/${attempt}/review/${review}`;
}

/** Review a draft of the plan or of its answer. The plan's log holds the draft. */
export const CritiqueWork = z.object({
  ...ofPlan,
  of: z.enum(["plan", "answer"]),
  draft: DraftNumber,
  review: z.int().positive(),
});
export type CritiqueWork = z.infer<typeof CritiqueWork>;

export function critiqueWorkId({ planId, of, draft, review }: CritiqueWork): string {
  return `${planId}/${of}/${draft}/review/${review}`;
}

/** Review the results: answer, or request a revision. */
export const JoinWork = z.object({
  ...ofPlan,
  join: z.int().positive(),
});
export type JoinWork = z.infer<typeof JoinWork>;

export function joinWorkId({ planId, join }: JoinWork): string {
  return `${planId}/join/${join}`;
}
