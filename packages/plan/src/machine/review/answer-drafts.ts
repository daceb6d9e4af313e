/** Drafts of the answer: offered to a critic as long as one is asked for, and kept in case nothing better comes. */
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { Answer } from "../../events/values.ts";
import { answerReviewOf } from "./review-policy.ts";
import { askForCritique, dropCritique } from "./critiques.ts";
import { keepAnswer } from "../ending/partial-answer.ts";

/** Has an answer judged; false when it is to be given as it is. */
export function offerAnswer(next: NextPlan, answer: Answer): boolean {
  if (!isAnswerJudged(next)) return false;
  const { count = 0, best } = next.answering ?? {};
  const draft = count + 1;
  next.answering = { count: draft, current: answer, ...(best === undefined ? {} : { best }) };
  keepAnswer(next, best?.answer ?? answer);
  askForCritique(next, { of: "answer", draft, review: 1 });
  return true;
}

/** Whether the next draft of the answer is judged before it is given. */
export function isAnswerJudged({ goal, answering }: Pick<KnownPlan, "goal" | "answering">): boolean {
  const policy = answerReviewOf(goal);
  return policy !== undefined && (answering?.count ?? 0) < policy.maxIterations;
}

/** Whether the last draft was rejected and the next one is to be written from the results. */
export function isToBeRewritten({ answering }: Pick<KnownPlan, "answering">): boolean {
  return answering?.feedback !== undefined;
}

/** The best draft so far; undefined when there is none. */
export function draftedAnswer({ answering }: Pick<KnownPlan, "answering">): Answer | undefined {
  return answering?.best?.answer ?? answering?.current;
}

/** The results that the drafts were made of are no longer what they were. */
export function forgetDrafts(next: NextPlan): void {
  if (next.answering === undefined) return;
  dropCritique(next);
  next.answering = { count: next.answering.count };
}
