/** How a plan ends: once everything is settled, it is answered, synthesized or failed. */
import { type Conclusion, isHalted, type NextPlan } from "../plan-state.ts";
import { answerFrom, answerInstead } from "./answer-from.ts";
import type { Answer, AnswerStatus, Outcome } from "../../events/values.ts";
import { partialAnswer } from "./partial-answer.ts";
import { hasUndelivered, missingResults, shortcomingsOf } from "./shortcomings.ts";
import { isToBeRewritten, offerAnswer } from "../review/answer-drafts.ts";
import { undoFirst } from "../step/compensations.ts";
import { dropCritique } from "../review/critiques.ts";
import { awaitsFacts } from "../knowledge.ts";
import { requestJoin } from "./joins.ts";
import { modelFailureOf } from "../model-outage.ts";
import { strategyOf } from "../drafting/strategies.ts";
import { hasOpenDependents } from "../step/step-transitions.ts";
import { awaitsSubPlans } from "../sub-plans.ts";
import { openGate } from "../approval/open-gate.ts";
import { dropProcessing } from "../drop-processing.ts";

const REASON_CHARS_MAX = 4_000;

/** Called after each change: requests the answer once nothing can change the results any more. */
export function concludeWhenSettled(next: NextPlan): void {
  if (next.conclusion !== undefined || isHalted(next) || next.drafting.phase !== "sealed") return;
  if (openGate(next) !== undefined) return;
  if (next.total === next.done) {
    if (next.joining.phase === "requested" || next.critique !== undefined || awaitsFacts(next)) return;
    if (strategyOf(next).proceed(next)) return;
    if (next.replansExceeded !== undefined) {
      const reason = next.replansExceeded;
      conclude(next, { ending: "incomplete", reason, answer: partialAnswer(next, `${reason}.`) });
      return;
    }
    const failure = modelFailureOf(next);
    if (failure !== undefined) {
      conclude(next, { ending: "incomplete", reason: failure, answer: failureAnswer(next, failure) });
      return;
    }
    answerOrJoin(next);
  } else if (isStuck(next)) {
    const reason = "no remaining step can ever run: its dependencies are unknown or form a cycle";
    conclude(next, { ending: "incomplete", reason, answer: resultsSoFar(next, reason) });
  }
}

/**
 * Answers from the step that the plan names. The results are synthesized only if it names none, if that step has no
 * output and a revision might get it, or if the answer's review or `requireSources` requires a written answer.
 */
function answerOrJoin(next: NextPlan): void {
  const instead = answerInstead(next);
  if (instead !== undefined) {
    if (mayBeRevised(next)) requestJoin(next);
    else conclude(next, { ending: "incomplete", ...instead });
    return;
  }
  // The review rejected the previous answer: a model has to rewrite it.
  const answer = isToBeRewritten(next) || isToBeSourced(next) ? undefined : answerFrom(next);
  if (answer === undefined) requestJoin(next);
  else if (!offerAnswer(next, answer))
    conclude(next, { ending: "complete", reason: "the plan named its answer", answer });
}

/** Whether the results can lead to a revision. A plan that was submitted whole is never revised because of its results. */
function mayBeRevised(next: NextPlan): boolean {
  return next.drafting.number > 0 && strategyOf(next).mayReject(next);
}

/** Steps that a model has planned cite no sources; the synthesis of their results does. */
function isToBeSourced({ goal, drafting }: NextPlan): boolean {
  return goal.requireSources === true && drafting.number > 0;
}

function isStuck(next: NextPlan): boolean {
  if (
    next.judging > 0 ||
    next.inFlight > 0 ||
    next.awaiting > 0 ||
    next.queue.size > 0 ||
    next.timers.size > 0
  )
    return false;
  if (next.undecided.size > 0) return false;
  // Some steps wait for their turn in the budget or for a raise. Without either, the budget ends the plan.
  if (next.budget !== undefined && next.budget.plain.size + next.budget.metered.size > 0) return false;
  // Failed steps whose dependents were cancelled, or skipped for another reason, have nothing left to skip.
  return !next.unskipped.keySeq().some((stepId) => hasOpenDependents(next, stepId));
}

export type End = {
  readonly ending: Ending;
  readonly reason: string;
  readonly answer?: Answer;
  /** The answer is already in the log. */
  readonly answerRecorded?: boolean;
};

/** Decides how the plan ends. It ends as soon as it is not halted. Every end of a plan passes through here. */
export function conclude(next: NextPlan, end: End): void {
  const { ending, answer } = end;
  const lacking = ending === "complete" ? shortcomingsOf(next) : [];
  const outcome = outcomeOf({
    ending,
    answer: answer?.status ?? "none",
    lacksSomething: lacking.length > 0,
    isHalfDone: !next.undoable.isEmpty() && hasUndelivered(next),
  });
  const conclusion: Conclusion = {
    outcome,
    reason: reasonOf(end, outcome, lacking),
    answerRecorded: end.answerRecorded ?? answer === undefined,
  };
  const isLessThanSaid = outcome === "partial" && answer?.status === "success";
  const given = isLessThanSaid ? { ...answer, status: "partial" as const } : answer;
  next.conclusion = given === undefined ? conclusion : { ...conclusion, answer: given };
  dropCritique(next);
  dropProcessing(next);
  proceedToEnd(next);
}

/** For an incomplete answer, says what is missing; for a failed plan, also why it failed. */
function reasonOf(
  { reason, ending }: End,
  outcome: Conclusion["outcome"],
  lacking: readonly string[],
): string {
  const lacks = lacking.join(" ").slice(0, REASON_CHARS_MAX);
  if (outcome === "partial" && ending === "complete" && lacks === "")
    return "the answer is incomplete, and its text says what is missing";
  if (outcome === "succeeded" || lacks === "") return reason;
  return outcome === "partial" ? lacks : `${reason}: ${lacks}`;
}

/**
 * Called before a concluded plan ends: waits for its sub-plans and for the steps that were asked to stop, then starts
 * the compensations.
 */
export function proceedToEnd(next: NextPlan): void {
  if (next.conclusion === undefined || isHalted(next)) return;
  if (!awaitsSubPlans(next) && next.stopping === 0) undoFirst(next);
}

/** Returns the reason followed by the raw results; only the reason if there are none. */
export function resultsSoFar(next: NextPlan, reason: string): Answer {
  const partial = partialAnswer(next, `${reason}.`);
  return partial.status === "failed" ? failureAnswer(next, reason) : partial;
}

/** Returns the answer of a plan that could not achieve its goal: the reason, and what is missing. */
export function failureAnswer(next: NextPlan, reason: string): Answer {
  const missing = missingResults(next);
  return {
    text: missing === "" ? reason : `${reason}\n\n${missing}`,
    status: "failed",
    sources: [],
    artifacts: next.artifacts.toArray(),
  };
}

/**
 * How a plan ends: a table read from the top, in which the first matching row decides.
 *
 * docs/plan-status.md shows the same rows to users, with the exit code of the command line for each.
 */

/**
 * Why a plan ends.
 *
 * `complete`: everything has settled and the plan has its answer. `incomplete`: a limit was reached, planning failed, or
 * the step that answers did not succeed. `damaged`: events are missing from its log.
 */
export type Ending = "complete" | "incomplete" | "cancelled" | "damaged";

export type Evidence = {
  readonly ending: Ending;
  /** The status of the plan's answer; `none` if it gives none. */
  readonly answer: AnswerStatus | "none";
  /** A step failed permanently without a fallback or delivered only a part, or a requested review did not approve. */
  readonly lacksSomething: boolean;
  /** A finished step declares a `compensate`, and another one failed permanently or did not finish. */
  readonly isHalfDone: boolean;
};

type Row = {
  /** The name used in the documentation. */
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
