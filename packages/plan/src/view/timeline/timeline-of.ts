import type { PlanEvent } from "../../events/plan-event.ts";
import { counts, evolve } from "../../machine/evolve.ts";
import {
  type KnownPlan,
  noPlan,
  type Plan,
  type StepEntry,
  isEnded,
  type CompensationEntry,
} from "../../machine/plan-state.ts";
import { itemsOf, allRuns, runNamed, runOf } from "../../machine/step/runs.ts";
import {
  type Course,
  endOf,
  newCourse,
  beginWork,
  endWork,
  enter,
  settleCourse,
  phaseOf,
  workKind,
} from "./phase.ts";
import type { Bar, Mark, PlanSpan, StepTimes, Timeline, PlanSpanKind, BarStatus } from "./timeline.ts";
import { openGate } from "../../machine/approval/open-gate.ts";

/**
 * Builds the timeline of a plan from its log: see `timeline.ts` for its contents and limits.
 *
 * Linear in the events, except for events that change many steps. No state is kept between calls, so the same events always yield
 * the same timeline.
 *
 * @param events - The events of the plan from its first one on, in order. Events that the plan does not accept are ignored.
 * @returns Undefined if the first event is missing: nothing can be derived without it.
 */
export function timelineOf(events: Iterable<PlanEvent>): Timeline | undefined {
  let plan: Plan = noPlan;
  const bars: Bars = { courses: new Map(), settledMs: 0 };
  const marks: Mark[] = [];
  const spans: PlanSpan[] = [];
  let lastMs = 0;
  for (const event of events) {
    const before: Plan = plan;
    plan = evolve(before, event);
    if (plan.status === "absent") return undefined;
    const atMs = Math.max(0, Date.parse(event.at) - Date.parse(plan.submittedAt));
    lastMs = Math.max(lastMs, atMs);
    if (!counts(before, plan)) continue;
    const mark = markOf(event, atMs);
    if (mark !== undefined) marks.push(mark);
    // The synthesis has been reviewing the results since the last one arrived.
    if (event.type === "answer.given" && event.data.join !== undefined)
      spans.push({ kind: "answering", startMs: bars.settledMs, endMs: atMs });
    followSpans(spans, plan, atMs);
    followRuns(bars, { before, plan, event, atMs });
    if (event.type === "plan.ended") settleRest(bars, atMs);
  }
  return plan.status === "absent" ? undefined : { ...shown(plan, bars), lastMs, marks, spans };
}

function shown(plan: KnownPlan, { courses }: Bars): Pick<Timeline, "submittedAtMs" | "endedMs" | "steps"> {
  const submittedAtMs = Date.parse(plan.submittedAt);
  const undone = new Map(plan.compensations?.map((entry) => [entry.stepId, courses.get(keyOf(entry))]));
  const steps = [...plan.steps.values()]
    .sort((left, right) => left.position - right.position)
    .map((entry): StepTimes => {
      const { id: stepId, description, tool } = entry.step;
      const undo = undone.get(stepId);
      return {
        ...barOf(entry, courses),
        stepId,
        description,
        tool,
        needs: entry.dependencies,
        items:
          entry.step.forEach === undefined ? [] : itemsOf(plan, stepId).map((item) => barOf(item, courses)),
        ...(undo === undefined ? {} : { undo: bar(undo) }),
      };
    });
  const end =
    plan.endedAt === undefined ? {} : { endedMs: Math.max(0, Date.parse(plan.endedAt) - submittedAtMs) };
  return { submittedAtMs, ...end, steps };
}

function barOf(entry: StepEntry, courses: Bars["courses"]): Bar {
  const child = entry.subPlan === undefined ? {} : { child: entry.subPlan };
  return { ...bar(courses.get(keyOf(entry)) ?? newCourse(0)), ...child };
}

function bar(course: Course): Bar {
  const { startMs, segments, open, status } = course;
  if (open !== undefined) return { startMs, status, segments: [...segments, open] };
  return { startMs, status, segments, endMs: endOf(course) };
}

const SPANS: readonly (readonly [PlanSpanKind, (plan: KnownPlan) => boolean])[] = [
  ["drafting", ({ drafting }) => drafting.phase === "open"],
  ["critique", ({ drafting }) => drafting.phase === "reviewing"],
  ["paused", ({ pause }) => pause !== undefined],
  ["approval", isAsked],
  ["start", ({ startsAt }) => startsAt !== undefined],
];

/** Opens and closes the spans that start or end with the event. */
function followSpans(spans: PlanSpan[], plan: KnownPlan, atMs: number): void {
  for (const [kind, isOn] of SPANS) {
    const index = spans.findLastIndex((span) => span.kind === kind && span.endMs === undefined);
    const open = spans[index];
    const isNowOn = !isEnded(plan) && isOn(plan);
    if (open === undefined && isNowOn) spans.push({ kind, startMs: atMs });
    if (open !== undefined && !isNowOn) spans[index] = { ...open, endMs: Math.max(atMs, open.startMs) };
  }
}

/** Whether the plan as a whole waits for a decision that was requested. */
function isAsked(plan: KnownPlan): boolean {
  const gate = openGate(plan)?.approvalId;
  const asking = plan.conclusion === undefined ? plan.budget?.asking?.approvalId : undefined;
  return [gate, asking].some((id) => id !== undefined && plan.approvals.has(id));
}

/** The mark of an event that the plan has accepted. */
function markOf(event: PlanEvent, atMs: number): Mark | undefined {
  switch (event.type) {
    case "plan.sealed":
      return { kind: "sealed", atMs, text: "" };
    case "plan.revised":
      return { kind: "revised", atMs, text: event.data.reason, cause: event.data.cause };
    case "draft.abandoned":
      return { kind: "abandoned", atMs, text: event.data.message };
    case "pause.requested":
      return { kind: "paused", atMs, text: said(event.data.by, event.data.reason) };
    case "resume.requested":
      return { kind: "resumed", atMs, text: event.data.by };
    case "cancel.requested":
    case "log.damaged":
      return { kind: "cancelled", atMs, text: event.data.reason };
    case "answer.given":
      return { kind: "answer", atMs, text: event.data.answer.status };
    case "plan.ended":
      return { kind: "ended", atMs, text: said(event.data.outcome, event.data.reason) };
    default:
      return undefined;
  }
}

function said(what: string, why: string): string {
  return why === "" ? what : `${what}: ${why}`;
}

type Run = StepEntry | CompensationEntry;

/** Bars: the activity of each run of a plan from event to event, from the states that `evolve` assigns to it. */
type Bars = {
  /** By `keyOf` the run. */
  readonly courses: Map<string, Course>;
  /** When the last settled run settled. */
  settledMs: number;
};

/** One event, and the plan before and after it. */
type Turn = {
  readonly before: Plan;
  readonly plan: KnownPlan;
  readonly event: PlanEvent;
  /** When the event was written, since the plan's submission. */
  readonly atMs: number;
};

/** Names the bar of a run. A reviewer's edit may replace a step by another one of the same id. */
function keyOf(run: Run): string {
  if (!("step" in run)) return `${run.stepId}/undo`;
  return `${run.step.id}/${run.plannedSeq}/${run.item?.index ?? "whole"}`;
}

/** Applies the event's changes to each run. */
function followRuns(bars: Bars, turn: Turn): void {
  const { before, plan, atMs } = turn;
  const own = runOfEvent(plan, turn.event);
  if (own !== undefined) follow(bars, plan, own, endAttempt(bars, turn) ?? atMs);
  const changed = new Set<Run>(plan.changes.runs.flatMap((name) => runNamed(plan, name) ?? []));
  if (before.status !== "absent") {
    if (plan.compensations !== before.compensations) addAll(changed, plan.compensations ?? []);
    // A wait of the whole plan is not part of its runs' states.
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

/** Returns the end of the attempt's work if the event is its outcome; undefined for any other event. */
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

/** Settles the runs that an ended plan left open, as only a damaged log does. */
function settleRest({ courses }: Bars, atMs: number): void {
  for (const course of courses.values())
    if (course.status === "open") settleCourse(course, "cancelled", atMs);
}
