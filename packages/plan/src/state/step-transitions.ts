/**
 * How steps move: waiting → (awaiting approval →) running → settled.
 *
 * A transition builds the plan's next state in place, in a `NextPlan` that nobody else has seen;
 * `evolve` makes the copy before and hands it out after. Each function costs O(dependents).
 */
import { gatesDrafts, isUnsure, waitsForApproval } from "../approval-policy.ts";
import { dependenciesOf } from "../dependencies.ts";
import { broughtBy } from "../events/values.ts";
import type { StepId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { HUMAN_ASK } from "../owner-tools.ts";
import { readyStep } from "./budget-needs.ts";
import type { Due } from "./due.ts";
import { queueOf } from "./budget-shares.ts";
import {
  isHalted,
  type AwaitingApproval,
  type KnownPlan,
  type StepEntry,
  type StepState,
  type WaitingFor,
} from "./plan-state.ts";
import { itemOf, nameOf, putRun, runNamed } from "./runs.ts";
import { isLost, isMet, standingOf } from "./standing.ts";
import { isSettled, isUndecided } from "./step-state.ts";
import { isUnderReview } from "./under-review.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export type NextPlan = { -readonly [Key in keyof KnownPlan]: KnownPlan[Key] } & { due: Due[] };

const WAITING = { status: "waiting", for: "dependencies", attempt: 1 } as const;

/** Adds steps whose dependencies may stand anywhere among them, then starts what is ready. */
export function addSteps(
  next: NextPlan,
  planned: readonly Pick<StepEntry, "step" | "grant" | "compensateGrant">[],
  draft: number,
): void {
  const entries: StepEntry[] = [];
  next.steps = next.steps.withMutations((steps) => {
    for (const { step, ...grants } of planned) {
      // Plans with repeated ids are refused before they get here; of one that was not, the first step stays.
      if (steps.has(step.id)) continue;
      const place = { draft, position: steps.size, dependencies: dependenciesOf(step), dependents: [] };
      const entry = { step, ...grants, ...place, unmet: 0, state: WAITING, failedAttempts: [], effects: [] };
      entries.push(entry);
      steps.set(step.id, entry);
    }
    const dependents = new Map<StepId, StepId[]>();
    for (const entry of entries) {
      const { id } = entry.step;
      let unmet = 0;
      for (const dependency of entry.dependencies) {
        const needed = steps.get(dependency);
        if (needed === undefined || !isMet(standingOf(needed))) unmet++;
        const known = dependents.get(dependency);
        if (known === undefined) dependents.set(dependency, [id]);
        else known.push(id);
      }
      steps.set(id, { ...entry, unmet });
    }
    for (const [id, added] of dependents) {
      const entry = steps.get(id);
      if (entry !== undefined) steps.set(id, { ...entry, dependents: [...entry.dependents, ...added] });
    }
  });
  next.total += entries.length;
  const lost = new Set<StepId>();
  for (const { step, dependencies } of entries) {
    const entry = next.steps.get(step.id);
    if (entry?.unmet === 0) makeReady(next, entry);
    for (const dependency of dependencies) {
      const state = next.steps.get(dependency)?.state;
      if (state !== undefined && isLost(state)) lost.add(dependency);
    }
  }
  for (const dependency of lost) askToSkip(next, dependency);
}

/** A step whose dependencies have all succeeded: it runs, or waits for its draft, for a person or for room. */
export function makeReady(next: NextPlan, entry: StepEntry, attempt = 1): void {
  const reason = entry.item === undefined ? reasonToHold(next, entry) : undefined;
  if (reason !== undefined) {
    next.held = next.held.push(entry.step.id);
    setState(next, entry, { status: "waiting", for: reason, attempt });
    return;
  }
  const doubt = entry.approved === undefined ? doubtAbout(next, entry) : undefined;
  const verdict = verdictOf(next, entry);
  if (verdict.kind !== "run") {
    awaitVerdict(next, entry, verdict, attempt);
  } else if (isHalted(next)) {
    enqueue(next, entry, attempt);
  } else if (entry.step.tool === HUMAN_ASK) {
    // Each attempt asks anew.
    const approvalId = `ask-${entry.step.id}-${itemOf(entry)}-${attempt}`;
    awaitApproval(next, entry, { attempt, approvalId, about: { kind: "question" } });
  } else if (doubt !== undefined) {
    const approvalId = `${doubt === "tool-risk" ? "risk" : doubt}-${entry.step.id}-${itemOf(entry)}`;
    awaitApproval(next, entry, { attempt, approvalId, about: { kind: doubt } });
  } else if (next.budget !== undefined) {
    const ready = readyStep(next, entry);
    const queue = queueOf(next.budget, entry, ready);
    next.budget = { ...next.budget, [queue]: next.budget[queue].push(ready) };
    setState(next, entry, { status: "waiting", for: "budget", attempt });
  } else if (next.inFlight >= LIMITS.inFlightMax) {
    enqueue(next, entry, attempt);
  } else {
    dispatch(next, entry, attempt);
  }
}

/** The step does not run, or runs for each of a list: it has the plan's owner record that. */
function awaitVerdict(next: NextPlan, entry: StepEntry, { kind }: Verdict, attempt: number): void {
  const stepId = entry.step.id;
  if (!next.undecided.has(stepId)) next.due.push({ kind: "verdict", stepId });
  next.undecided = next.undecided.set(stepId, true);
  setState(next, entry, { status: "waiting", for: kind === "expand" ? "items" : "condition", attempt });
}

/** The step has the plan's owner ask; it takes up no room meanwhile. */
export function awaitApproval(
  next: NextPlan,
  entry: StepEntry,
  wanted: Omit<AwaitingApproval, "status">,
): void {
  next.awaiting += 1;
  next.due.push({ kind: "approval", ...nameOf(entry) });
  setState(next, entry, { status: "awaiting-approval", ...wanted });
}

/** Has the step's next attempt sent to a worker. */
export function dispatch(next: NextPlan, entry: StepEntry, attempt: number): void {
  next.inFlight += 1;
  next.due.push({ kind: "run", ...nameOf(entry) });
  setState(next, entry, { status: "running", attempt, sentAfter: 0 });
}

/** The step waits for room, or for its plan to go on. */
function enqueue(next: NextPlan, entry: StepEntry, attempt: number): void {
  next.queue = next.queue.push(nameOf(entry));
  setState(next, entry, { status: "waiting", for: reasonToQueue(next), attempt });
}

function reasonToQueue({ pause, startsAt }: NextPlan): WaitingFor {
  if (pause !== undefined) return "resume";
  return startsAt === undefined ? "capacity" : "start";
}

/** Why a person has to let the step run; one question is asked, whatever the number of reasons. */
export function doubtAbout(
  { goal }: KnownPlan,
  { step, grant }: Pick<StepEntry, "step" | "grant">,
): "tool-risk" | "confidence" | undefined {
  if (waitsForApproval(goal.approval, grant.risk)) return "tool-risk";
  return isUnsure(goal.approval, step.confidence) ? "confidence" : undefined;
}

/** What the step is kept back for, if it is. */
function reasonToHold(next: NextPlan, entry: StepEntry): "draft" | "approval" | undefined {
  if (isHeldBack(next, entry)) return "draft";
  return isGated(next, entry.draft) ? "approval" : undefined;
}

/**
 * While a draft is being written only its harmless steps start: those that read and risk little, and none of them when
 * a person or a critic may have to see the plan first. Of the plan that a draft revises none does.
 */
export function isHeldBack(plan: KnownPlan, { draft, grant }: Pick<StepEntry, "draft" | "grant">): boolean {
  const { phase, number, revision } = plan.drafting;
  if (phase === "sealed") return false;
  if (phase === "reviewing") return true;
  if (draft !== number) return revision > 0;
  const isHarmless = grant.risk === "low" && grant.effect === "read";
  return phase === "open" && (!isHarmless || gatesDrafts(plan.goal.approval) || isUnderReview(plan));
}

/** Whether a person has still to let run what the draft planned. */
export function isGated({ planGate }: KnownPlan, draft: number): boolean {
  return planGate !== undefined && draft >= planGate.from;
}

/** Starts what was kept back, unless it is to be kept back still. */
export function releaseHeld(next: NextPlan): void {
  const held = next.held;
  next.held = held.clear();
  for (const stepId of held) {
    const entry = next.steps.get(stepId);
    if (entry?.state.status === "waiting") makeReady(next, entry, entry.state.attempt);
  }
}

/**
 * Records that a step that ran, or awaited an approval, has settled, and starts what its end makes room for.
 *
 * @param followUp - The step that the same worker has gone on with.
 */
export function settle(next: NextPlan, entry: StepEntry, state: StepState, followUp?: StepId): void {
  leave(next, entry);
  next.done += 1;
  setState(next, entry, state);
  if (entry.item === undefined) tell(next, entry, state, followUp);
  fillCapacity(next);
}

/** Those that need a step go on, or have no more to wait for. */
function tell(next: NextPlan, entry: StepEntry, state: StepState, followUp?: StepId): void {
  if (state.status === "succeeded" && entry.step.compensate !== undefined) {
    next.undoable = next.undoable.push(entry.step.id);
  }
  if (isMet(standingOf({ state }))) {
    // First, because it has taken the room that has just become free.
    const first = entry.dependents.find((dependent) => dependent === followUp);
    if (first !== undefined) goOn(next, entry, first);
    for (const dependent of entry.dependents) if (dependent !== first) meetDependency(next, dependent);
  } else if (entry.dependents.length > 0) {
    askToSkip(next, entry.step.id);
  }
}

/** The step no longer runs, or no longer waits for somebody; its next state is still to be set. */
export function leave(next: NextPlan, { step, state }: StepEntry): void {
  if (state.status === "running") next.inFlight -= 1;
  else if (state.status === "awaiting-approval") next.awaiting -= 1;
  else if (state.status === "reviewing" && state.for === undefined) next.judging -= 1;
  else if (isUndecided(state)) {
    next.undecided = next.undecided.delete(step.id);
  }
}

function meetDependency(next: NextPlan, stepId: StepId): void {
  const met = withOneMet(next, stepId);
  if (met?.unmet === 0 && met.state.status === "waiting") makeReady(next, met);
}

/** The step runs already, on the worker that has delivered its last input: nobody has to send it. */
function goOn(next: NextPlan, { step, state }: StepEntry, followUp: StepId): void {
  const met = withOneMet(next, followUp);
  if (met?.unmet !== 0 || met.state.status !== "waiting") return;
  // With a budget, each step has to be granted what it may use; and a person may have to be asked.
  const isWatched = doubtAbout(next, met) !== undefined || isGated(next, met.draft);
  if (state.status !== "running" || next.budget !== undefined || isWatched) {
    makeReady(next, met);
    return;
  }
  next.inFlight += 1;
  const via = broughtBy({ stepId: step.id, ...state });
  setState(next, met, { status: "running", attempt: met.state.attempt, sentAfter: 0, via });
}

function withOneMet(next: NextPlan, stepId: StepId): StepEntry | undefined {
  const entry = next.steps.get(stepId);
  if (entry === undefined) return undefined;
  const met = { ...entry, unmet: entry.unmet - 1 };
  next.steps = next.steps.set(stepId, met);
  return met;
}

/** Gives the room of ended steps to those that wait for it, in the order in which they became ready. */
export function fillCapacity(next: NextPlan): void {
  while (!isHalted(next) && next.inFlight < LIMITS.inFlightMax) {
    const name = next.queue.first();
    if (name === undefined) return;
    next.queue = next.queue.shift();
    const entry = runNamed(next, name);
    if (entry?.state.status === "waiting") makeReady(next, entry, entry.state.attempt);
  }
}

export function askToSkip(next: NextPlan, because: StepId): void {
  next.unskipped = next.unskipped.set(because, true);
  next.due.push({ kind: "skip", because });
}

/** Whether any step that needs this one has not settled. */
export function hasOpenDependents(next: NextPlan, stepId: StepId): boolean {
  const dependents = next.steps.get(stepId)?.dependents ?? [];
  return dependents.some((dependent) => {
    const state = next.steps.get(dependent)?.state;
    return state !== undefined && !isSettled(state);
  });
}

export function setState(next: NextPlan, entry: StepEntry, state: StepState): void {
  putRun(next, { ...entry, state });
}
