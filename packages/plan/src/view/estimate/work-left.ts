/** The remaining work of a plan's open steps. */
import { alwaysWaits, isUnsure } from "../../machine/approval/approval-gates.ts";
import { LIMITS } from "../../values/limits.ts";
import { PLAN_RUN } from "../../language/tool-names.ts";
import type { Step } from "../../language/plan-language.ts";
import { poolOf } from "../../language/pool-of.ts";
import { stepReviewOf } from "../../machine/review/review-gates.ts";
import type { KnownPlan, StepEntry } from "../../machine/plan-state.ts";
import { itemsOf } from "../../machine/step/runs.ts";
import { standingOf } from "../../machine/links/standing.ts";
import { isSettled } from "../../machine/step/step-state.ts";
import { isStandby } from "../../machine/links/ties.ts";
import type { RunTimes } from "./run-times.ts";

/** A run that has taken this many times its expected duration can no longer be estimated. */
const OVERDUE_TIMES = 1.5;

/** One unfinished run. */
export type UnitLeft = {
  readonly ms: number;
  /** Whether it occupies a worker's slot now. */
  readonly isRunning: boolean;
  /** It does not start before this time. */
  readonly notBeforeMs: number;
};

export type StepLeft = {
  readonly step: Step;
  /** The pool whose slots its runs need; undefined for work that needs none. */
  readonly pool: string | undefined;
  /** Empty if it has run and only waits for others. */
  readonly units: readonly UnitLeft[];
};

export type LeftOptions = {
  readonly times: RunTimes;
  /** As milliseconds since the epoch. */
  readonly nowMs: number;
  /** The remaining time of a running sub-plan, in milliseconds; undefined if unknown. */
  readonly subPlanMs: (planId: string) => number | undefined;
};

/**
 * The steps that others may still wait for, including failed ones whose fallback is running; without fallbacks that most likely
 * never run.
 */
export function openSteps(plan: KnownPlan): StepEntry[] {
  return [...plan.steps.values()].filter((entry) => standingOf(entry) === "open" && !isStandby(plan, entry));
}

/** Undefined if the step's duration is unknown, because of its tool, a person, or a review by a model. */
export function stepLeft(plan: KnownPlan, entry: StepEntry, options: LeftOptions): StepLeft | undefined {
  const { step, grant, state } = entry;
  const pool = step.tool === PLAN_RUN ? undefined : poolOf(entry);
  const isToBeTaken = state.status === "reviewing" && (state.for === "verification" || state.for === "draft");
  if (isToBeTaken || isSettled(state)) return { step, pool, units: [] };
  if (stepReviewOf(plan.goal, step, grant) !== undefined || needsPerson(plan, entry)) return undefined;
  const units = runsLeft(plan, entry)?.map((run) => unitLeft(run, options));
  if (units === undefined || units.includes(undefined)) return undefined;
  return { step, pool, units: units.filter((unit) => unit !== undefined) };
}

/** The duration of a step that has all the slots that it can use. */
export function aloneMs({ units }: Pick<StepLeft, "units">): number {
  const all = units.reduce((sum, { ms }) => sum + ms, 0);
  return Math.max(all / LIMITS.itemsAtOnceMax, ...units.map(({ ms, notBeforeMs }) => notBeforeMs + ms));
}

function needsPerson({ goal }: KnownPlan, { step, grant, state, approved }: StepEntry): boolean {
  if (state.status === "awaiting-approval") return true;
  if (state.status !== "waiting" || approved !== undefined) return false;
  return alwaysWaits(goal, { tool: step.tool, risk: grant.risk }) || isUnsure(goal, step.confidence);
}

/** Undefined while the step's list is unknown. */
function runsLeft(plan: KnownPlan, entry: StepEntry): readonly StepEntry[] | undefined {
  const { forEach } = entry.step;
  if (forEach === undefined) return [entry];
  if (entry.state.status === "repeating")
    return itemsOf(plan, entry.step.id).filter(({ state }) => !isSettled(state));
  if (!Array.isArray(forEach)) return undefined;
  return forEach.map((value, index) => ({ ...entry, item: { index, value: { value } } }));
}

function unitLeft(run: StepEntry, { times, nowMs, subPlanMs }: LeftOptions): UnitLeft | undefined {
  const { state, failedAttempts, subPlan } = run;
  if (state.status === "awaiting-approval" || state.status === "reviewing") return undefined;
  const isRunning = state.status === "running" && state.startedAt !== undefined;
  if (isRunning && subPlan !== undefined) {
    const childMs = subPlanMs(subPlan);
    return childMs === undefined ? undefined : { ms: childMs, isRunning, notBeforeMs: 0 };
  }
  const ms = times.of(run);
  if (ms === undefined) return undefined;
  if (isRunning) {
    // The clocks of two machines differ.
    const elapsedMs = Math.max(0, nowMs - Date.parse(state.startedAt ?? ""));
    return elapsedMs > OVERDUE_TIMES * ms
      ? undefined
      : { ms: Math.max(0, ms - elapsedMs), isRunning, notBeforeMs: 0 };
  }
  const retryAt =
    state.status === "waiting" && state.for === "retry" ? failedAttempts.at(-1)?.retryAt : undefined;
  const notBeforeMs = retryAt === undefined ? 0 : Math.max(0, Date.parse(retryAt) - nowMs);
  return { ms, isRunning, notBeforeMs };
}
