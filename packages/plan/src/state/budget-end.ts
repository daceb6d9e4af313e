/** What happens when a plan's budget is reached. */
import { answerFrom } from "../answer-from.ts";
import type { Answer } from "../events/values.ts";
import { partialAnswer } from "../partial-answer.ts";
import { type BudgetState, type Limited, toUsd } from "./budget-ledger.ts";
import { conclude } from "./conclusion.ts";
import { cancelSteps, type NextPlan } from "./step-transitions.ts";

/** The plan's time is over. Returns whether the timer was the budget's. */
export function expireBudget(next: NextPlan, timer: string): boolean {
  const { budget } = next;
  if (budget?.deadline?.timer !== timer) return false;
  const { deadline: _over, ...rest } = budget;
  next.budget = { ...rest, exhausted: "seconds" };
  return true;
}

/** Ends a plan whose budget is reached with what there is, once the work in flight has come back; when its time is over, at once. */
export function endWhenIdle(next: NextPlan): void {
  const { budget } = next;
  if (budget?.exhausted === undefined) return;
  if (budget.exhausted !== "seconds" && next.inFlight > 0) return;
  const reason = reasonOf(budget, budget.exhausted);
  const stopped = cancelSteps(next, reason, () => true);
  next.queue = next.queue.clear();
  next.held = next.held.clear();
  next.unskipped = next.unskipped.clear();
  next.timers = next.timers.clear();
  // What this fact has asked for so far is not wanted any more.
  const isStopping = next.due.some(({ kind }) => kind === "stop");
  next.due = [];
  const isAtWork = next.drafting.phase !== "sealed" || next.joining.phase === "requested";
  if (isStopping || stopped > 0 || isAtWork) next.due.push({ kind: "stop" });
  next.drafting = { ...next.drafting, phase: "sealed" };
  conclude(next, { outcome: "failed", reason, answer: answerSoFar(next, reason) });
}

/** The plan's own answer when it is there, else the best one that a join has given, else the results as they are. */
function answerSoFar(next: NextPlan, reason: string): Answer {
  const own = answerFrom(next) ?? next.partialAnswer;
  if (own === undefined) return partialAnswer(next, `The plan ended early: ${reason}.`);
  return { ...own, status: "partial", text: `${own.text}\n\nThe plan ended early: ${reason}.` };
}

/** Names the budget, in a sentence without its full stop. */
function reasonOf(budget: BudgetState, exhausted: Limited): string {
  const { limit, used, forfeited } = budget;
  switch (exhausted) {
    case "steps":
      return `the budget of ${limit.steps} steps was reached`;
    case "seconds":
      return `the budget of ${limit.seconds} seconds was reached`;
    case "tokens": {
      const spent = used.tokens + forfeited.tokens;
      return `the budget of ${limit.tokens} tokens was reached: ${spent} are used, and what is left is too little to go on`;
    }
    case "usd": {
      const spent = toUsd(used.nanoUsd + forfeited.nanoUsd);
      return `the budget of ${toUsd(limit.nanoUsd ?? 0)} US dollars was reached: ${spent} are used, and what is left is too little to go on`;
    }
    default:
      exhausted satisfies never;
      return "the budget was reached";
  }
}
