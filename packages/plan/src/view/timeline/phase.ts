/** The activity or wait of a run, derived from its state. */
import { AGENT_REACT, HUMAN_ASK, PLAN_RUN } from "../../language/tool-names.ts";
import { CODE_RUN } from "../../arguments/code-run.ts";
import type { ToolGrant, Usage } from "../../events/values.ts";
import { begunCall } from "../../machine/loop/call-ledger.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../../machine/plan-state.ts";
import type { WaitingFor } from "../../machine/step/step-state.ts";
import type { SegmentKind, WaitReason, BarStatus, Segment } from "./timeline.ts";

/** Undefined for a settled run, and for a compensation whose turn has not come. */
export function phaseOf(plan: KnownPlan, entry: StepEntry | CompensationEntry): Phase | undefined {
  const { state } = entry;
  switch (state.status) {
    case "waiting":
      if (!("step" in entry)) return state.for === "retry" ? { kind: "retry" } : undefined;
      return phaseOfWaiting(plan, state.for);
    case "running":
      if (state.startedAt === undefined) return heldBy(plan);
      return { kind: isInCall(entry) ? "tool" : workKind(entry), attempt: state.attempt };
    case "awaiting-approval": {
      const isQuestion = "step" in entry && entry.step.tool === HUMAN_ASK;
      return { kind: "wait", why: isQuestion ? "answer" : "approval" };
    }
    case "repeating":
      return { kind: "items" };
    case "reviewing":
      return { kind: "reviewing" };
    default:
      return undefined;
  }
}

/** Derived from the tool and its grant, and after the attempt from its recorded usage. */
export function workKind(entry: StepEntry | CompensationEntry, usage?: Usage): SegmentKind {
  const { tool } = "step" in entry ? entry.step : entry.compensate;
  if (tool === PLAN_RUN) return "sub-plan";
  if (tool === CODE_RUN || ("step" in entry && entry.openTurn !== undefined)) return "tool";
  if (usage !== undefined && tool !== AGENT_REACT) return usage.modelCalls > 0 ? "model" : "tool";
  const { modelTokens }: ToolGrant = entry.grant;
  return modelTokens === undefined ? "tool" : "model";
}

/** Whether the attempt is in a call of its loop that changes something. */
function isInCall(entry: StepEntry | CompensationEntry): boolean {
  if (!("step" in entry) || entry.state.status !== "running") return false;
  return begunCall(entry)?.attempt === entry.state.attempt;
}

const WAITS: Readonly<Partial<Record<WaitingFor, WaitReason>>> = {
  dependencies: "dependencies",
  primary: "primary",
  condition: "verdict",
  items: "verdict",
  turn: "turn",
  draft: "draft",
  approval: "approval",
};

function phaseOfWaiting(plan: KnownPlan, reason: WaitingFor): Phase {
  const why = WAITS[reason];
  if (why !== undefined) return { kind: "wait", why };
  if (reason === "retry") return { kind: "retry" };
  if (reason === "budget" && plan.budget?.asking !== undefined) return { kind: "wait", why: "budget" };
  return heldBy(plan);
}

/** The wait that holds back every run which nothing else holds back. */
function heldBy({ pause, startsAt }: KnownPlan): Phase {
  if (pause !== undefined) return { kind: "wait", why: "pause" };
  return startsAt === undefined ? { kind: "queue" } : { kind: "wait", why: "start" };
}

/** The kind of a segment, with the reason of a wait and the number of an attempt. */
export type Phase = { readonly kind: SegmentKind; readonly why?: WaitReason; readonly attempt?: number };

/** A bar under construction. It is changed in place, and not exposed before it is complete. */
export type Course = {
  readonly startMs: number;
  readonly segments: Segment[];
  open: (Phase & { startMs: number }) | undefined;
  status: BarStatus;
  /** Segments before this time are fixed by an event and can no longer be moved. */
  floorMs: number;
  /** The start of the running attempt's segments; undefined while none is running. */
  workFrom: number | undefined;
};

export function newCourse(atMs: number): Course {
  return { startMs: atMs, segments: [], open: undefined, status: "open", floorMs: atMs, workFrom: undefined };
}

/** Starts a new segment if the run's activity or wait changes. */
export function enter(course: Course, phase: Phase, atMs: number): void {
  const { open } = course;
  if (open?.kind === phase.kind && open.why === phase.why && open.attempt === phase.attempt) return;
  const startMs = shut(course, atMs);
  if (phase.attempt === undefined && course.workFrom !== undefined) {
    course.workFrom = undefined;
    // The outcome of an attempt that awaits a person's decision may still arrive.
    if (phase.kind !== "wait") course.floorMs = startMs;
  }
  course.open = { ...phase, startMs: resumed(course, phase) ?? startMs };
  course.status = "open";
}

/** The start of a wait of the same kind that ended just before: the two are merged into one. */
function resumed({ segments }: Course, { kind, why }: Phase): number | undefined {
  const last = segments.at(-1);
  if (kind !== "wait" || last?.kind !== kind || last.why !== why) return undefined;
  segments.pop();
  return last.startMs;
}

/** Records that a worker has started, perhaps before the log shows it: waiting time recorded after that moment is removed. */
export function beginWork(course: Course, phase: Phase, atMs: number): void {
  if (course.workFrom !== undefined) return;
  const startMs = cutBack(course, atMs);
  course.workFrom = course.segments.length;
  course.open = { ...phase, startMs };
  course.status = "open";
}

/**
 * Records that a worker has finished. It reports when it started, which may be before its start was recorded.
 *
 * @returns When it ended: the next segment starts there.
 */
export function endWork(
  course: Course,
  phase: Phase,
  { startMs, endMs }: { startMs: number; endMs: number },
): number {
  if (course.workFrom === undefined) beginWork(course, phase, startMs);
  else startEarlier(course, startMs);
  if (
    course.open !== undefined &&
    phase.kind !== course.open.kind &&
    course.segments.length === course.workFrom
  )
    course.open = { ...phase, startMs: course.open.startMs };
  const end = shut(course, endMs);
  course.open = undefined;
  course.workFrom = undefined;
  course.floorMs = end;
  return end;
}

/** Settles the run; its open segment ends with it. */
export function settleCourse(course: Course, status: Exclude<BarStatus, "open">, atMs: number): void {
  if (course.open !== undefined) course.floorMs = shut(course, atMs);
  course.open = undefined;
  course.workFrom = undefined;
  course.status = status;
}

export function endOf({ segments, startMs }: Pick<Course, "segments" | "startMs">): number {
  return segments.at(-1)?.endMs ?? startMs;
}

/** Ends the open segment, and removes it if it has no duration. Returns the end. */
function shut(course: Course, atMs: number): number {
  const { open } = course;
  if (open === undefined) return endOf(course);
  const endMs = Math.max(atMs, open.startMs);
  if (endMs > open.startMs) course.segments.push({ ...open, endMs });
  return endMs;
}

/** Cuts earlier segments back to the start of work, or to the earliest possible time. Returns that time. */
function cutBack(course: Course, atMs: number): number {
  const wantedMs = Math.max(atMs, course.floorMs);
  const { open, segments } = course;
  if (open === undefined || open.startMs <= wantedMs) return shut(course, wantedMs);
  course.open = undefined;
  return cutClosed(segments, wantedMs, open.startMs);
}

function cutClosed(segments: Segment[], atMs: number, elseMs: number): number {
  let cutMs = elseMs;
  for (let last = segments.at(-1); last !== undefined && endsAfter(last, atMs); last = segments.at(-1)) {
    segments.pop();
    cutMs = Math.max(last.startMs, atMs);
    if (last.startMs < atMs) segments.push({ ...last, endMs: atMs });
  }
  return cutMs;
}

function endsAfter({ endMs = Number.POSITIVE_INFINITY }: Segment, atMs: number): boolean {
  return endMs > atMs;
}

function startEarlier(course: Course, atMs: number): void {
  const { segments, workFrom = segments.length, open } = course;
  const first = segments[workFrom] ?? open;
  const wantedMs = Math.max(atMs, course.floorMs);
  if (first === undefined || first.startMs <= wantedMs) return;
  const work = segments.splice(workFrom);
  const startMs = cutClosed(segments, wantedMs, first.startMs);
  course.workFrom = segments.length;
  if (work[0] !== undefined) work[0] = { ...work[0], startMs };
  else if (open !== undefined) open.startMs = startMs;
  segments.push(...work);
}
