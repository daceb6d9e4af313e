/** What is seen of the judgement of a step's output. */
import { z } from "zod";
import { definedOnly } from "./defined-only.ts";
import { Findings, Verdict } from "./events/review-events.ts";
import type { AnswerCritiqueRecord, CritiqueRecord } from "./state/critique-state.ts";
import type { ReviewRecord } from "./state/review-state.ts";

export const ReviewView = z.object({
  /** The attempt whose output was judged. */
  attempt: z.int(),
  verdict: Verdict,
  ...Findings,
  /** Why there is no judgement. */
  message: z.string().optional(),
});
export type ReviewView = z.infer<typeof ReviewView>;

export function reviewView({ issues, ...about }: ReviewRecord): ReviewView {
  return definedOnly<ReviewView>({ ...about, issues: [...issues] });
}

/** What is seen of the judgement of a whole draft. */
export const CritiqueView = ReviewView.omit({ attempt: true }).extend({
  /** The draft that was judged. */
  draft: z.int(),
  at: z.string(),
});
export type CritiqueView = z.infer<typeof CritiqueView>;

export function critiqueView({ issues, ...about }: CritiqueRecord): CritiqueView {
  return definedOnly<CritiqueView>({ ...about, issues: [...issues] });
}

/** What is seen of the judgement of a draft of the answer. */
export const AnswerReviewView = CritiqueView.extend({
  /** The start of what was judged. */
  text: z.string(),
});
export type AnswerReviewView = z.infer<typeof AnswerReviewView>;

export function answerReviewView({ issues, ...about }: AnswerCritiqueRecord): AnswerReviewView {
  return definedOnly<AnswerReviewView>({ ...about, issues: [...issues] });
}
