/**
 * How a plan's first draft is reviewed before it runs: sealed → reviewing → released, or improved once.
 *
 * An improvement is a revision with two differences: it does not count against the plan's revision limit, and if it
 * fails, the rejected draft runs.
 *
 * Invariants:
 *   IMPROVEMENT-1. No step of a draft runs while the draft is written, reviewed or improved.
 *   IMPROVEMENT-2. At most one draft is improved: the improved one runs whatever its review says.
 */
import type { NextPlan } from "../plan-state.ts";
import type { PlanReviewed } from "../../events/review-events.ts";
import { planReviewOf } from "./review-gates.ts";
import { isUnderReview } from "./under-review.ts";
import { askForCritique, endCritique, saidOf } from "./critiques.ts";
import { releaseDraft } from "../drafting/release-draft.ts";
import { requestRevision, forgetRevisions } from "../drafting/revisions.ts";
import { judgeDraft, closeDraft } from "../drafting/request-draft.ts";

/** Requests a review of the draft that has just been sealed. Returns false if it is to run without one. */
export function reviewDraft(next: NextPlan): boolean {
  const { number: draft, revision } = next.drafting;
  if (!isUnderReview(next) || (revision > 0 && planReviewOf(next.goal)?.again !== true)) return false;
  judgeDraft(next);
  askForCritique(next, { of: "plan", draft, review: 1 });
  return true;
}

export function reviewPlan(next: NextPlan, event: PlanReviewed): boolean {
  const judged = endCritique(next, "plan", event);
  if (judged === undefined) return false;
  if (judged === "again") return true;
  const { verdict, issues, suggestion } = judged;
  next.planReviews = [...(next.planReviews ?? []), judged];
  closeDraft(next);
  if (verdict === "rejected" && next.drafting.revision === 0) {
    const reason = `the draft was judged before anything of it ran, and rejected: ${saidOf(issues, suggestion)}`;
    requestRevision(next, { cause: "critique", reason });
  }
  if (next.drafting.phase === "sealed") releaseDraft(next, judged.draft);
  return true;
}

/** Runs the rejected draft, because it cannot be improved. Returns false if no improvement was in progress. */
export function keepRejected(next: NextPlan): boolean {
  if (next.drafting.cause !== "critique") return false;
  closeDraft(next);
  forgetRevisions(next, ({ cause }) => cause === "critique");
  releaseDraft(next, next.drafting.number);
  return true;
}
