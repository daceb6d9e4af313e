/**
 * What a plan has come to: one table, read from the top, the first row that matches decides.
 *
 * docs/plan-status.md shows the same rows to users, with the exit code of the command line for each.
 */
import type { AnswerStatus, Outcome } from "../../events/values.ts";

/**
 * How a plan came to its end.
 *
 * `complete`: everything has settled and the plan has its answer. `incomplete`: a limit was reached, planning failed, or
 * the step that answers did not succeed. `damaged`: events are missing from its log.
 */
export type Ending = "complete" | "incomplete" | "cancelled" | "damaged";

export type Evidence = {
  readonly ending: Ending;
  /** Of the answer that the plan gives; `none` when it gives none. */
  readonly answer: AnswerStatus | "none";
  /** A step failed for good without a fallback, delivered only a part, or a review that was asked for did not approve. */
  readonly lacksSomething: boolean;
  /** A finished step declares a `compensate`, and another one failed for good or did not finish. */
  readonly isHalfDone: boolean;
};

type Row = {
  /** As the documentation says it. */
  readonly name: string;
  readonly matches: (evidence: Evidence) => boolean;
  readonly outcome: Outcome;
};

export const OUTCOME_TABLE: readonly Row[] = [
  {
    name: "The plan was cancelled, or a person rejected it",
    matches: ({ ending }) => ending === "cancelled",
    outcome: "cancelled",
  },
  {
    name: "Events are missing from the plan's log",
    matches: ({ ending }) => ending === "damaged",
    outcome: "failed",
  },
  {
    name: "There is no answer, or its status is `failed`",
    matches: ({ answer }) => answer === "none" || answer === "failed",
    outcome: "failed",
  },
  {
    name: "The plan ended before its answer was complete, a step did not deliver, and a finished one declares a `compensate`",
    matches: ({ ending, isHalfDone }) => ending === "incomplete" && isHalfDone,
    outcome: "failed",
  },
  {
    name: "The plan ended before its answer was complete, and results are there",
    matches: ({ ending }) => ending === "incomplete",
    outcome: "partial",
  },
  {
    name: "A step failed for good without a fallback, or delivered only a part; or a review did not approve",
    matches: ({ lacksSomething }) => lacksSomething,
    outcome: "partial",
  },
  {
    name: "The answer's status is `partial`",
    matches: ({ answer }) => answer === "partial",
    outcome: "partial",
  },
  {
    name: "The answer's status is `unsupported_intent` or `invalid_request`",
    matches: ({ answer }) => answer === "unsupported_intent" || answer === "invalid_request",
    outcome: "succeeded",
  },
  {
    name: "The answer's status is `success`, `no_match` or `insufficient_stock`",
    matches: () => true,
    outcome: "succeeded",
  },
];

export function outcomeOf(evidence: Evidence): Outcome {
  return OUTCOME_TABLE.find(({ matches }) => matches(evidence))?.outcome ?? "failed";
}
