/** What is kept of the judgements of whole drafts. */
import type { PlanReviewed } from "../events/review-events.ts";
import type { CritiqueWork } from "../work.ts";

/** A judgement of a draft that the plan waits for. */
export type Critique = {
  readonly of: CritiqueWork["of"];
  readonly draft: number;
  /** How often it was asked for, from 1. */
  readonly review: number;
};

export type CritiqueRecord = Pick<
  PlanReviewed["data"],
  "draft" | "verdict" | "score" | "confidence" | "issues" | "suggestion" | "message"
> & { readonly at: string };

/** The name under which a critique's reserve is held; ids have no tilde. */
export function critiqueHolder({ of, draft, review }: Critique): string {
  return `~${of}/${draft}/review/${review}`;
}
