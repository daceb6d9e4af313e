/**
 * How the outputs of steps are reviewed: succeeded → reviewing → accepted, retried, kept as the best, or failed.
 *
 * A step under review occupies no worker. Its dependents wait until its output is accepted.
 *
 * Invariants:
 *   REVIEW-1. Reviews cause fewer than `maxIterations` retries of a step.
 *   REVIEW-2. An attempt is reviewed at most {@link REVIEWS_MAX} times; after that its output is accepted unchanged.
 */
import type { NextPlan, StepEntry } from "../plan-state.ts";
import type { StepReviewed } from "../../events/review-events.ts";
import type { StepReview } from "./review-policy.ts";
import { countWork } from "../budget/budget-ledger.ts";
import { GROWS, reviewNeed } from "../budget/budget-needs.ts";
import { mayAskAgain, saidOf } from "./critiques.ts";
import { triesKept } from "../model-outage.ts";
import {
  acceptedAs,
  keptOf,
  type ReviewRecord,
  type Reviewing,
  type Succeeded,
  reviewHolder,
} from "./review-state.ts";
import { EXPECTATION_MISSED, reviseAfterLoss } from "../links/loss.ts";
import { requestRevision } from "../drafting/revisions.ts";
import { isTied } from "../links/ties.ts";
import { offer } from "../links/verification.ts";
import { makeReady, settle } from "../step/step-transitions.ts";
import { setState } from "../step/runs.ts";
import { awaitAllotment } from "../budget/budget-shares.ts";
import { stepReviewOf } from "./review-gates.ts";

/** How often a review of one output is started if the reviewer never finishes it. */
const REVIEWS_MAX = 3;
const SHOWN_CHARS_MAX = 2_000;
/** An output that was rejected without a score is better than none. */
const SCORE_UNKNOWN = 0;

type ReviewingEntry = StepEntry & { readonly state: Reviewing };

/** Accepts the output of a step: immediately, or after its review. */
export function deliver(next: NextPlan, entry: StepEntry, state: Succeeded): void {
  if (stepReviewOf(next.goal, entry.step, entry.grant) === undefined) {
    offer(next, entry, state);
    return;
  }
  askForReview(next, entry, { ...state, status: "reviewing", review: 1 });
}

/** Keeps the best earlier output after an attempt to improve it has failed. Returns whether there was one. */
export function keepBest(next: NextPlan, entry: StepEntry): boolean {
  const policy = stepReviewOf(next.goal, entry.step, entry.grant);
  const kept = keptOf({ state: entry.state, best: entry.best });
  if (entry.best === undefined || kept === undefined || policy?.onMiss !== "keep") return false;
  offer(next, entry, kept);
  return true;
}

/** Returns how many attempts of a step were caused by its reviews. */
export function reviewedAttempts({ reviews }: StepEntry): number {
  return reviews?.filter(({ verdict }) => verdict === "rejected").length ?? 0;
}

export function reviewStep(next: NextPlan, { data, at }: StepReviewed): boolean {
  const entry = reviewingEntry(next, data);
  if (entry === undefined) return false;
  const { state } = entry;
  countWork(next, reviewHolder(data), {
    usage: data.usage,
    forfeited: data.forfeited,
    spent: data.cause === "allowance_spent" ? GROWS.review : undefined,
  });
  if (data.verdict === "unjudged" && mayAskAgain(next, { data, at }, REVIEWS_MAX)) {
    const { tries, ...asked } = state;
    askForReview(next, entry, { ...asked, ...triesKept(data.cause, tries), review: state.review + 1 });
    return true;
  }
  const { attempt, verdict, score, confidence, issues, suggestion, message } = data;
  const judged = { attempt, verdict, score, confidence, issues, suggestion, message };
  const reviewed = { ...entry, reviews: [...(entry.reviews ?? []), judged] };
  if (verdict === "rejected") reject(next, reviewed, judged);
  else accept(next, reviewed, data);
  return true;
}

function accept(
  next: NextPlan,
  entry: ReviewingEntry,
  { replan, issues, suggestion }: StepReviewed["data"],
): void {
  const { id: stepId } = entry.step;
  if (replan === true) {
    // Before the step's dependents become ready: the revision may drop them.
    const reason = `${nameOf(entry)} shows that the rest of the plan no longer fits: ${saidOf(issues, suggestion)}`;
    requestRevision(next, { cause: "requires_replan", stepId, reason });
  }
  offer(next, entry, acceptedAs(entry.state));
}

function reject(next: NextPlan, entry: ReviewingEntry, judged: ReviewRecord): void {
  const policy = stepReviewOf(next.goal, entry.step, entry.grant) ?? LAST;
  const best = betterOf(entry, judged);
  const tried = { ...entry, best };
  if (reviewedAttempts(entry) < policy.maxIterations) {
    const { issues, suggestion } = judged;
    const feedback = { output: entry.state.output, issues, suggestion };
    makeReady(next, { ...tried, feedback }, entry.state.attempt + 1);
    return;
  }
  if (policy.onMiss === "keep") {
    offer(next, tried, { ...best.state, attempt: entry.state.attempt });
    return;
  }
  miss(next, tried, judged);
}

/** Used if the goal requests no review any more: no real log contains this, but one that does is accepted. */
const LAST: StepReview = { maxIterations: 1, onMiss: "keep" };

function miss(next: NextPlan, entry: ReviewingEntry, { issues, suggestion }: ReviewRecord): void {
  const { review: _review, for: _for, tries: _tries, output: _output, ...end } = entry.state;
  const said = saidOf(issues, "");
  const error = { code: EXPECTATION_MISSED, message: said.slice(0, SHOWN_CHARS_MAX) };
  settle(next, entry, { ...end, status: "failed", error });
  if (!isTied(next, entry)) reviseAfterLoss(next, entry.step.id, suggestion);
}

/** Of two outputs with the same score, the later one wins: it was written to be better. */
function betterOf({ best, state }: ReviewingEntry, { score = SCORE_UNKNOWN }: ReviewRecord) {
  return best !== undefined && best.score > score ? best : { score, state: acceptedAs(state) };
}

function askForReview(next: NextPlan, entry: StepEntry, state: Reviewing): void {
  if (next.budget === undefined) {
    setState(next, entry, state);
    return;
  }
  setState(next, entry, { ...state, for: "budget" });
  awaitAllotment(next, entry, { stepId: entry.step.id, need: reviewNeed(next.budget, entry, state.output) });
}

function reviewingEntry(
  next: NextPlan,
  { stepId, item, attempt, review }: StepReviewed["data"],
): ReviewingEntry | undefined {
  const entry = item === 0 ? next.steps.get(stepId) : undefined;
  if (entry?.state.status !== "reviewing" || entry.state.for !== undefined) return undefined;
  const { state } = entry;
  return state.attempt === attempt && state.review === review ? { ...entry, state } : undefined;
}

function nameOf({ step }: StepEntry): string {
  return step.description === "" ? `Step ${step.id}` : `Step ${step.id} (${step.description})`;
}
