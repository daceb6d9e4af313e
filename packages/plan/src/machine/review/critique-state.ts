/** What is kept of the judgements of whole drafts. */
import type { ModelTries } from "../../events/model-events.ts";
import type { PlanReviewed } from "../../events/review-events.ts";
import type { Answer } from "../../events/values.ts";

/** A judgement of a draft that the plan waits for. */
export type Critique = {
  readonly of: "plan" | "answer";
  readonly draft: number;
  /** How often it was asked for, from 1. */
  readonly review: number;
  readonly tries?: ModelTries;
};

export type CritiqueRecord = Pick<
  PlanReviewed["data"],
  "draft" | "verdict" | "score" | "confidence" | "issues" | "suggestion" | "message"
> & { readonly at: string };

/** The start of the text that was judged is kept with what was said of it. */
export type AnswerCritiqueRecord = CritiqueRecord & { readonly text: string };

/** Drafts of the answer, when it is judged before it is given. */
export type AnswerDrafts = {
  /** How many there were. */
  readonly count: number;
  /** The last one; absent when the results have changed since. */
  readonly current?: Answer;
  /** The best of those that were rejected. */
  readonly best?: { readonly score: number; readonly answer: Answer };
  /** What was said of the last one, when it is to be written again. */
  readonly feedback?: { readonly issues: readonly string[]; readonly suggestion: string };
};

/** The name under which a critique's reserve is held; ids have no tilde. */
export function critiqueHolder({ of, draft, review }: Critique): string {
  return `~${of}/${draft}/review/${review}`;
}
