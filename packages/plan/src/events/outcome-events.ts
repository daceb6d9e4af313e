/** How a plan gets its answer and ends. */
import { z } from "zod";
import { Forfeit } from "../language/budget.ts";
import { LIMITS } from "../values/limits.ts";
import { defineEvent } from "./define-event.ts";
import { MODEL_UNAVAILABLE } from "../values/codes.ts";
import { Answer, Outcome, Usage, RetryAfterMs } from "./values.ts";

/** Joins of one plan are numbered from 1: each reviews all results once. */
const JoinNumber = z.int().positive();

/** Each join has only one outcome. */
export function joinDone({ join }: { readonly join: number }): string {
  return `join/${join}/done`;
}

export const AnswerGiven = defineEvent("answer.given", {
  join: JoinNumber.optional().meta({
    description: "Absent if the plan named the step that provides the answer.",
  }),
  answer: Answer,
  usage: Usage.optional(),
  forfeited: Forfeit.optional(),
}).named(({ join }) => (join === undefined ? "answer" : joinDone({ join })));
export type AnswerGiven = z.infer<typeof AnswerGiven>;

/** A draft of the answer that is reviewed before it is given. */
export const AnswerDrafted = defineEvent("answer.drafted", {
  join: JoinNumber,
  answer: Answer,
  usage: Usage.optional(),
  forfeited: Forfeit.optional(),
}).named(joinDone);
export type AnswerDrafted = z.infer<typeof AnswerDrafted>;

/** The results do not answer the goal yet. Carries the best answer so far, kept if no revision is left. */
export const RevisionRequested = defineEvent("revision.requested", {
  join: JoinNumber,
  reason: z.string(),
  answer: Answer,
  usage: Usage,
  forfeited: Forfeit.optional(),
}).named(joinDone);
export type RevisionRequested = z.infer<typeof RevisionRequested>;

/** The results could not be reviewed within the reserved budget. The plan requests another review while its budget allows. */
export const JoinAbandoned = defineEvent("join.abandoned", {
  join: JoinNumber,
  cause: z.enum(["interrupted", "allowance_spent", MODEL_UNAVAILABLE]).meta({
    description:
      "`interrupted`: the reflector died. `allowance_spent`: the token allowance was too small. `model_unavailable`: the model server did not respond.",
  }),
  retryAfterMs: RetryAfterMs,
  message: z.string(),
  usage: Usage,
  forfeited: Forfeit.optional(),
}).named(joinDone);
export type JoinAbandoned = z.infer<typeof JoinAbandoned>;

/** Always the last event of a plan's log. */
export const PlanEnded = defineEvent("plan.ended", {
  outcome: Outcome,
  reason: z.string(),
}).named(() => "end");
export type PlanEnded = z.infer<typeof PlanEnded>;

/** Which attempts a deadline is for. */
export const Deadline = z.object({
  round: z.int().positive().meta({
    description:
      "Number of the deadline within the plan, from 1. Of several with the same number, the first counts.",
  }),
  starts: z.array(z.int().positive()).max(LIMITS.inFlightMax).meta({
    description: "Attempts that are abandoned if they have not finished, by their order of start in the log.",
  }),
});
export type Deadline = z.infer<typeof Deadline>;

/** The server's scheduler fired a timer that the plan had requested. */
export const TimerFired = defineEvent("timer.fired", {
  timer: z.string(),
  deadline: Deadline.optional(),
}).named(({ timer }) => `timer/${timer}`);
export type TimerFired = z.infer<typeof TimerFired>;
