/** Work messages: what the dispatcher requests from executors, planners and reflectors. */
import { z } from "zod";
import { ApprovalId } from "./approval-events.ts";
import { Allowance } from "../language/budget.ts";
import { ModelTries } from "./model-events.ts";
import { Attempt, attemptName, DraftNumber, Item, PlanTrace, StepOutput, Via } from "./values.ts";
import { PlanId, StepId } from "../values/ids.ts";
import { JsonObject } from "../values/json.ts";
import { SourceName } from "../language/submission.ts";
import { Effect, PoolName } from "../language/tool-spec.ts";

/** A step that the worker of the preceding step may continue with. Its references are not resolved. */
export const FollowUp = z.object({
  stepId: StepId,
  tool: z.string(),
  args: JsonObject,
  timeoutMs: z.int().positive(),
  model: z.string().optional(),
  agent: PoolName.optional(),
  inlineBytesMax: z.int().positive().optional(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** A step that is sent in another one's message. Its references are resolved. */
export const BundledStep = FollowUp;
export type BundledStep = FollowUp;

const KnownOutput = z.object({ stepId: StepId, output: StepOutput });
export type KnownOutput = z.infer<typeof KnownOutput>;

/** One attempt of one step. Its references are resolved, except those to artifacts. */
export const StepWork = z.object({
  planId: PlanId,
  /** Whose plan it is. */
  tenant: z.string(),
  stepId: StepId,
  item: Item,
  /** Set when the step's compensation is to be run. */
  undo: z.literal(true).optional(),
  attempt: Attempt,
  /** The pause after which it was sent again; 0 at first. */
  sentAfter: z.int().nonnegative(),
  tool: z.string(),
  args: JsonObject,
  /** Texts among the arguments as they were planned, before other steps' outputs were put into them; see `own-words.ts`. */
  templates: z.record(z.string(), z.string()).optional(),
  pool: PoolName,
  effect: Effect,
  timeoutMs: z.int().positive(),
  /** The approval that lets it run, and the hash of the arguments that was given for. */
  approval: z.object({ approvalId: ApprovalId, argsHash: z.string() }).optional(),
  model: z.string().optional(),
  /** The agent type that it is run as. */
  agent: PoolName.optional(),
  /** The only data sources that the plan may use; all when absent. */
  sources: z.array(SourceName).optional(),
  /** Its output is an artifact above this; above 64 KiB when absent. */
  inlineBytesMax: z.int().positive().optional(),
  /** The review of the last draft, when it requests a better one. */
  feedback: z.object({ output: StepOutput, issues: z.array(z.string()), suggestion: z.string() }).optional(),
  /** The allowance of its model calls; unlimited when absent. */
  allowance: Allowance.optional(),
  /** How far the attempt before it had come in the limits for a model server that fails. */
  tried: ModelTries.optional(),
  trace: PlanTrace,
  /** The attempt whose work message this is, when it was another step's. */
  via: Via.optional(),
  /** The step in whose place a bundle is sent that has lost its first one; see `bundles.ts`. */
  sentWith: StepId.optional(),
  /** Steps that the worker runs at the same time, each once, for the first time; see `bundles.ts`. */
  others: z.array(BundledStep).optional(),
  /** The steps that the same worker may continue with, in this order; see `followUpsOf`. */
  followUps: z.array(FollowUp).optional(),
  /** Outputs that the follow-ups refer to. */
  outputs: z.array(KnownOutput).optional(),
});
export type StepWork = z.infer<typeof StepWork>;

/** A bundle's message is named by its first step, also when that one has finished. A pause has it sent again. */
export function stepWorkId({ planId, sentWith, sentAfter, ...run }: StepWork): string {
  const id = `${planId}/${attemptName({ ...run, stepId: sentWith ?? run.stepId })}`;
  return sentAfter === 0 ? id : `${id}/after-${sentAfter}`;
}

/** Write a draft. The plan's log holds its purpose. */
export const DraftWork = z.object({
  planId: PlanId,
  draft: DraftNumber,
  allowance: Allowance.optional(),
  trace: PlanTrace,
});
export type DraftWork = z.infer<typeof DraftWork>;

export function draftWorkId({ planId, draft }: DraftWork): string {
  return `${planId}/draft/${draft}`;
}

/** Extract facts from one output. The plan's log holds the output and the known facts. */
export const FactsWork = z.object({
  planId: PlanId,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  allowance: Allowance.optional(),
  trace: PlanTrace,
});
export type FactsWork = z.infer<typeof FactsWork>;

export function factsWorkId({ planId, stepId, item, attempt }: FactsWork): string {
  return `${planId}/facts/${stepId}/${item}/${attempt}`;
}

/** Review the output of one attempt of a step. */
export const ReviewWork = z.object({
  planId: PlanId,
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  review: z.int().positive(),
  allowance: Allowance.optional(),
  trace: PlanTrace,
});
export type ReviewWork = z.infer<typeof ReviewWork>;

export function reviewWorkId({ planId, stepId, item, attempt, review }: ReviewWork): string {
  return `${planId}/${stepId}/${item}/${attempt}/review/${review}`;
}

/** Review a draft of the plan or of its answer. The plan's log holds the draft. */
export const CritiqueWork = z.object({
  planId: PlanId,
  of: z.enum(["plan", "answer"]),
  draft: DraftNumber,
  review: z.int().positive(),
  allowance: Allowance.optional(),
  trace: PlanTrace,
});
export type CritiqueWork = z.infer<typeof CritiqueWork>;

export function critiqueWorkId({ planId, of, draft, review }: CritiqueWork): string {
  return `${planId}/${of}/${draft}/review/${review}`;
}

/** Review the results: answer, or request a revision. */
export const JoinWork = z.object({
  planId: PlanId,
  join: z.int().positive(),
  allowance: Allowance.optional(),
  trace: PlanTrace,
});
export type JoinWork = z.infer<typeof JoinWork>;

export function joinWorkId({ planId, join }: JoinWork): string {
  return `${planId}/join/${join}`;
}
