/** What is seen of the judgement of a step's output. */
import { z } from "zod";
import { definedOnly } from "../values/defined-only.ts";
import { Findings, Verdict } from "../events/review-events.ts";
import type { AnswerCritiqueRecord, CritiqueRecord } from "../machine/review/critique-state.ts";
import type { ReviewRecord } from "../machine/review/review-state.ts";

export const ReviewView = z.object({
  attempt: z.int().meta({ description: "The attempt whose output was reviewed." }),
  verdict: Verdict,
  ...Findings,
  message: z.string().optional().meta({ description: "Why the review was not possible." }),
});
export type ReviewView = z.infer<typeof ReviewView>;

export function reviewView({ issues, ...about }: ReviewRecord): ReviewView {
  return definedOnly<ReviewView>({ ...about, issues: [...issues] });
}

/** What is seen of the judgement of a whole draft. */
export const CritiqueView = ReviewView.omit({ attempt: true }).extend({
  draft: z.int().meta({ description: "The draft that was reviewed." }),
  at: z.string(),
});
export type CritiqueView = z.infer<typeof CritiqueView>;

export function critiqueView({ issues, ...about }: CritiqueRecord): CritiqueView {
  return definedOnly<CritiqueView>({ ...about, issues: [...issues] });
}

/** What is seen of the judgement of a draft of the answer. */
export const AnswerReviewView = CritiqueView.extend({
  text: z.string().meta({ description: "The start of the reviewed text." }),
});
export type AnswerReviewView = z.infer<typeof AnswerReviewView>;

export function answerReviewView({ issues, ...about }: AnswerCritiqueRecord): AnswerReviewView {
  return definedOnly<AnswerReviewView>({ ...about, issues: [...issues] });
}
