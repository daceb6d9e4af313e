/** Invariants of every plan after every event, for any log: EVOLVE-1 to EVOLVE-4 and those of reviews. */
import assert from "node:assert/strict";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { counts, evolve } from "../src/machine/evolve.ts";
import { LIMITS } from "../src/values/limits.ts";
import { isEnded, type KnownPlan, type Plan, type StepEntry } from "../src/machine/plan-state.ts";
import { answerReviewOf, planReviewOf, stepReviewOf } from "../src/machine/review/review-gates.ts";
import { reviewedAttempts } from "../src/machine/review/review-transitions.ts";
import { NO_CHANGES } from "../src/machine/changes.ts";
import { allRuns, itemsOf, nameOf, runNamed } from "../src/machine/step/runs.ts";
import { isSettled } from "../src/machine/step/step-state.ts";
import { checkBudget } from "./budget-invariants.ts";
import { LARGE } from "./command-invariants.ts";
import { known } from "./facts.ts";
import { checkFiguresStay, checkOutline } from "./figure-invariants.ts";
import { checkNothingElseBegins } from "./revision-invariants.ts";
import {
  checkIsApproved,
  checkMayBegin,
  checkMayBePlanned,
  checkMayRun,
  checkMayRunAgain,
  checkWaits,
} from "./run-invariants.ts";
import { checkMoves } from "./transition-invariants.ts";

/** For large plans, only one of this many transitions is checked completely, since that takes time linear in their steps. */
const LARGE_CHECKED_EVERY = 8;

/** `evolve`, with checks of every invariant of one transition. */
export function checkedEvolve(before: Plan, event: PlanEvent): Plan {
  const after = evolve(before, event);
  // EVOLVE-1
  assert.equal(evolve(after, event), after, `${event.type} a second time changes the plan again`);
  if (after === before) return after;
  const plan = known(after);
  const isChecked = plan.steps.size <= LARGE || plan.seq % LARGE_CHECKED_EVERY === 0;
  if (isChecked) checkMoves(before, plan);
  if (!counts(before, after)) {
    checkOnlyTheLedgerChanged(before, plan);
    if (isEnded(plan)) checkFiguresStay(known(before), plan);
    return after;
  }
  // EVOLVE-2, EVOLVE-4
  if (before.status === "absent") assert.equal(plan.seq, 1);
  else {
    assert.ok(!isEnded(before), `${event.type} changed an ended plan`);
    assert.equal(plan.seq, before.seq + 1, "an accepted fact counts once");
    assert.ok(plan.percent >= before.percent, `percent fell from ${before.percent} to ${plan.percent}`);
  }
  assert.ok(plan.percent <= 100);
  if (isChecked) {
    checkSteps(before, plan, event);
    checkNothingElseBegins(before, plan, event);
  }
  checkCritique(plan);
  checkUnits(plan);
  checkBudget(plan);
  if (isEnded(plan)) checkOutline(plan);
  return after;
}

/** A late outcome is recorded in the ledger, and nothing else of the plan changes (EVOLVE-1, EVOLVE-2). */
function checkOnlyTheLedgerChanged(before: Plan, after: KnownPlan): void {
  const {
    steps: _steps,
    items: _items,
    compensations: undoneBefore,
    changes: _changesBefore,
    ...others
  } = known(before);
  const {
    steps: _sameSteps,
    items: _sameItems,
    compensations,
    changes,
    feedback: _feedback,
    ...same
  } = after;
  assert.equal(changes, NO_CHANGES, "nothing follows from a late outcome");
  for (const [name, value] of Object.entries(same)) assert.equal(value, Reflect.get(others, name), name);
  for (const entry of allRuns(after)) {
    const earlier = runNamed(known(before), nameOf(entry));
    const withoutLedger = (one: typeof earlier) => ({ ...one, effects: [], calls: undefined });
    if (earlier !== entry) assert.deepEqual(withoutLedger(entry), withoutLedger(earlier));
  }
  const withoutLedger = (undone: typeof compensations) => undone?.map((entry) => ({ ...entry, effects: [] }));
  if (compensations !== undoneBefore) {
    assert.deepEqual(withoutLedger(compensations)?.toArray(), withoutLedger(undoneBefore)?.toArray());
  }
}

/** EVOLVE-2: a settled step does not change. The counts of the plan are those of its steps. */
function checkSteps(before: Plan, plan: KnownPlan, event: PlanEvent): void {
  const count = { running: 0, awaiting: 0, judging: 0, unsettled: 0 };
  for (const entry of allRuns(plan)) {
    const stepId = entry.step.id;
    const earlier = before.status === "absent" ? undefined : runNamed(before, nameOf(entry));
    if (entry.state.status === "running") count.running += 1;
    if (entry.state.status === "awaiting-approval") count.awaiting += 1;
    if (entry.state.status === "reviewing") checkReview(plan, entry);
    if (entry.state.status === "reviewing" && entry.state.for === undefined) count.judging += 1;
    if (!isSettled(entry.state)) count.unsettled += 1;
    if (earlier === entry) continue;
    const isSame = earlier?.state === entry.state;
    if (earlier !== undefined && !isSame && isSettled(earlier.state) && event.type === "redrive.requested") {
      checkMayRunAgain(earlier, event.data.stepId);
    } else if (earlier !== undefined && isSettled(earlier.state)) {
      assert.equal(entry.state, earlier.state, `${event.type} changed the settled step ${stepId}`);
    }
    if (entry.state.status === "repeating") checkRepeats(plan, entry, entry.state);
    if (earlier?.step !== entry.step && entry.item === undefined) checkMayBePlanned(before, entry, event);
    if (entry.state.status === "running") checkMayRun(plan, entry);
    if (entry.state.status === "running" && !isUnderWay(earlier, entry.state.attempt))
      checkIsApproved(plan, entry);
    if (entry.state.status === "running" || entry.state.status === "repeating")
      checkMayBegin(plan, entry, earlier);
    if (entry.state.status === "waiting") checkWaits(plan, entry, entry.state.for);
  }
  assert.equal(plan.inFlight, count.running, "inFlight counts the running steps");
  assert.equal(plan.awaiting, count.awaiting, "awaiting counts the steps that await an approval");
  assert.equal(plan.judging, count.judging, "judging counts the steps whose judgement was asked for");
  assert.ok(plan.inFlight <= LIMITS.inFlightMax, `${plan.inFlight} steps are in flight`);
  assert.equal(
    plan.total - plan.done,
    count.unsettled + plan.undoing,
    "total - done counts what is not settled",
  );
  checkCompensations(before, plan);
}

/** Whether this attempt was sent before: what it refers to can have failed since, and approval is decided when it is sent. */
function isUnderWay(earlier: StepEntry | undefined, attempt: number): boolean {
  return earlier?.state.status === "running" && earlier.state.attempt === attempt;
}

/** Each step of a unit runs as part of it, or depends on one that does (UNIT-1, UNIT-2). */
function checkUnits(plan: KnownPlan): void {
  for (const [unit, members] of plan.units) {
    assert.ok(members.size > 0, `${unit} has no steps`);
    for (const stepId of members) {
      const entry = plan.steps.get(stepId);
      assert.ok(entry !== undefined, `${stepId} of ${unit} is gone`);
      assert.equal(entry.unit, unit, `${stepId} knows its unit`);
      if (entry.state.status === "running") assert.equal(entry.state.unit, unit);
      else assert.equal(entry.state.status === "waiting" && entry.state.for, "dependencies");
      const needed = entry.dependencies.filter((one) => plan.steps.get(one)?.state.status !== "succeeded");
      assert.ok(
        needed.every((one) => members.has(one)),
        `${stepId} of ${unit} needs steps outside`,
      );
    }
  }
  for (const { step, state } of plan.steps.values()) {
    if (state.status !== "running" || state.unit === undefined) continue;
    assert.equal(plan.units.get(state.unit)?.has(step.id), true, `${step.id} runs in a unit that is over`);
  }
}

/** A draft is reviewed only when the goal requests it, and none of its steps runs in the meantime (IMPROVEMENT-1). */
function checkCritique({ critique, answering, drafting, goal, inFlight, conclusion }: KnownPlan): void {
  assert.equal(
    critique?.of === "plan",
    drafting.phase === "reviewing",
    "the draft that is judged waits for it",
  );
  if (critique === undefined) return;
  assert.equal(conclusion, undefined, "a plan that is over is judged");
  const policy = critique.of === "plan" ? planReviewOf(goal) : answerReviewOf(goal);
  assert.ok(policy !== undefined, "a draft is judged, and nobody asked for it");
  if (critique.of === "answer") assert.equal(critique.draft, answering?.count, "the last draft is judged");
  assert.equal(inFlight, 0, "a plan runs while it is judged");
}

/** A step is reviewed only when the plan requests it, and its reviews cause no more retries than requested (REVIEW-1). */
function checkReview(plan: KnownPlan, entry: StepEntry): void {
  if (entry.state.status === "reviewing" && entry.state.for === "verification") {
    assert.ok(entry.verifiedBy !== undefined, `${entry.step.id} waits for nobody's verdict`);
    return;
  }
  if (entry.state.status === "reviewing" && entry.state.for === "draft") {
    const { phase, number } = plan.drafting;
    const isOpen = phase !== "sealed" && number === entry.draft && plan.held.includes(entry.step.id);
    assert.ok(isOpen, `${entry.step.id} waits for a draft that is over`);
    return;
  }
  const policy = stepReviewOf(plan.goal, entry.step, entry.grant);
  assert.ok(policy !== undefined, `${entry.step.id} is judged, and nobody asked for it`);
  assert.ok(reviewedAttempts(entry) < policy.maxIterations, `${entry.step.id} is judged once too often`);
}

/** Compensations run one by one, the last succeeded step first, and only before the plan fails or is cancelled. */
function checkCompensations(
  before: Plan,
  { compensations, conclusion, endedAt, undoable, undoing, stopping }: KnownPlan,
): void {
  if (compensations === undefined || endedAt !== undefined) return;
  assert.notEqual(conclusion?.outcome, "succeeded", "a plan that succeeds undoes nothing");
  assert.equal(stopping, 0, "something is undone before everything has stopped");
  const order = compensations.map(({ stepId }) => stepId);
  assert.deepEqual(order.toArray(), undoable.reverse().toArray());
  const open = compensations.findIndex(
    ({ state }) => state.status !== "succeeded" && state.status !== "failed",
  );
  const rest = open === -1 ? [] : compensations.slice(open + 1).toArray();
  for (const { state } of rest)
    assert.ok(state.status === "waiting" && state.for === "turn", "two are undone at once");
  assert.equal(
    undoing,
    open === -1 ? 0 : rest.length + 1,
    "undoing counts the compensations that are not settled",
  );
  const earlier = before.status === "absent" ? undefined : before.compensations;
  for (const [index, { state }] of earlier?.entries() ?? []) {
    if (state.status === "succeeded" || state.status === "failed")
      assert.equal(compensations.get(index)?.state, state, "a settled compensation changed");
  }
}

/** Some items are running, no more than may run simultaneously, and its count of failed items is right. */
function checkRepeats(
  plan: KnownPlan,
  { step }: StepEntry,
  { items, begun, open, failed }: Extract<StepEntry["state"], { status: "repeating" }>,
): void {
  const entries = itemsOf(plan, step.id);
  const states = entries.map(({ state }) => state);
  // A retried dead letter does not wait for its turn again.
  const redriven = entries.filter((entry) => entry.redriven !== undefined).length;
  assert.equal(states.length, items, `${step.id} has as many runs as items`);
  const isHeld = begun === 0 && plan.held.includes(step.id);
  const isWithin = open <= LIMITS.itemsAtOnceMax + redriven && (open > 0 || isHeld);
  assert.ok(isWithin, `${open} items of ${step.id} are open`);
  const waiting = states.filter((state) => state.status === "waiting" && state.for === "turn");
  assert.equal(waiting.length, items - begun);
  assert.equal(states.filter((state) => !isSettled(state)).length, items - begun + open);
  assert.equal(states.filter(({ status }) => status === "failed").length, failed);
}
