/** How events about attempts change the timeline. */
import { PLAN_RUN } from "../../language/tool-names.ts";
import { stepReviewOf } from "../../machine/review/review-gates.ts";
import type { StepFailed, StepStarted, StepSucceeded } from "../../events/step-events.ts";
import {
  awaitDecision,
  endAttempt,
  type EventOf,
  failAttempt,
  openRun,
  settleItem,
  settleWhole,
  workKind,
} from "./attempts.ts";
import { beginWork, endWork, enter } from "./course.ts";
import { type Fold, newRun, runsOf, type StepFold } from "./fold.ts";
import { makeReady, offer, settleRun, settleStep, startItems } from "./readiness.ts";

export function start(fold: Fold, event: StepStarted, atMs: number): void {
  fold.starts += 1;
  const run = openRun(fold, event);
  if (run === undefined) return;
  const { attempt, subPlan } = event.data;
  run.state = "working";
  run.attempt = attempt;
  run.start = fold.starts;
  if (subPlan !== undefined) run.child = subPlan;
  beginWork(run, { kind: workKind(run), attempt }, atMs);
}

export function succeed(fold: Fold, event: StepSucceeded, atMs: number): void {
  const run = openRun(fold, event);
  if (run === undefined) return;
  const workMs = endAttempt(fold, run, event);
  if (event.data.undo === true) settleRun(fold, run, "succeeded", workMs);
  else if (run.item !== undefined) settleItem(fold, run, "succeeded", { workMs, atMs });
  else if (stepReviewOf(fold.goal, run.of.step, run.of.grant) === undefined)
    offer(fold, run.of, event.data.output, { workMs, atMs });
  else {
    run.state = "reviewing";
    run.output = event.data.output;
    enter(run, { kind: "reviewing" }, workMs);
  }
}

export function fail(fold: Fold, event: StepFailed, atMs: number): void {
  const run = openRun(fold, event);
  if (run === undefined) return;
  const { retryable } = event.data;
  failAttempt(fold, run, { workMs: endAttempt(fold, run, event), atMs, retryable });
}

export function expand(fold: Fold, { data }: EventOf<"step.expanded">, atMs: number): void {
  const entry = fold.steps.get(data.stepId);
  if (entry === undefined || entry.run.state === "settled") return;
  entry.run.state = "working";
  enter(entry.run, { kind: "items" }, atMs);
  entry.items = Array.from({ length: data.items }, (_, item) => newRun(entry, atMs, item));
  startItems(fold, entry, atMs);
  settleWhole(fold, entry, atMs);
}

/** How often a review that does not finish is repeated for one output. */
const REVIEWS_MAX = 3;

type Judgement = EventOf<"step.reviewed">["data"] | EventOf<"plan.reviewed">["data"];

/** Whether the review has no result yet, and another one is requested. */
export function isAskedAgain({ verdict, cause, review: times }: Judgement): boolean {
  const mayAskAgain = cause === "allowance_spent" || cause === "interrupted";
  return verdict === "unjudged" && mayAskAgain && times < REVIEWS_MAX;
}

export function review(fold: Fold, { data }: EventOf<"step.reviewed">, atMs: number): void {
  const entry = fold.steps.get(data.stepId);
  if (entry?.run.state !== "reviewing" || entry.shown === true) return;
  const { run } = entry;
  if (isAskedAgain(data)) return;
  const at = { workMs: atMs, atMs };
  if (data.verdict !== "rejected") {
    offer(fold, entry, run.output, at);
    return;
  }
  run.rejected += 1;
  const policy = stepReviewOf(fold.goal, entry.step, entry.grant);
  if (policy !== undefined && run.rejected < policy.maxIterations) {
    run.attempt += 1;
    makeReady(fold, run, atMs);
  } else if (policy?.onMiss === "revise") settleStep(fold, entry, "failed", at);
  else offer(fold, entry, run.output, at);
}

export function skip(fold: Fold, { data }: EventOf<"step.skipped">, atMs: number): void {
  for (const id of data.stepIds) {
    const entry = fold.steps.get(id);
    if (entry === undefined || goesOn(entry, data.passedOver)) continue;
    if (data.passedOver === true) entry.passedOver = true;
    entry.skippedFor = data.because;
    settleStep(fold, entry, "skipped", { workMs: atMs, atMs });
  }
}

/** A run that was sent to a worker or awaits a decision is not skipped: a verification may begin before its step fails. */
function goesOn({ run: { state, wasReady }, step }: StepFold, passedOver: true | undefined): boolean {
  if (state === "settled" || state === "working") return true;
  // The event that skips a step with a condition decides whether it runs.
  if (passedOver === true || step.when !== undefined) return false;
  return state === "ready" || state === "asked" || (state === "waiting" && wasReady === true);
}

/** Ends the attempts that are overdue. `starts` identifies them by their start order. */
export function expire(fold: Fold, starts: readonly number[], atMs: number): void {
  const overdue = new Set(starts);
  for (const entry of fold.steps.values()) {
    for (const one of runsOf(entry)) {
      if (one.start === undefined || !overdue.has(one.start) || one.of.step.tool === PLAN_RUN) continue;
      const grant = one === entry.undo ? entry.compensateGrant : entry.grant;
      if (grant?.effect === "once") {
        awaitDecision(one, atMs);
        continue;
      }
      const phase = { kind: workKind(one), attempt: one.attempt };
      delete one.start;
      const workMs = endWork(one, phase, { startMs: atMs, endMs: atMs });
      failAttempt(fold, one, { workMs, atMs, retryable: true });
    }
  }
}
