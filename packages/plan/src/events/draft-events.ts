/**
 * Drafts: how a plan's steps are recorded while a model writes them.
 *
 * A draft is opened once, and ended once: sealed, revised or abandoned, whichever is stored first. In between, each step becomes
 * an event as soon as the model has closed its brace.
 */
import { z } from "zod";
import { Forfeit } from "../language/budget.ts";
import { StepId } from "../values/ids.ts";
import { Confidence, Step, Strategy } from "../language/plan-language.ts";
import { defineEvent, firstOnSubject } from "./define-event.ts";
import { DraftNumber, Issue, ToolGrant, Usage, RetryAfterMs } from "./values.ts";

/**
 * Why a plan is revised: its results do not answer the goal, a step failed permanently, a verification failed, an output does not
 * meet its expectations, a step reported that the plan must change, a reviewer removed a step, a wave finished and the next one
 * must be planned, or a critic rejected the first draft before it ran.
 */
export const RevisionCause = z.enum([
  "results",
  "failure",
  "verification",
  "expectation",
  "requires_replan",
  "rejection",
  "wave",
  "critique",
]);
export type RevisionCause = z.infer<typeof RevisionCause>;

export const DraftStarted = defineEvent("draft.started", {
  draft: DraftNumber,
  strategy: Strategy.meta({
    description: "The strategy of the draft. `strategyReason` says why it was chosen.",
  }),
  strategyReason: z.string(),
  workerId: z.string(),
  seen: z.int().positive().meta({ description: "The `seq` of the plan state that the planner used." }),
  tools: z.array(z.string()).meta({ description: "Tools that the plan may use." }),
}).named(({ draft }, opener: string) => firstOnSubject(`draft/${draft}/started`, opener));
export type DraftStarted = z.infer<typeof DraftStarted>;

export const StepPlanned = defineEvent("step.planned", {
  draft: DraftNumber,
  index: z.int().nonnegative().meta({ description: "Position in the draft, from 0." }),
  step: Step,
  grant: ToolGrant,
  compensateGrant: ToolGrant.optional().meta({
    description: "Permissions of the tool that undoes the step.",
  }),
}).named(({ draft, index }) => `draft/${draft}/step/${index}`);
export type StepPlanned = z.infer<typeof StepPlanned>;

/** The fields that are known once a draft is complete. */
const WHOLE = {
  answerFrom: StepId.optional(),
  reasoning: z.string().optional(),
  confidence: Confidence.optional(),
  usage: Usage,
  forfeited: Forfeit.optional(),
} as const;

/** The draft is complete: its last step has been planned. */
export const PlanSealed = defineEvent("plan.sealed", {
  draft: DraftNumber,
  steps: z.int().nonnegative(),
  ...WHOLE,
}).named(({ draft }) => `draft/${draft}/sealed`);
export type PlanSealed = z.infer<typeof PlanSealed>;

/** A revision's draft is complete. Finished steps stay; only those named in `dropped` are removed. */
export const PlanRevised = defineEvent("plan.revised", {
  draft: DraftNumber,
  revision: z.int().positive(),
  cause: RevisionCause,
  reason: z.string(),
  kept: z.array(StepId),
  dropped: z.array(StepId),
  added: z.array(StepId),
  ...WHOLE,
}).named(({ draft }) => `draft/${draft}/revised`);
export type PlanRevised = z.infer<typeof PlanRevised>;

export const DraftAbandoned = defineEvent("draft.abandoned", {
  draft: DraftNumber,
  cause: z.enum(["invalid", "interrupted", "model_failed"]).meta({
    description:
      "`invalid`: the plan is invalid. `interrupted`: the planner died. `model_failed`: the model returned no usable reply.",
  }),
  message: z.string(),
  issues: z.array(Issue).max(200),
  retryable: z.boolean().meta({ description: "Whether another draft may succeed." }),
  unavailable: z.literal(true).optional().meta({
    description:
      "For `model_failed`: the model server did not respond within the configured number of calls and time.",
  }),
  retryAfterMs: RetryAfterMs,
  usage: Usage,
  forfeited: Forfeit.optional(),
  allowanceSpent: z.literal(true).optional().meta({ description: "Its token allowance was too small." }),
}).named(({ draft, cause }) => `draft/${draft}/abandoned/${cause}`);
export type DraftAbandoned = z.infer<typeof DraftAbandoned>;
