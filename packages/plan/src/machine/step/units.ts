/**
 * Units: light steps that one worker runs as a small graph, with one work message and few outcome messages. If a step
 * takes microseconds, its messages are most of its cost. Dask and Flink call this task fusion and operator chaining.
 *
 * When light steps become ready, the plan fuses them with every light step that needs nothing but them. Membership is
 * state: a dispatcher that takes over the plan sends the same unit, and an outcome that names a unit counts only while
 * its step is part of that unit.
 *
 * Invariants:
 *   UNIT-1. A step of a unit needs only steps that have succeeded and steps of the same unit.
 *   UNIT-2. A step leaves its unit when anything but a start or a success happens to it, together with every step of
 *       the unit that needs it. No worker is expected to run these steps any more, so each is sent again.
 *   UNIT-3. The steps of a unit only read, at a low risk, and need no approval: they can run again after a crash.
 */
import { Set } from "immutable";
import type { UnitClosed } from "../../events/step-events.ts";
import type { UnitId } from "../../events/values.ts";
import { poolOf } from "../../language/pool-of.ts";
import { findReferences } from "../../language/references.ts";
import { isOwnerTool } from "../../language/tool-names.ts";
import { isRefused } from "../../policy/allowed-arguments.ts";
import { callOfStep } from "../../policy/policy-call.ts";
import type { StepId } from "../../values/ids.ts";
import { unitId } from "../../values/unit-id.ts";
import { startedSince } from "../changes.ts";
import { LIMITS } from "../../values/limits.ts";
import { isHalted, type KnownPlan, type NextPlan, type Plan, type StepEntry } from "../plan-state.ts";
import { stepReviewOf } from "../review/review-gates.ts";
import { placeRun, runNamed } from "./runs.ts";
import { doubtAbout, isGated, makeReady } from "./step-transitions.ts";

const STEPS_MAX = 256;
/** A step that units return this often is sent alone from then on. */
const RETURNS_MAX = 5;
/**
 * The maximum size of a unit that contains returned steps: they take longer than they should, and other workers may
 * have time.
 */
const RETURNED_STEPS_MAX = 16;
/** The maximum size of the arguments and outputs in a unit's work message. */
const CHARS_MAX = 262_144;

/** Fuses the steps that the event made ready with those that need nothing else. O(fused steps). */
export function fuseReady(before: Plan, next: NextPlan): void {
  if (next.budget !== undefined || next.goal.fusion === "off") return;
  const pools = new Map<string, StepEntry[]>();
  for (const entry of startedSince(before, next)) {
    if (entry.state.status !== "running" || !isFirst(entry) || !mayBeFused(next, entry)) continue;
    const pool = poolOf(entry);
    const ready = pools.get(pool);
    if (ready === undefined) pools.set(pool, [entry]);
    else ready.push(entry);
  }
  for (const [pool, ready] of pools) {
    ready.sort((left, right) => left.position - right.position);
    const isReturned = ready.some(({ returned }) => returned !== undefined);
    const most = isReturned ? RETURNED_STEPS_MAX : STEPS_MAX;
    for (let from = 0; from < ready.length; ) {
      const { heads, steps } = collect(next, ready.slice(from), { pool, most });
      if (steps.length > 1) fuse(next, steps);
      from += Math.max(1, heads);
    }
  }
}

/**
 * Starts queued steps while there is capacity, in the order in which they became ready. Called once after each event,
 * when it is known whether the event requests a revision.
 *
 * While a unit is in flight, light steps wait until there is capacity for a whole unit: sent one by one, each would
 * need its own message.
 */
export function fillCapacity(next: NextPlan): void {
  const room = LIMITS.inFlightMax - next.inFlight;
  const isForUnits = next.units.size > 0 && room < STEPS_MAX;
  while (!isHalted(next) && next.inFlight < LIMITS.inFlightMax) {
    const name = next.queue.first();
    const entry = name === undefined ? undefined : runNamed(next, name);
    if (name === undefined || (isForUnits && entry !== undefined && mayBeFused(next, entry))) return;
    next.queue = next.queue.shift();
    if (entry?.state.status === "waiting") makeReady(next, entry, entry.state.attempt);
  }
}

/** Takes steps out of their units if anything but a start or a success has happened to them. */
export function leaveUnits(before: Plan, next: NextPlan): void {
  if (before.status === "absent" || before.units.size === 0) return;
  for (const { stepId, item } of next.changes.runs) {
    const unit = item === undefined ? before.steps.get(stepId)?.unit : undefined;
    if (unit === undefined) continue;
    const entry = next.steps.get(stepId);
    if (entry?.state.status === "succeeded") drop(next, unit, stepId);
    else if (entry === undefined || !isIn(entry, unit)) leave(next, unit, stepId);
  }
}

/** A worker has returned the steps of a unit that it does not run. */
export function closeUnit(next: NextPlan, { data }: UnitClosed): boolean {
  const { unit, because } = data;
  const steps = next.units.get(unit) ?? Set();
  const kept = steps.intersect(data.kept);
  if (kept.size === steps.size) return false;
  if (kept.size === 0) next.units = next.units.delete(unit);
  else next.units = next.units.set(unit, kept);
  for (const stepId of steps.subtract(kept)) {
    const entry = next.steps.get(stepId);
    if (entry === undefined) continue;
    const { unit: _unit, ...rest } = entry;
    const times = (entry.returned?.times ?? 0) + 1;
    // A step that could have run might have unresolvable arguments.
    const isSuspect = because === "lost" || (because === "stop" && entry.state.status === "running");
    const left = { ...rest, returned: { times, alone: isSuspect || times >= RETURNS_MAX } };
    placeRun(next, left);
    if (entry.state.status === "running") makeReady(next, left, entry.state.attempt);
  }
  return true;
}

/** Whether a step is running, or will run, as a part of the unit. */
function isIn({ state, unit }: StepEntry, expected: UnitId): boolean {
  if (state.status === "running") return state.unit === expected;
  return state.status === "waiting" && state.for === "dependencies" && unit === expected;
}

function leave(next: NextPlan, unit: UnitId, stepId: StepId): void {
  drop(next, unit, stepId);
  const entry = next.steps.get(stepId);
  if (entry === undefined) return;
  const { unit: _unit, ...rest } = entry;
  placeRun(next, rest);
  for (const dependent of entry.dependents) {
    if (next.units.get(unit)?.has(dependent) === true) leave(next, unit, dependent);
  }
}

/** Removes a step that the unit no longer waits for. */
function drop(next: NextPlan, unit: UnitId, stepId: StepId): void {
  const left = next.units.get(unit)?.delete(stepId);
  if (left === undefined) return;
  next.units = left.size === 0 ? next.units.delete(unit) : next.units.set(unit, left);
}

function fuse(next: NextPlan, entries: readonly StepEntry[]): void {
  const [first] = entries;
  if (first === undefined) return;
  const unit = unitId(first.step.id, first.returned?.times ?? 0);
  next.units = next.units.set(unit, Set(entries.map(({ step }) => step.id)));
  next.changes.units.push(unit);
  for (const entry of entries) {
    const { state } = entry;
    placeRun(next, { ...entry, unit, state: state.status === "running" ? { ...state, unit } : state });
  }
}

/**
 * Returns a unit that starts with the first of the ready steps: as many of these as fit, and the steps that need
 * nothing else.
 */
function collect(
  plan: KnownPlan,
  ready: readonly StepEntry[],
  { pool, most }: { readonly pool: string; readonly most: number },
): { readonly heads: number; readonly steps: readonly StepEntry[] } {
  const room = roomOf(plan);
  const steps: StepEntry[] = [];
  let heads = 0;
  for (const entry of ready) {
    if (steps.length === most || !room.takes(entry)) break;
    steps.push(entry);
    heads += 1;
  }
  const met = new Map<StepId, number>();
  // The list grows during the loop.
  for (const { dependents } of steps) {
    for (const stepId of dependents) {
      const count = (met.get(stepId) ?? 0) + 1;
      met.set(stepId, count);
      const entry = plan.steps.get(stepId);
      if (entry?.unmet !== count || steps.length >= most) continue;
      if (mayFollow(plan, entry) && poolOf(entry) === pool && room.takes(entry)) steps.push(entry);
    }
  }
  return { heads, steps };
}

/** Tracks the size of a unit's work message: its arguments and the outputs that they refer to. */
function roomOf({ steps }: KnownPlan): { takes(entry: StepEntry): boolean } {
  let left = CHARS_MAX;
  const carried = new Map<StepId, number>();
  const sizeOfOutput = (stepId: StepId): number => {
    const state = steps.get(stepId)?.state;
    return state?.status === "succeeded" ? JSON.stringify(state.output).length : 0;
  };
  return {
    takes({ step, state }) {
      let size = JSON.stringify(step.args).length;
      for (const stepId of new globalThis.Set(
        findReferences(step.args).references.map((one) => one.stepId),
      )) {
        const known = carried.get(stepId);
        const outputSize = known ?? sizeOfOutput(stepId);
        // The arguments of a ready step are sent with the outputs filled in.
        if (known === undefined || state.status === "running") size += outputSize;
        carried.set(stepId, outputSize);
      }
      if (size > left) return false;
      left -= size;
      return true;
    },
  };
}

/** Whether it is the step's first attempt, sent for the first time. */
function isFirst({ state, redriven, failedAttempts }: StepEntry): boolean {
  if (state.status !== "running") return false;
  const { attempt, sentAfter } = state;
  return attempt === 1 && sentAfter === 0 && redriven === undefined && failedAttempts.length === 0;
}

/** Whether a step that waits for its dependencies can run as soon as they have succeeded. */
function mayFollow(plan: KnownPlan, entry: StepEntry): boolean {
  const { state, unit } = entry;
  if (state.status !== "waiting" || state.for !== "dependencies" || state.attempt !== 1) return false;
  if (unit !== undefined || !mayBeFused(plan, entry)) return false;
  return entry.dependencies.every((dependency) => {
    const needed = plan.steps.get(dependency);
    const isItself = needed?.state.status !== "skipped" && needed?.state.status !== "failed";
    return isItself && needed?.step.forEach === undefined;
  });
}

/** Whether a step needs no approval, can run again after a crash, and takes next to no time. */
function mayBeFused(plan: KnownPlan, entry: StepEntry): boolean {
  const { step, grant, approved, draft, verifiedBy, item, returned } = entry;
  if (grant.light !== true || grant.effect !== "read" || grant.risk !== "low") return false;
  // A model call takes time, and might have to wait for the model server.
  if (grant.modelTokens !== undefined) return false;
  if (item !== undefined || step.when !== undefined || step.forEach !== undefined) return false;
  // It is not known yet whether its output will be accepted.
  if (verifiedBy !== undefined || step.verifies !== undefined || step.fallback !== undefined) return false;
  if (returned?.alone === true || isOwnerTool(step.tool) || plan.standIns.has(step.id)) return false;
  if (stepReviewOf(plan.goal, step, grant) !== undefined) return false;
  // The dispatcher records the refusal in the log.
  if (isRefused(plan.goal, callOfStep(plan, entry))) return false;
  return approved === undefined && doubtAbout(plan, entry) === undefined && !isGated(plan, draft);
}
