/**
 * How a plan's answer is reviewed before it is given: drafted → accepted, rewritten, or the best draft kept.
 *
 * Invariants:
 *   ANSWER-1. At most `maxIterations` drafts of an answer are reviewed.
 *   ANSWER-2. If none is accepted, the one with the best score is given; of two with the same score, the later one.
 */
import type { NextPlan } from "../plan-state.ts";
import type { AnswerDrafted } from "../../events/outcome-events.ts";
import type { AnswerReviewed } from "../../events/review-events.ts";
import type { Answer } from "../../events/values.ts";
import { answerReviewOf } from "./review-gates.ts";
import { offerAnswer } from "./answer-drafts.ts";
import { conclude } from "../ending/conclusion.ts";
import { endCritique } from "./critiques.ts";
import { endJoin, isRequested, requestJoin } from "../ending/joins.ts";
import { keepAnswer } from "../ending/partial-answer.ts";

const SHOWN_CHARS_MAX = 1_000;
/** A draft that was rejected without a score is better than none. */
const SCORE_UNKNOWN = 0;

/** Handles an answer that a reflector has written and that needs a review. */
export function draftAnswer(next: NextPlan, { data }: AnswerDrafted): boolean {
  if (!isRequested(next, data.join)) return false;
  endJoin(next, data.join, data);
  if (!offerAnswer(next, data.answer)) give(next, data.answer, "the results were reviewed");
  return true;
}

export function reviewAnswer(next: NextPlan, event: AnswerReviewed): boolean {
  const current = next.answering?.current;
  if (current === undefined) return false;
  const judged = endCritique(next, "answer", event);
  if (judged === undefined) return false;
  if (judged === "again") return true;
  const text = current.text.slice(0, SHOWN_CHARS_MAX);
  next.answerReviews = [...(next.answerReviews ?? []), { ...judged, text }];
  const { verdict, score = SCORE_UNKNOWN, issues, suggestion } = judged;
  if (verdict !== "rejected") {
    give(next, current, verdict === "accepted" ? "the answer was judged" : "the answer could not be judged");
    return true;
  }
  const { count = 0, best: before } = next.answering ?? {};
  const best = before !== undefined && before.score > score ? before : { score, answer: current };
  if (count >= (answerReviewOf(next.goal)?.maxIterations ?? 0)) {
    give(next, best.answer, `none of ${count} drafts of the answer was accepted, and the best one is given`);
    return true;
  }
  next.answering = { count, current, best, feedback: { issues, suggestion } };
  keepAnswer(next, best.answer);
  requestJoin(next);
  return true;
}

function give(next: NextPlan, answer: Answer, reason: string): void {
  conclude(next, { ending: "complete", reason, answer });
}
