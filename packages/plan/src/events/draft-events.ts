/**
 * Drafts: how a plan's steps come to be known while a model writes them.
 *
 * A draft is opened once, and ended once: sealed, revised or abandoned, whichever is stored first.
 * Between the two each step is a fact as soon as the model has closed its brace.
 */
import { z } from "zod";
import { Forfeit } from "../budget.ts";
import { StepId } from "../ids.ts";
import { Confidence, Step, Strategy } from "../plan-language.ts";
import { defineEvent } from "./define-event.ts";
import { RevisionCause } from "./revision-cause.ts";
import { DraftNumber, Issue, ToolGrant, Usage } from "./values.ts";

export const DraftStarted = defineEvent("draft.started", {
  draft: DraftNumber,
  /** What drafting does with the goal, and why that was chosen. */
  strategy: Strategy,
  strategyReason: z.string(),
  workerId: z.string(),
  /** The `seq` of the plan as the planner has read it. */
  seen: z.int().positive().optional(),
  /** The tools that it may use; absent in older logs. */
  tools: z.array(z.string()).optional(),
});
export type DraftStarted = z.infer<typeof DraftStarted>;

export const StepPlanned = defineEvent("step.planned", {
  draft: DraftNumber,
  /** Position in the draft, from 0. */
  index: z.int().nonnegative(),
  step: Step,
  grant: ToolGrant,
  /** Of the tool that undoes the step. */
  compensateGrant: ToolGrant.optional(),
});
export type StepPlanned = z.infer<typeof StepPlanned>;

/** The draft is complete: its last step has been planned. */
export const PlanSealed = defineEvent("plan.sealed", {
  draft: DraftNumber,
  steps: z.int().nonnegative(),
  answerFrom: StepId.optional(),
  reasoning: z.string().optional(),
  confidence: Confidence.optional(),
  usage: Usage,
  forfeited: Forfeit.optional(),
});
export type PlanSealed = z.infer<typeof PlanSealed>;

/** A revision's draft is complete. Steps that are finished stay; only those named in `dropped` go. */
export const PlanRevised = defineEvent("plan.revised", {
  draft: DraftNumber,
  revision: z.int().positive(),
  /** Absent in older logs: `results`. */
  cause: RevisionCause.optional(),
  reason: z.string(),
  kept: z.array(StepId),
  dropped: z.array(StepId),
  added: z.array(StepId),
  answerFrom: StepId.optional(),
  reasoning: z.string().optional(),
  confidence: Confidence.optional(),
  usage: Usage,
  forfeited: Forfeit.optional(),
});
export type PlanRevised = z.infer<typeof PlanRevised>;

export const DraftAbandoned = defineEvent("draft.abandoned", {
  draft: DraftNumber,
  /** `invalid`: the plan has faults; `interrupted`: its planner died; `model_failed`: no usable reply. */
  cause: z.enum(["invalid", "interrupted", "model_failed"]),
  message: z.string(),
  issues: z.array(Issue).max(200),
  /** Whether another draft may do better. */
  retryable: z.boolean(),
  /** Of `model_failed`: the model server did not answer, as often and as long as the settings allow. */
  unavailable: z.literal(true).optional(),
  /** How long the model server asked to be left alone. */
  retryAfterMs: z.number().nonnegative().optional(),
  usage: Usage,
  forfeited: Forfeit.optional(),
  /** Its allowance was too small for it. */
  allowanceSpent: z.literal(true).optional(),
});
export type DraftAbandoned = z.infer<typeof DraftAbandoned>;
