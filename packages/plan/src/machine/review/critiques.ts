/** Critiques: judgements of whole drafts, asked for and over. A plan waits for at most one at a time. */
import type { NextPlan } from "../plan-state.ts";
import { MODEL_UNAVAILABLE, type ModelTries, isNewer } from "../../events/model-events.ts";
import type { PlanReviewed, StepReviewed } from "../../events/review-events.ts";
import { forfeitReserve, countWork } from "../budget/budget-ledger.ts";
import { GROWS } from "../budget/budget-needs.ts";
import { type Critique, critiqueHolder, type CritiqueRecord } from "./critique-state.ts";
import { pauseForModel, triesKept } from "../model-outage.ts";

/** How many times a review of one draft is started when the reviewer never finishes it. */
const CRITIQUES_MAX = 3;

export function askForCritique(next: NextPlan, critique: Critique): void {
  next.critique = critique;
}

/** Notes how far a critique has come in its limits. */
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
 * Takes in what a critic has said.
 *
 * @returns Undefined when the plan does not wait for it; `again` when it is asked for once more.
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

/** Whether a judgement that did not come about is asked for once more, now or when the plan is resumed. */
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

/** What a critic has said, as a sentence. */
export function saidOf(issues: readonly string[], suggestion: string): string {
  const said = issues.length === 0 ? "nothing more was said" : issues.join("; ");
  return suggestion === "" ? said : `${said}. Suggestion: ${suggestion}`;
}
