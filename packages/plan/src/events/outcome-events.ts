/** How a plan comes to its answer and its end. */
import { z } from "zod";
import { defineEvent } from "./define-event.ts";
import { Answer, Outcome, Usage } from "./values.ts";

/** Joins of one plan count from 1: each is one look at all results. */
const JoinNumber = z.int().positive();

export const AnswerGiven = defineEvent("answer.given", {
  /** Absent when the plan named the step that answers it. */
  join: JoinNumber.optional(),
  answer: Answer,
  usage: Usage.optional(),
});
export type AnswerGiven = z.infer<typeof AnswerGiven>;

/** The results do not answer the goal yet. Carries the best answer so far, kept if no revision is left. */
export const RevisionRequested = defineEvent("revision.requested", {
  join: JoinNumber,
  reason: z.string(),
  answer: Answer,
  usage: Usage,
});
export type RevisionRequested = z.infer<typeof RevisionRequested>;

/** Always a plan's last fact. */
export const PlanEnded = defineEvent("plan.ended", { outcome: Outcome, reason: z.string() });
export type PlanEnded = z.infer<typeof PlanEnded>;

/** The server's scheduler fired a timer that the plan had asked for. */
export const TimerFired = defineEvent("timer.fired", { timer: z.string() });
export type TimerFired = z.infer<typeof TimerFired>;
