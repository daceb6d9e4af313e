/** What holds of every plan after every fact, whatever the facts are; see the head of evolve.ts. */
import assert from "node:assert/strict";
import { allDue, type Command, decide } from "../src/decide.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { counts, evolve } from "../src/evolve.ts";
import { DELIVERIES_EXHAUSTED } from "../src/events/step-events.ts";
import { LIMITS } from "../src/limits.ts";
import {
  isEnded,
  isHalted,
  type KnownPlan,
  type Plan,
  type StepEntry,
  type WaitingFor,
} from "../src/state/plan-state.ts";
import { answerReviewOf, planReviewOf, stepReviewOf } from "../src/review-policy.ts";
import { reviewedAttempts } from "../src/state/review-transitions.ts";
import { allRuns, itemOf, itemsOf, nameOf, type RunName, runNamed } from "../src/state/runs.ts";
import { isMet, standingOf } from "../src/state/standing.ts";
import { isShownTo, needlessness, primaryOf } from "../src/state/ties.ts";
import { isSettled } from "../src/state/step-state.ts";
import { doubtAbout, isGated, isHeldBack } from "../src/state/step-transitions.ts";
import { checkBudget } from "./budget-invariants.ts";
import { known } from "./facts.ts";
import { checkFiguresStay, checkOutline } from "./figure-invariants.ts";

const LARGE = 100;
/** Of large plans every transition of so many is checked whole: that costs as much as they have steps. */
const LARGE_CHECKED_EVERY = 8;

/** `evolve`, with everything checked that must hold of one transition. */
export function checkedEvolve(before: Plan, event: PlanEvent): Plan {
  const after = evolve(before, event);
  assert.equal(evolve(after, event), after, `${event.type} a second time changes the plan again`);
  if (after === before) return after;
  const plan = known(after);
  if (!counts(before, after)) {
    checkOnlyTheLedgerChanged(before, plan);
    if (isEnded(plan)) checkFiguresStay(known(before), plan);
    return after;
  }
  if (before.status === "absent") assert.equal(plan.seq, 1);
  else {
    assert.ok(!isEnded(before), `${event.type} changed an ended plan`);
    assert.equal(plan.seq, before.seq + 1, "an accepted fact counts once");
    assert.ok(plan.percent >= before.percent, `percent fell from ${before.percent} to ${plan.percent}`);
  }
  assert.ok(plan.percent <= 100);
  if (plan.steps.size <= LARGE || plan.seq % LARGE_CHECKED_EVERY === 0) checkSteps(before, plan, event);
  checkCritique(plan);
  checkBudget(plan);
  if (isEnded(plan)) checkOutline(plan);
  return after;
}

/** A late outcome is noted in the ledger, and nothing else of the plan is different. */
function checkOnlyTheLedgerChanged(before: Plan, after: KnownPlan): void {
  const {
    steps: _steps,
    items: _items,
    compensations: undoneBefore,
    due: _before,
    ...others
  } = known(before);
  const { steps: _sameSteps, items: _sameItems, compensations, due, feedback: _feedback, ...same } = after;
  assert.deepEqual(due, [], "nothing follows from a late outcome");
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
    if (entry.state.status === "running") checkIsApproved(plan, entry);
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

/** A draft is judged only where somebody asked for it, and nothing of it runs meanwhile. */
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

/** A step is judged only where somebody asked for it, and tried again by it no more often than was asked for. */
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

/** The step that succeeded last is undone first, one after the other, and only before a bad end. */
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

/** Some of its items are under way, no more than may be at once, and as many have failed as it says. */
function checkRepeats(
  plan: KnownPlan,
  { step }: StepEntry,
  { items, begun, open, failed }: Extract<StepEntry["state"], { status: "repeating" }>,
): void {
  const entries = itemsOf(plan, step.id);
  const states = entries.map(({ state }) => state);
  // A redriven one does not wait for its turn again.
  const redriven = entries.filter((entry) => entry.redriven !== undefined).length;
  assert.equal(states.length, items, `${step.id} has as many runs as items`);
  assert.ok(open > 0 && open <= LIMITS.itemsAtOnceMax + redriven, `${open} items of ${step.id} are open`);
  const waiting = states.filter((state) => state.status === "waiting" && state.for === "turn");
  assert.equal(waiting.length, items - begun);
  assert.equal(states.filter((state) => !isSettled(state)).length, items - begun + open);
  assert.equal(states.filter(({ status }) => status === "failed").length, failed);
}

function is(one: RunName, other: RunName): boolean {
  return one.stepId === other.stepId && one.item === other.item;
}

function checkMayRun(plan: KnownPlan, { step, dependencies, state }: StepEntry): void {
  for (const dependency of dependencies) {
    const needed = plan.steps.get(dependency);
    const isThere = needed !== undefined && (isMet(standingOf(needed)) || isShownTo(step, needed));
    assert.ok(isThere, `${step.id} is ${state.status}, which needs ${dependency}`);
  }
}

/** What waits for a person by the plan's policy runs only with an approval, and with what was approved. */
function checkIsApproved(plan: KnownPlan, entry: StepEntry): void {
  const { step, approved } = entry;
  const { approval: policy } = plan.goal;
  assert.ok(!isGated(plan, entry.draft), `${step.id} runs, and nobody has let its plan run`);
  if (policy?.plan === true) checkPlanIsApproved(plan, entry);
  if (doubtAbout(plan, entry) === undefined) return;
  const approval = plan.approvals.get(approved?.approvalId ?? "none");
  assert.equal(approval?.decided?.decision, "approve", `${step.id} runs, and nobody approved it`);
  assert.deepEqual(approved?.args, approval?.decided?.edits ?? approval?.args);
}

/** Some question about its draft, or about a later one with it, was answered with yes. */
function checkPlanIsApproved({ approvals }: KnownPlan, { step, draft }: StepEntry): void {
  const isApproved = approvals.some(
    ({ kind, approvalId, decided }) =>
      kind === "plan" && decided?.decision === "approve" && Number(approvalId.slice("plan-".length)) >= draft,
  );
  assert.ok(isApproved, `${step.id} of draft ${draft} runs, and nobody approved it`);
}

/** Only the step that was given up, and what was skipped. */
function checkMayRunAgain({ step, state }: StepEntry, redriven: string): void {
  const isGivenUp = state.status === "failed" && state.error.code === DELIVERIES_EXHAUSTED;
  assert.ok(step.id === redriven ? isGivenUp : state.status === "skipped", `${step.id} runs again`);
}

/** Steps come with the goal, with the draft that is open, or from a person who was asked about them. */
function checkMayBePlanned(before: Plan, { step, draft }: StepEntry, { type }: PlanEvent): void {
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

/** What a step waits for is still to come: otherwise nothing would ever start it. */
function checkWaits(plan: KnownPlan, entry: StepEntry, reason: WaitingFor): void {
  const { step, unmet, state } = entry;
  const name = nameOf(entry);
  const { timers, queue, inFlight } = plan;
  const attempt = state.status === "waiting" ? state.attempt : 0;
  assert.ok(attempt <= LIMITS.attemptsMax + reviewedAttempts(entry), `${step.id} is tried ${attempt} times`);
  if (reason === "primary") {
    const primary = primaryOf(plan, step.id);
    assert.ok(primary !== undefined && !isSettled(primary.state), `${step.id} stands in for nobody`);
  }
  // What it is tied to has made it needless, whatever it needs.
  const isNeedless = reason === "condition" && needlessness(plan, entry) !== undefined;
  if (!isNeedless) {
    assert.equal(reason === "dependencies", unmet > 0, `${step.id} waits for ${reason}, ${unmet} unmet`);
  }
  if (reason === "turn") {
    const { state } = plan.steps.get(step.id) ?? {};
    assert.ok(state?.status === "repeating" && state.open >= LIMITS.itemsAtOnceMax, `${step.id} idles`);
  } else if (reason === "condition" || reason === "items") {
    assert.ok(plan.undecided.has(step.id), `nobody will say whether ${step.id} runs`);
  } else if (reason === "approval") {
    assert.ok(isGated(plan, entry.draft), `${step.id} waits for an answer that has been given`);
    assert.ok(plan.held.includes(step.id));
  } else if (reason === "draft") {
    assert.ok(isHeldBack(plan, entry), `${step.id} waits for a closed draft`);
    assert.ok(plan.held.includes(step.id));
  } else if (reason === "capacity" || reason === "resume" || reason === "start") {
    assert.ok(
      queue.some((queued) => is(queued, name)) && (inFlight === LIMITS.inFlightMax || isHalted(plan)),
      `${step.id} waits beside free room`,
    );
  } else if (reason === "budget") {
    const isQueued = [plan.budget?.plain, plan.budget?.metered].some((queue) =>
      queue?.some((ready) => is(ready, name)),
    );
    assert.ok(isQueued, `${step.id} waits for a budget that does not know of it`);
  } else if (reason === "retry") {
    assert.ok(timers.has(`retry-${step.id}-${itemOf(entry)}-${attempt}`), `${step.id} waits for no timer`);
  }
}

/**
 * `decide`, with everything checked that must hold of one decision: it is the same each time, its ids are
 * different, and who takes the plan over now decides all of it too.
 */
export function checkedDecide(plan: KnownPlan): Command[] {
  const commands = decide(plan);
  if (isHalted(plan)) checkSendsNothing(commands);
  // Of large plans now and then only: taking one over costs as much as it has steps in flight.
  if (plan.steps.size > LARGE && plan.seq % 32 > 0) return commands;
  assert.deepEqual(decide(plan), commands, "deciding twice decides the same");
  const allCommands = decide(plan, allDue(plan));
  if (isHalted(plan)) checkSendsNothing(allCommands);
  const afterTakeover = new Map(allCommands.map((command) => [idOf(command), command]));
  const seen = new Set<string>();
  for (const command of commands) {
    const id = idOf(command);
    assert.ok(!seen.has(id), `${id} is used for two commands`);
    seen.add(id);
    // A hint: losing it loses nothing.
    if (command.kind !== "stop") assert.deepEqual(afterTakeover.get(id), command);
  }
  return commands;
}

const RECORDS_OF_HALTED: ReadonlySet<PlanEvent["type"]> = new Set([
  "step.skipped",
  "approval.requested",
  "step.expanded",
  // What cannot be asked, because its arguments cannot be resolved.
  "step.failed",
]);

/** A halted plan has its timers set, its skips recorded and its questions asked, and nothing else. */
function checkSendsNothing(commands: readonly Command[]): void {
  for (const command of commands) {
    const isHarmless =
      command.kind === "schedule" ||
      command.kind === "stop" ||
      (command.kind === "sub-plan" && command.control !== undefined) ||
      (command.kind === "record" && RECORDS_OF_HALTED.has(command.event.type));
    assert.ok(isHarmless, `a halted plan commands ${idOf(command)}`);
  }
}

/** What makes a command vanish when it is given again. */
export function idOf(command: Command): string {
  switch (command.kind) {
    case "stop":
      return "stop";
    case "schedule":
      return `schedule ${command.timer}`;
    case "record":
      return command.event.id;
    default:
      return command.id;
  }
}

/** What a command is for. Two that are for different things must have different ids. */
export function purposeOf(command: Command): string {
  switch (command.kind) {
    case "run":
      return `run ${command.work.sentWith ?? command.work.stepId} ${command.work.item} ${command.work.undo} ${command.work.attempt} ${command.work.sentAfter} ${JSON.stringify(command.work.allowance)}`;
    case "draft":
      return `draft ${command.work.draft} ${JSON.stringify(command.work.allowance)}`;
    case "review":
      return `review ${command.work.stepId} ${command.work.attempt} ${command.work.review}`;
    case "critique":
      return `critique ${command.work.of} ${command.work.draft} ${command.work.review}`;
    case "join":
      return `join ${command.work.join} ${JSON.stringify(command.work.allowance)}`;
    case "process":
      return `process ${command.work.stepId} ${command.work.item} ${command.work.attempt} ${JSON.stringify(command.work.allowance)}`;
    case "record": {
      const { event } = command;
      if (event.type === "step.failed")
        return `fail ${event.data.stepId} ${event.data.item} ${event.data.attempt}`;
      if (event.type === "approval.requested") return `approval ${event.data.approvalId}`;
      if (event.type === "step.skipped" && event.data.passedOver === true) {
        return `pass over ${event.data.stepIds.join()}`;
      }
      if (event.type === "step.skipped") return `skip ${event.data.because} ${event.data.stepIds.join()}`;
      return event.type;
    }
    default:
      return idOf(command);
  }
}
