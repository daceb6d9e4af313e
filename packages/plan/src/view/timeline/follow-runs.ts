/** Bars: what each run of a plan does from event to event, by the states that `evolve` gives it. */
import type { PlanEvent } from "../../events/plan-event.ts";
import type { CompensationEntry, KnownPlan, Plan, StepEntry } from "../../machine/plan-state.ts";
import { allRuns, runNamed, runOf } from "../../machine/step/runs.ts";
import { beginWork, type Course, endWork, enter, newCourse, settleCourse } from "./course.ts";
import { phaseOf, workKind } from "./phase.ts";
import type { BarStatus } from "./timeline.ts";

type Run = StepEntry | CompensationEntry;

export type Bars = {
  /** By `keyOf` the run. */
  readonly courses: Map<string, Course>;
  /** When the last run that has settled did. */
  settledMs: number;
};

/** One event, and the plan before and after it. */
export type Turn = {
  readonly before: Plan;
  readonly plan: KnownPlan;
  readonly event: PlanEvent;
  /** When the event was written, since the plan's submission. */
  readonly atMs: number;
};

/** Names the bar of a run. A reviewer's edit may replace a step by another one of the same id. */
export function keyOf(run: Run): string {
  if (!("step" in run)) return `${run.stepId}/undo`;
  return `${run.step.id}/${run.plannedSeq}/${run.item?.index ?? "whole"}`;
}

/** Takes in what the event has changed of each run. */
export function followRuns(bars: Bars, turn: Turn): void {
  const { before, plan, atMs } = turn;
  const own = runOfEvent(plan, turn.event);
  if (own !== undefined) follow(bars, plan, own, endAttempt(bars, turn) ?? atMs);
  const changed = new Set<Run>(plan.changes.runs.flatMap((name) => runNamed(plan, name) ?? []));
  if (before.status !== "absent") {
    if (plan.compensations !== before.compensations) addAll(changed, plan.compensations ?? []);
    // What holds a whole plan back is no state of its runs.
    if (holdsOn(plan) !== holdsOn(before)) addAll(changed, allRuns(plan));
  }
  for (const run of changed) if (run !== own) follow(bars, plan, run, atMs);
}

function addAll(changed: Set<Run>, runs: Iterable<Run>): void {
  for (const run of runs) changed.add(run);
}

function holdsOn({ pause, startsAt, budget }: KnownPlan): string {
  return [pause, startsAt, budget?.asking].map((hold) => hold !== undefined).join();
}

/** The run that an event reports on. */
function runOfEvent(plan: KnownPlan, { data }: PlanEvent): Run | undefined {
  if (!("stepId" in data) || data.stepId === undefined) return undefined;
  const { stepId } = data;
  if ("undo" in data && data.undo === true) return plan.compensations?.find((run) => run.stepId === stepId);
  return runOf(plan, { stepId, item: "item" in data ? data.item : undefined });
}

/** Returns when the work of the attempt was over whose outcome the event is; undefined for any other event. */
function endAttempt({ courses }: Bars, { before, plan, event }: Turn): number | undefined {
  const { type, data, at } = event;
  if (type !== "step.succeeded" && type !== "step.failed" && type !== "step.asked") return undefined;
  const run = before.status === "absent" ? undefined : runOfEvent(before, event);
  if (run === undefined || run === runOfEvent(plan, event)) return undefined;
  const course = courses.get(keyOf(run));
  if (course?.status !== "open") return undefined;
  const zeroMs = Date.parse(plan.submittedAt);
  const startMs = Date.parse(data.startedAt) - zeroMs;
  const endMs = Math.min(startMs + data.durationMs, Date.parse(at) - zeroMs);
  return endWork(course, { kind: workKind(run, data.usage), attempt: data.attempt }, { startMs, endMs });
}

function follow(bars: Bars, plan: KnownPlan, run: Run, atMs: number): void {
  const phase = phaseOf(plan, run);
  const { status } = run.state;
  // The turn of a compensation has not come.
  if (phase === undefined && status === "waiting") return;
  const key = keyOf(run);
  const course = bars.courses.get(key) ?? newCourse(atMs);
  bars.courses.set(key, course);
  if (phase === undefined) {
    if (course.status === "open") bars.settledMs = Math.max(bars.settledMs, atMs);
    settleCourse(course, status as Exclude<BarStatus, "open">, atMs);
    return;
  }
  if (course.status === "failed") enter(course, { kind: "wait", why: "redrive" }, atMs);
  if (phase.attempt !== undefined && course.workFrom === undefined) beginWork(course, phase, atMs);
  else enter(course, phase, atMs);
}

/** Settles what an ended plan has left open, as only a damaged log does. */
export function settleRest({ courses }: Bars, atMs: number): void {
  for (const course of courses.values())
    if (course.status === "open") settleCourse(course, "cancelled", atMs);
}
