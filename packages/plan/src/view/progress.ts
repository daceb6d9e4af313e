import { runTimesOf } from "./estimate/run-times.ts";
import { openSteps, stepLeft, type StepLeft } from "./estimate/work-left.ts";
import { makespanMs } from "./estimate/makespan.ts";
import type { StepRuns } from "./estimate/estimate-run.ts";
import type { PlanId } from "../values/ids.ts";
import { isEnded, type KnownPlan } from "../machine/plan-state.ts";

/** Until the plan ends, something remains to be done. */
const PERCENT_OPEN_MAX = 99;

export type Progress = {
  /** Settled steps, skipped ones included. */
  readonly done: number;
  readonly total: number;
  /** An integer that never falls, and is 100 only at the end. */
  readonly percent: number;
  /**
   * Milliseconds until the last known step is expected to end. Null if that is unknown: a step of unknown duration is open, the
   * plan waits for a person or for a review by a model, the plan is paused or still being drafted, or a step takes far longer
   * than expected.
   */
  readonly etaMs: number | null;
};

/** Known times besides the plan itself. */
export type KnownTimes = {
  /** Earlier runs of the tenant's steps, by `kindKey`. */
  readonly past?: ReadonlyMap<string, StepRuns>;
  /**
   * Number of steps that each pool's workers can run simultaneously. A pool without an entry has no worker; without any
   * entry, all pools are unlimited.
   */
  readonly slots?: ReadonlyMap<string, number>;
  /** The expected remaining time of a running sub-plan, in milliseconds; undefined when unknown. */
  readonly subPlanMs?: (planId: string) => number | undefined;
};

const unknown = (): undefined => undefined;

/**
 * A plan's progress, and how long its known steps will still take.
 *
 * The estimate schedules the open steps: each starts when its dependencies have ended and a worker's slot is free. A wait takes
 * its stated time, any other run the mean of at least three earlier runs of its kind (see `runTimesOf`), a running one the rest
 * of that. The plan's start time and pending retries are included.
 *
 * @param nowMs - The current time in milliseconds since the epoch.
 */
export function progressOf(plan: KnownPlan, nowMs: number, known: KnownTimes = {}): Progress {
  const { done, total, percent } = plan;
  return { done, total, percent, etaMs: isEnded(plan) ? 0 : estimateMs(plan, nowMs, known) };
}

/**
 * The same, with the work of running sub-plans: each counts as the completed part of its step. The result can fall when a
 * revision adds steps.
 *
 * @param percentOf - A sub-plan's progress; undefined if unknown.
 */
export function withSubPlans(
  progress: Progress,
  plan: Pick<KnownPlan, "steps" | "subPlans" | "drafting">,
  percentOf: (subPlan: PlanId) => number | undefined,
): Progress {
  if (plan.drafting.phase !== "sealed") return progress;
  let steps = progress.done;
  for (const { stepId, planId } of plan.subPlans.values()) {
    const state = plan.steps.get(stepId)?.state;
    const runs = state?.status === "repeating" ? state.items : 1;
    steps += (percentOf(planId) ?? 0) / 100 / runs;
  }
  const percent = Math.min(PERCENT_OPEN_MAX, Math.floor((100 * steps) / Math.max(1, progress.total)));
  return { ...progress, percent: Math.max(progress.percent, percent) };
}

function estimateMs(plan: KnownPlan, nowMs: number, known: KnownTimes): number | null {
  const { drafting, pause, conclusion, planGate, startsAt } = plan;
  const isHeld = pause !== undefined || planGate !== undefined || plan.awaiting > 0;
  if (drafting.phase !== "sealed" || isHeld || conclusion !== undefined) return null;
  const { past, slots, subPlanMs = unknown } = known;
  const options = { times: runTimesOf(plan, past), nowMs, subPlanMs };
  const left: StepLeft[] = [];
  for (const entry of openSteps(plan)) {
    const one = stepLeft(plan, entry, options);
    if (one === undefined || lacksWorkers(one, slots)) return null;
    left.push(one);
  }
  if (left.length === 0) return null;
  const startMs = startsAt === undefined ? 0 : Math.max(0, Date.parse(startsAt) - nowMs);
  return Math.round(startMs + makespanMs(left, slots));
}

/** Whether its pool has no workers to run it. */
function lacksWorkers({ pool, units }: StepLeft, slots: KnownTimes["slots"]): boolean {
  if (pool === undefined || slots === undefined || slots.size === 0) return false;
  return !slots.has(pool) && units.some(({ isRunning }) => !isRunning);
}
