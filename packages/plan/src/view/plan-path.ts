import { type CriticalPath, criticalPath } from "./critical-path.ts";
import { type RunTimes, runTimesOf } from "./estimate/run-times.ts";
import { aloneMs, openSteps, stepLeft } from "./estimate/work-left.ts";
import type { StepId } from "../values/ids.ts";
import type { KnownTimes } from "./progress.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { isSettled } from "../machine/step/step-state.ts";

/**
 * The current critical path of a plan: while the plan runs, it leads through the step that holds it up.
 *
 * A step of unknown duration is assumed to have average length, so that of two chains the longer one counts. The path's duration
 * is the time that its steps have taken so far.
 *
 * @param nowMs - Milliseconds since the epoch.
 */
export function planPath(plan: KnownPlan, nowMs: number, { past, subPlanMs }: KnownTimes = {}): CriticalPath {
  const steps = [...plan.steps.values()]
    .toSorted((left, right) => left.position - right.position)
    .map(({ step }) => step);
  const left = plan.endedAt === undefined ? leftOf(plan, nowMs, { past, subPlanMs }) : undefined;
  return criticalPath(
    steps,
    ({ id }) => soFarMs(plan.steps.get(id), nowMs),
    ({ id }) => left?.get(id),
  );
}

function leftOf(
  plan: KnownPlan,
  nowMs: number,
  { past, subPlanMs = () => undefined }: { [Key in "past" | "subPlanMs"]: KnownTimes[Key] | undefined },
): ReadonlyMap<StepId, number> {
  const times = runTimesOf(plan, past);
  const unfinished = openSteps(plan).filter(({ state }) => !isSettled(state));
  return new Map(
    unfinished.map((entry) => {
      const known = stepLeft(plan, entry, { times, nowMs, subPlanMs });
      const ms = known === undefined ? averageLeft(entry, times, nowMs) : aloneMs(known);
      return [entry.step.id, ms];
    }),
  );
}

/** A step that has taken longer than average is unlikely to end right now. */
function averageLeft(entry: StepEntry, { meanMs = 1 }: RunTimes, nowMs: number): number {
  return Math.max(meanMs - soFarMs(entry, nowMs), meanMs / 2);
}

function soFarMs(entry: StepEntry | undefined, nowMs: number): number {
  if (entry === undefined) return 0;
  const { state } = entry;
  if ("durationMs" in state) return state.durationMs;
  const since = "startedAt" in state ? state.startedAt : undefined;
  return since === undefined ? 0 : Math.max(0, nowMs - Date.parse(since));
}
