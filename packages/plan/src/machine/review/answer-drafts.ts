/** Drafts of the answer: reviewed if the goal requests that, and kept in case no better one follows. */
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { Answer } from "../../events/values.ts";
import { answerReviewOf } from "./review-gates.ts";
import { askForCritique, dropCritique } from "./critiques.ts";
import { keepAnswer } from "../ending/partial-answer.ts";

/** Requests a review of an answer. Returns false if the answer is to be given without one. */
export function offerAnswer(next: NextPlan, answer: Answer): boolean {
  if (!isAnswerJudged(next)) return false;
  const { count = 0, best } = next.answering ?? {};
  const draft = count + 1;
  next.answering = { count: draft, current: answer, ...(best === undefined ? {} : { best }) };
  keepAnswer(next, best?.answer ?? answer);
  askForCritique(next, { of: "answer", draft, review: 1 });
  return true;
}

/** Whether the next draft of the answer is reviewed before it is given. */
export function isAnswerJudged({ goal, answering }: Pick<KnownPlan, "goal" | "answering">): boolean {
  const policy = answerReviewOf(goal);
  return policy !== undefined && (answering?.count ?? 0) < policy.maxIterations;
}

/** Whether the last draft was rejected and the next one is to be written from the results. */
export function isToBeRewritten({ answering }: Pick<KnownPlan, "answering">): boolean {
  return answering?.feedback !== undefined;
}

/** Returns the best draft so far; undefined if there is none. */
export function draftedAnswer({ answering }: Pick<KnownPlan, "answering">): Answer | undefined {
  return answering?.best?.answer ?? answering?.current;
}

/** Drops the drafts, because the results that they were based on have changed. */
export function forgetDrafts(next: NextPlan): void {
  if (next.answering === undefined) return;
  dropCritique(next);
  next.answering = { count: next.answering.count };
}
