/** What happens when a plan's budget is reached. */
import type { NextPlan } from "../plan-state.ts";
import { answerFrom } from "../ending/answer-from.ts";
import type { Answer } from "../../events/values.ts";
import { partialAnswer } from "../ending/partial-answer.ts";
import { hintStop } from "../changes.ts";
import { draftedAnswer } from "../review/answer-drafts.ts";
import { askForMore } from "./budget-ask.ts";
import { reasonOf } from "./budget-reason.ts";
import { conclude } from "../ending/conclusion.ts";
import { stopPlan } from "../stop-plan.ts";

/** The plan's time is over. Returns whether the timer was the budget's. */
export function expireBudget(next: NextPlan, timer: string): boolean {
  const { budget } = next;
  if (budget?.deadline?.timer !== timer) return false;
  const { deadline: _over, ...rest } = budget;
  next.budget = { ...rest, isTimeUp: true, exhausted: rest.exhausted ?? "seconds" };
  return true;
}

/**
 * Asks for more when the budget is reached and is set to ask. Otherwise ends the plan with the results so far: once the
 * work in flight has ended or, when the time is up, immediately.
 */
export function endWhenIdle(next: NextPlan): void {
  const { budget } = next;
  const drafted = budget?.exhausted === undefined ? undefined : draftedAnswer(next);
  if (drafted !== undefined) {
    hintStop(next);
    const reason = "the budget left nothing to judge the answer by, or to make it better";
    conclude(next, { ending: "complete", reason, answer: drafted });
    return;
  }
  if (askForMore(next)) return;
  if (budget?.exhausted === undefined) return;
  if (budget.isTimeUp !== true && next.inFlight + next.judging > 0) return;
  const reason = reasonOf(budget, budget.exhausted);
  stopPlan(next, reason);
  conclude(next, { ending: "incomplete", reason, answer: answerSoFar(next, reason) });
}

/** The plan's own answer when it is there, else the best one that a join has given, else the results as they are. */
function answerSoFar(next: NextPlan, reason: string): Answer {
  const own = answerFrom(next) ?? next.partialAnswer;
  if (own === undefined) return partialAnswer(next, `The plan ended early: ${reason}.`);
  return { ...own, status: "partial", text: `${own.text}\n\nThe plan ended early: ${reason}.` };
}
