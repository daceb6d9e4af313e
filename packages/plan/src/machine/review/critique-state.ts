/** The state of the reviews of whole drafts. */
import type { ModelTries } from "../../events/model-events.ts";
import type { PlanReviewed } from "../../events/review-events.ts";
import type { Answer } from "../../events/values.ts";

/** The review of a draft that the plan waits for. */
export type Critique = {
  readonly of: "plan" | "answer";
  readonly draft: number;
  /** How often it was requested, from 1. */
  readonly review: number;
  readonly tries?: ModelTries;
};

export type CritiqueRecord = Pick<
  PlanReviewed["data"],
  "draft" | "verdict" | "score" | "confidence" | "issues" | "suggestion" | "message"
> & { readonly at: string };

/** A review of an answer, with the start of the reviewed text. */
export type AnswerCritiqueRecord = CritiqueRecord & { readonly text: string };

/** Drafts of the answer, if it is reviewed before it is given. */
export type AnswerDrafts = {
  /** How many drafts there were. */
  readonly count: number;
  /** The last draft; absent if the results have changed since. */
  readonly current?: Answer;
  /** The best of the rejected drafts. */
  readonly best?: { readonly score: number; readonly answer: Answer };
  /** The review of the last draft, if that draft has to be rewritten. */
  readonly feedback?: { readonly issues: readonly string[]; readonly suggestion: string };
};

/** Returns the name under which a critique's reserve is held; ids have no tilde. */
export function critiqueHolder({ of, draft, review }: Critique): string {
  return `~${of}/${draft}/review/${review}`;
}
