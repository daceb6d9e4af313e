/** Invariants of each run of a step: it may run, was approved, or waits for something that can still happen. */
import assert from "node:assert/strict";
import type { RunName } from "../src/values/ids.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { DELIVERIES_EXHAUSTED } from "../src/values/codes.ts";
import { LIMITS } from "../src/values/limits.ts";
import {
  isHalted,
  type KnownPlan,
  type Plan,
  type StepEntry,
  type WaitingFor,
} from "../src/machine/plan-state.ts";
import { isLargeDraft, waitsAsPlan } from "../src/machine/approval/approval-gates.ts";
import { reviewedAttempts } from "../src/machine/review/review-transitions.ts";
import { itemOf, nameOf } from "../src/machine/step/runs.ts";
import { isMet, standingOf } from "../src/machine/links/standing.ts";
import { isSettled } from "../src/machine/step/step-state.ts";
import { doubtAbout, isGated, isHeldBack } from "../src/machine/step/step-transitions.ts";
import { isShownTo, needlessness, primaryOf } from "../src/machine/links/ties.ts";

function is(one: RunName, other: RunName): boolean {
  return one.stepId === other.stepId && one.item === other.item;
}

/** EVOLVE-3: a step runs only when its dependencies have succeeded or were not needed. */
export function checkMayRun(plan: KnownPlan, { step, dependencies, state }: StepEntry): void {
  for (const dependency of dependencies) {
    const needed = plan.steps.get(dependency);
    const isThere = needed !== undefined && (isMet(standingOf(needed)) || isShownTo(step, needed));
    assert.ok(isThere, `${step.id} is ${state.status}, which needs ${dependency}`);
  }
}

/** A step that needs approval by the plan's policy runs only with an approval, and with the approved arguments. */
export function checkIsApproved(plan: KnownPlan, entry: StepEntry): void {
  const { step, approved } = entry;
  if (waitsAsPlan(plan.goal, undefined)) checkPlanIsApproved(plan, entry);
  if (doubtAbout(plan, entry) === undefined) return;
  const approval = plan.approvals.get(approved?.approvalId ?? "none");
  assert.equal(approval?.decided?.decision, "approve", `${step.id} runs, and nobody approved it`);
  assert.deepEqual(approved?.args, approval?.decided?.edits ?? approval?.args);
}

/**
 * A step begins only after its plan has been approved, if the plan needs approval. A step that began before its draft
 * was complete may finish, with further attempts and items.
 */
export function checkMayBegin(plan: KnownPlan, entry: StepEntry, earlier: StepEntry | undefined): void {
  if (entry.item !== undefined || hasBegun(earlier?.state) || !hasBegun(entry.state)) return;
  assert.ok(!isGated(plan, entry.draft), `${entry.step.id} runs, and nobody has let its plan run`);
  checkLargeDraft(plan, entry);
}

function hasBegun(state: StepEntry["state"] | undefined): boolean {
  if (state === undefined) return false;
  if (state.status === "repeating") return state.begun > 0;
  return state.status !== "waiting" || state.attempt > 1;
}

/** When a model's draft has more steps than may run without approval, its steps begin only after the approval. */
function checkLargeDraft(plan: KnownPlan, entry: StepEntry): void {
  const { draft, step } = entry;
  if (draft === 0) return;
  const { phase, number, steps = 0 } = plan.drafting;
  if (phase === "open" && number === draft) {
    assert.ok(!isLargeDraft(plan.goal, steps), `${step.id} of a large draft runs while it is being written`);
    return;
  }
  const planned = plan.steps.count((one) => one.draft === draft && one.state.status !== "cancelled");
  if (isLargeDraft(plan.goal, planned)) checkPlanIsApproved(plan, entry);
}

/** An approval of its draft, or of a later one that includes it, was granted. */
function checkPlanIsApproved({ approvals }: KnownPlan, { step, draft }: StepEntry): void {
  const isApproved = approvals.some(
    ({ kind, approvalId, decided }) =>
      kind === "plan" && decided?.decision === "approve" && Number(approvalId.slice("plan-".length)) >= draft,
  );
  assert.ok(isApproved, `${step.id} of draft ${draft} runs, and nobody approved it`);
}

/** Only the dead-lettered step and skipped steps can run again. */
export function checkMayRunAgain({ step, state }: StepEntry, redriven: string): void {
  const isGivenUp = state.status === "failed" && state.error.code === DELIVERIES_EXHAUSTED;
  assert.ok(step.id === redriven ? isGivenUp : state.status === "skipped", `${step.id} runs again`);
}

/** Steps come from the goal, from the open draft, or from a reviewer's edits. */
export function checkMayBePlanned(before: Plan, { step, draft }: StepEntry, { type }: PlanEvent): void {
  if (type === "approval.decided") {
    assert.ok(
      before.status !== "absent" && isGated(before, draft),
      `${step.id} was changed, and nobody was asked`,
    );
    return;
  }
  const isOpen =
    before.status === "absent"
      ? draft === 0
      : before.drafting.phase === "open" && before.drafting.number === draft;
  assert.ok(isOpen, `${step.id} was planned by draft ${draft}, which is not open`);
}

/** A step waits only for something that can still happen: otherwise nothing would ever start it. */
export function checkWaits(plan: KnownPlan, entry: StepEntry, reason: WaitingFor): void {
  const { step, unmet, state } = entry;
  const name = nameOf(entry);
  const { timers, queue, inFlight } = plan;
  const attempt = state.status === "waiting" ? state.attempt : 0;
  const free = reviewedAttempts(entry) + (entry.asked ?? 0);
  assert.ok(attempt <= LIMITS.attemptsMax + free, `${step.id} is tried ${attempt} times`);
  // FALLBACK-1
  if (reason === "primary") {
    const primary = primaryOf(plan, step.id);
    assert.ok(primary !== undefined && !isSettled(primary.state), `${step.id} stands in for nobody`);
  }
  // The step that it verifies or replaces has made it unnecessary, regardless of its dependencies.
  const isNeedless = reason === "condition" && needlessness(plan, entry) !== undefined;
  if (!isNeedless) {
    assert.equal(reason === "dependencies", unmet > 0, `${step.id} waits for ${reason}, ${unmet} unmet`);
  }
  if (reason === "turn") {
    const { state } = plan.steps.get(step.id) ?? {};
    // Its list may have arrived before the draft became so large that it needs approval.
    const isHeld = plan.held.includes(step.id) && (isHeldBack(plan, entry) || isGated(plan, entry.draft));
    const isFull = state?.status === "repeating" && state.open >= LIMITS.itemsAtOnceMax;
    assert.ok(isFull || isHeld, `${step.id} idles`);
  } else if (reason === "condition" || reason === "items") {
    assert.ok(plan.undecided.has(step.id), `nobody will say whether ${step.id} runs`);
  } else if (reason === "approval") {
    assert.ok(isGated(plan, entry.draft), `${step.id} waits for an answer that has been given`);
    assert.ok(plan.held.includes(step.id));
  } else if (reason === "draft") {
    assert.ok(isHeldBack(plan, entry), `${step.id} waits for a closed draft`);
    assert.ok(plan.held.includes(step.id));
  } else if (reason === "capacity" || reason === "resume" || reason === "start") {
    const mayWait = inFlight === LIMITS.inFlightMax || isHalted(plan) || plan.units.size > 0;
    assert.ok(queue.some((queued) => is(queued, name)) && mayWait, `${step.id} waits beside free room`);
  } else if (reason === "budget") {
    const isQueued = [plan.budget?.plain, plan.budget?.metered].some((queue) =>
      queue?.some((ready) => is(ready, name)),
    );
    assert.ok(isQueued, `${step.id} waits for a budget that does not know of it`);
  } else if (reason === "retry") {
    assert.ok(timers.has(`retry-${step.id}-${itemOf(entry)}-${attempt}`), `${step.id} waits for no timer`);
  }
}
