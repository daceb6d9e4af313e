/** How a plan comes to its answer and its end. */
import { z } from "zod";
import { Forfeit } from "../budget.ts";
import { LIMITS } from "../limits.ts";
import { defineEvent } from "./define-event.ts";
import { MODEL_UNAVAILABLE } from "./model-events.ts";
import { Answer, Outcome, Usage } from "./values.ts";

/** Joins of one plan count from 1: each is one look at all results. */
const JoinNumber = z.int().positive();

export const AnswerGiven = defineEvent("answer.given", {
  /** Absent when the plan named the step that answers it. */
  join: JoinNumber.optional(),
  answer: Answer,
  usage: Usage.optional(),
  forfeited: Forfeit.optional(),
});
export type AnswerGiven = z.infer<typeof AnswerGiven>;

/** An answer that is to be judged before it is given. */
export const AnswerDrafted = defineEvent("answer.drafted", {
  join: JoinNumber,
  answer: Answer,
  usage: Usage.optional(),
  forfeited: Forfeit.optional(),
});
export type AnswerDrafted = z.infer<typeof AnswerDrafted>;

/** The results do not answer the goal yet. Carries the best answer so far, kept if no revision is left. */
export const RevisionRequested = defineEvent("revision.requested", {
  join: JoinNumber,
  reason: z.string(),
  answer: Answer,
  usage: Usage,
  forfeited: Forfeit.optional(),
});
export type RevisionRequested = z.infer<typeof RevisionRequested>;

/** Nobody could judge the results with what was set aside for it; the plan asks again while its budget has more. */
export const JoinAbandoned = defineEvent("join.abandoned", {
  join: JoinNumber,
  /**
   * `interrupted`: its reflector died; `allowance_spent`: the judgement takes more; `model_unavailable`: the model
   * server did not answer.
   */
  cause: z.enum(["interrupted", "allowance_spent", MODEL_UNAVAILABLE]),
  /** How long the model server asked to be left alone. */
  retryAfterMs: z.number().nonnegative().optional(),
  message: z.string(),
  usage: Usage,
  forfeited: Forfeit.optional(),
});
export type JoinAbandoned = z.infer<typeof JoinAbandoned>;

/** Always a plan's last fact. */
export const PlanEnded = defineEvent("plan.ended", {
  outcome: Outcome,
  reason: z.string(),
  /** How many facts the plan counted when its end was decided: with fewer before it, some have vanished. */
  facts: z.int().positive().optional(),
});
export type PlanEnded = z.infer<typeof PlanEnded>;

/** Which attempts a deadline is for. */
export const Deadline = z.object({
  /** Deadlines of a plan fire one after the other, from 1: of those with the same number, the first counts. */
  round: z.int().positive(),
  /** What is given up if it has not ended: attempts, by the order in which the plan's log says that they started. */
  starts: z.array(z.int().positive()).max(LIMITS.inFlightMax),
});
export type Deadline = z.infer<typeof Deadline>;

/** The server's scheduler fired a timer that the plan had asked for. */
export const TimerFired = defineEvent("timer.fired", { timer: z.string(), deadline: Deadline.optional() });
export type TimerFired = z.infer<typeof TimerFired>;
