/** How a plan comes to its end: when everything is settled it is answered, judged or given up. */
import { answerFrom, missingResults } from "../answer-from.ts";
import type { Answer, Outcome } from "../events/values.ts";
import { partialAnswer } from "../partial-answer.ts";
import { isToBeRewritten, offerAnswer } from "./answer-drafts.ts";
import { undoFirst } from "./compensations.ts";
import { dropCritique } from "./critiques.ts";
import { awaitsFacts, stopProcessing } from "./knowledge.ts";
import { requestJoin } from "./joins.ts";
import { modelFailureOf } from "./model-outage.ts";
import { isHalted, openGate, type Conclusion } from "./plan-state.ts";
import { searchOn } from "./search.ts";
import { hasOpenDependents, type NextPlan } from "./step-transitions.ts";
import { awaitsSubPlans } from "./sub-plans.ts";

/** Called after each change: asks for the answer once nothing can change the results any more. */
export function concludeWhenSettled(next: NextPlan): void {
  if (next.conclusion !== undefined || isHalted(next) || next.drafting.phase !== "sealed") return;
  if (openGate(next) !== undefined) return;
  if (next.total === next.done) {
    if (next.joining.phase === "requested" || next.critique !== undefined || awaitsFacts(next)) return;
    if (searchOn(next)) return;
    if (next.replansExceeded !== undefined) {
      const reason = next.replansExceeded;
      conclude(next, { outcome: "failed", reason, answer: partialAnswer(next, `${reason}.`) });
      return;
    }
    const failure = modelFailureOf(next);
    if (failure !== undefined) {
      conclude(next, { outcome: "failed", reason: failure, answer: failureAnswer(next, failure) });
      return;
    }
    const answer = isToBeRewritten(next) ? undefined : answerFrom(next);
    if (answer === undefined) requestJoin(next);
    else if (!offerAnswer(next, answer))
      conclude(next, { outcome: "succeeded", reason: "the plan named its answer", answer });
  } else if (isStuck(next)) {
    const reason = "no remaining step can ever run: its dependencies are unknown or form a cycle";
    conclude(next, { outcome: "failed", reason, answer: failureAnswer(next, reason) });
  }
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
  // Waiting for its turn, or for more of a budget that then ends the plan.
  if (next.budget !== undefined && next.budget.plain.size + next.budget.metered.size > 0) return false;
  // Those whose dependents were skipped for another reason, or cancelled, have nothing left to skip.
  return !next.unskipped.keySeq().some((stepId) => hasOpenDependents(next, stepId));
}

/** Decides the plan's end, which comes as soon as the plan is not halted. */
export function conclude(
  next: NextPlan,
  end: { outcome: Outcome; reason: string; answer?: Answer; answerRecorded?: boolean },
): void {
  const answerRecorded = end.answerRecorded ?? end.answer === undefined;
  const conclusion: Conclusion = { ...end, answerRecorded };
  next.conclusion = conclusion;
  dropCritique(next);
  stopProcessing(next);
  proceedToEnd(next);
}

/** Has the sub-plans end and what has to be undone undone, then has the owner record the answer, if it has not been recorded, and the end. */
export function proceedToEnd(next: NextPlan): void {
  if (next.conclusion === undefined || isHalted(next)) return;
  if (awaitsSubPlans(next) || undoFirst(next)) return;
  next.due.push({ kind: next.conclusion.answerRecorded ? "end" : "answer" });
}

/** The answer of a plan that could not do its job: the reason, and what is missing. */
export function failureAnswer(next: NextPlan, reason: string): Answer {
  const missing = missingResults(next);
  return {
    text: missing === "" ? reason : `${reason}\n\n${missing}`,
    status: "failed",
    sources: [],
    artifacts: next.artifacts.toArray(),
  };
}
