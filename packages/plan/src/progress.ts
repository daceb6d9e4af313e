import { criticalPath } from "./critical-path.ts";
import type { PlanId } from "./ids.ts";
import { LIMITS } from "./limits.ts";
import type { KnownPlan, StepEntry } from "./state/plan-state.ts";
import { isEnded } from "./state/plan-state.ts";
import { allRuns } from "./state/runs.ts";
import { isSettled } from "./state/step-state.ts";
import { standingOf } from "./state/standing.ts";
import { isStandby } from "./state/ties.ts";

/** A running step that has taken so many times what was expected says that nothing is known of its end. */
const OVERDUE_TIMES = 2;

/** Before the end there is always something left. */
const PERCENT_OPEN_MAX = 99;

export type Progress = {
  /** Settled steps, skipped ones included. */
  readonly done: number;
  readonly total: number;
  /** Whole, never falling, 100 only at the end. */
  readonly percent: number;
  /** Milliseconds until the last known step is expected to end; null while nothing is known to go by, a person is waited for, or a step takes far longer than expected. */
  readonly etaMs: number | null;
};

/**
 * How far a plan has come, and how long its known steps will still take.
 *
 * The estimate is the critical path through the steps that are not settled, each taking the mean time
 * of the plan's settled steps with the same tool (of all of them, when none had that tool). A running
 * step has what it has run already deducted; once it has run for more than {@link OVERDUE_TIMES} times as long as
 * expected, there is no estimate.
 *
 * @param nowMs - The time of asking, as milliseconds since the epoch.
 */
export function progressOf(plan: KnownPlan, nowMs: number): Progress {
  const { done, total, percent } = plan;
  const ended = isEnded(plan);
  return { done, total, percent, etaMs: ended ? 0 : estimateMs(plan, nowMs) };
}

/**
 * The same, with the work of sub-plans that still run: each counts as the part of its step that it has done. It may
 * fall when a revision adds steps.
 *
 * @param percentOf - How far a sub-plan has come; undefined when nothing is known of it.
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

function estimateMs(plan: KnownPlan, nowMs: number): number | null {
  if (plan.drafting.phase !== "sealed" || plan.done === 0 || plan.pause !== undefined) return null;
  const durations = new Map<string, { sum: number; count: number }>();
  const overall = { sum: 0, count: 0 };
  const open: StepEntry[] = [];
  for (const entry of allRuns(plan)) {
    // How long a person takes, nobody can say.
    if (entry.state.status === "awaiting-approval") return null;
    if (standingOf(entry) === "open" && entry.item === undefined) open.push(entry);
    // It takes as long as its items, which are counted themselves.
    if (entry.step.forEach !== undefined && entry.item === undefined) continue;
    if (entry.state.status !== "succeeded") continue;
    const own = durations.get(entry.step.tool) ?? { sum: 0, count: 0 };
    durations.set(entry.step.tool, own);
    for (const tally of [own, overall]) {
      tally.sum += entry.state.durationMs;
      tally.count += 1;
    }
  }
  if (overall.count === 0) return null;
  const expected = new Map<string, number>();
  for (const entry of open) {
    const { step, state } = entry;
    // What stands in for another step is most likely not needed, and what waits for its verdict, or its fallback,
    // has run.
    if (isStandby(plan, entry) || state.status === "reviewing" || isSettled(state)) continue;
    const { sum, count } = durations.get(step.tool) ?? overall;
    const runningMs =
      state.status === "running" && state.startedAt !== undefined ? nowMs - Date.parse(state.startedAt) : 0;
    // Of a list, as many run at once as may; how long one that is not known yet is, nobody can say.
    const rounds =
      state.status === "repeating" ? Math.ceil((state.items - state.begun) / LIMITS.itemsAtOnceMax) + 1 : 1;
    const wholeMs = (sum / count) * rounds;
    if (runningMs > wholeMs * OVERDUE_TIMES) return null;
    expected.set(step.id, Math.max(0, wholeMs - Math.max(0, runningMs)));
  }
  const steps = open.map(({ step }) => step);
  return Math.round(criticalPath(steps, (step) => expected.get(step.id) ?? 0).durationMs);
}
