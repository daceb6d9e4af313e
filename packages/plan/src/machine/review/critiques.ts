/** Critiques: reviews of whole drafts, from request to end. A plan waits for at most one at a time. */
import type { NextPlan } from "../plan-state.ts";
import type { ModelTries } from "../../events/model-events.ts";
import type { PlanReviewed, StepReviewed } from "../../events/review-events.ts";
import { forfeitReserve, countWork } from "../budget/budget-ledger.ts";
import { GROWS } from "../budget/budget-needs.ts";
import { type Critique, critiqueHolder, type CritiqueRecord } from "./critique-state.ts";
import { pauseForModel, triesKept, isNewer } from "../model-outage.ts";
import { MODEL_UNAVAILABLE } from "../../values/codes.ts";

/** How often a review of one draft is started if the reviewer never finishes it. */
const CRITIQUES_MAX = 3;

export function askForCritique(next: NextPlan, critique: Critique): void {
  next.critique = critique;
}

/** Records a critique's failed tries on its model server. */
export function noteCritiqueTries(
  next: NextPlan,
  { of, draft, review }: Pick<Critique, "of" | "draft" | "review">,
  tries: ModelTries,
): boolean {
  const { critique } = next;
  const isWanted = critique?.of === of && critique.draft === draft && critique.review === review;
  if (!isWanted || !isNewer(critique.tries, tries)) return false;
  next.critique = { ...critique, tries };
  return true;
}

/**
 * Applies the result of a critique.
 *
 * @returns Undefined if the plan does not wait for it; `again` if it is requested again.
 */
export function endCritique(
  next: NextPlan,
  of: Critique["of"],
  { data, at }: Pick<PlanReviewed, "data" | "at">,
): CritiqueRecord | "again" | undefined {
  const { critique } = next;
  const isWanted = critique?.of === of && critique.draft === data.draft && critique.review === data.review;
  if (!isWanted || next.conclusion !== undefined) return undefined;
  const { draft, verdict, score, confidence, issues, suggestion, message, cause } = data;
  const { usage, forfeited } = data;
  const spent = cause === "allowance_spent" ? GROWS.critique : undefined;
  countWork(next, critiqueHolder(critique), { usage, forfeited, spent });
  if (verdict === "unjudged" && mayAskAgain(next, { data, at }, CRITIQUES_MAX)) {
    const { tries, ...asked } = critique;
    askForCritique(next, { ...asked, ...triesKept(cause, tries), review: critique.review + 1 });
    return "again";
  }
  delete next.critique;
  return { draft, verdict, score, confidence, issues, suggestion, message, at };
}

/** Whether a review that did not take place is requested again, now or when the plan resumes. */
export function mayAskAgain(
  next: NextPlan,
  { data, at }: Pick<PlanReviewed, "data" | "at"> | Pick<StepReviewed, "data" | "at">,
  reviewsMax: number,
): boolean {
  const { cause, review, message = "", retryAfterMs } = data;
  if (cause === MODEL_UNAVAILABLE) return pauseForModel(next, { message, at, retryAfterMs });
  return (cause === "allowance_spent" || cause === "interrupted") && review < reviewsMax;
}

/** Drops the review, because the plan ends without it. */
export function dropCritique(next: NextPlan): void {
  if (next.critique === undefined) return;
  forfeitReserve(next, critiqueHolder(next.critique));
  delete next.critique;
}

/** Returns the issues and suggestion of a critique as a sentence. */
export function saidOf(issues: readonly string[], suggestion: string): string {
  const said = issues.length === 0 ? "nothing more was said" : issues.join("; ");
  return suggestion === "" ? said : `${said}. Suggestion: ${suggestion}`;
}
