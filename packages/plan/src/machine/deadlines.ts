/**
 * The deadline of an attempt, by the server's clock. The worker enforces the tool's own time-out; the deadline catches
 * a worker that never reports.
 *
 * The clock runs from the attempt's recorded start, so that a long wait in the queue fails no attempt. A plan has one
 * pending timer, for the attempts with the earliest deadlines: a plan of a thousand steps needs only a few schedules,
 * and a plan whose steps end immediately needs none.
 *
 * The recorded times of an event may differ between readers of the log (the worker's or the server's clock). Times
 * therefore only decide which timer to set. The timer's event names the deadline and the attempts that it expires, so
 * that every reader computes the same plan.
 */
import type { CompensationEntry, KnownPlan, NextPlan, StepEntry } from "./plan-state.ts";
import type { Deadline } from "../events/outcome-events.ts";
import { allRuns } from "./step/runs.ts";
import { LIMITS } from "../values/limits.ts";
import { isOwnerTool } from "../language/tool-names.ts";

/** Longer than a hung worker holds its message, so that another worker can take over first. */
export const DEADLINE_MARGIN_MS = 20_000;
/** How long a worker that was asked to stop has to report its step's end. */
export const STOPPING_MS = 30_000;
/** Attempts whose deadlines are this close together expire together, at the latest of them. */
const TOGETHER_MS = 5_000;

type Watched = StepEntry | CompensationEntry;

/** Whether anything is running that could become overdue. */
export function mayBeOverdue({ inFlight, undoing }: KnownPlan): boolean {
  return inFlight + undoing > 0;
}

/** Sets a timer for the attempt's deadline, unless an earlier timer is pending. */
export function watchAttempt(next: NextPlan, entry: Watched): void {
  const deadline = deadlineOf(entry);
  if (deadline === undefined) return;
  if (next.watch === undefined || Date.parse(next.watch.at) > deadline.atMs) wakeAt(next, [deadline]);
}

/** Clears the deadline that has fired. No timer is pending until another attempt is watched. */
export function endRound(next: NextPlan, round: number): void {
  next.rounds = round;
  delete next.watch;
}

/** From now on, watches only the attempts that have to stop. */
export function watchStopping(next: NextPlan): void {
  delete next.watch;
  if (next.stopping > 0) watchRest(next);
}

/** Sets the timer for the remaining attempts after a deadline has fired. */
export function watchRest(next: NextPlan): void {
  const deadlines: AttemptDeadline[] = [];
  let firstMs = Number.POSITIVE_INFINITY;
  for (const entry of running(next)) {
    const deadline = deadlineOf(entry);
    if (deadline === undefined) continue;
    deadlines.push(deadline);
    firstMs = Math.min(firstMs, deadline.atMs);
  }
  const soon = deadlines.filter(({ atMs }) => atMs <= firstMs + TOGETHER_MS);
  if (soon.length > 0) wakeAt(next, soon.slice(0, LIMITS.inFlightMax));
}

/** Returns the running attempts with these start numbers (the plan's first start is 1). */
export function startedAs(plan: KnownPlan, starts: ReadonlySet<number>): Watched[] {
  return [...running(plan)].filter(
    ({ state }) => state.status === "running" && state.start !== undefined && starts.has(state.start),
  );
}

type AttemptDeadline = { readonly atMs: number; readonly start: number };

/** Returns undefined for an attempt that has not started. */
function deadlineOf(entry: Watched): AttemptDeadline | undefined {
  const { state, grant } = entry;
  if (state.status !== "running" || state.startedAt === undefined || state.start === undefined)
    return undefined;
  const { start, startedAt, stopping } = state;
  if (stopping !== undefined) return { start, atMs: Date.parse(stopping.at) + STOPPING_MS };
  const { tool, timeoutMs } = "step" in entry ? entry.step : entry.compensate;
  // A sub-plan ends itself, and is asked to stop only once.
  if (isOwnerTool(tool) && (timeoutMs === undefined || state.isOver === true)) return undefined;
  return { start, atMs: Date.parse(startedAt) + (timeoutMs ?? grant.timeoutMs) + DEADLINE_MARGIN_MS };
}

function* running(plan: KnownPlan): Generator<Watched> {
  for (const entry of allRuns(plan)) if (entry.state.status === "running") yield entry;
  for (const entry of plan.compensations ?? []) if (entry.state.status === "running") yield entry;
}

function wakeAt(next: NextPlan, attempts: readonly AttemptDeadline[]): void {
  next.watches += 1;
  const atMs = Math.max(...attempts.map((attempt) => attempt.atMs));
  const deadline: Deadline = { round: next.rounds + 1, starts: attempts.map(({ start }) => start) };
  next.watch = { timer: `deadline-${next.watches}`, at: new Date(atMs).toISOString(), deadline };
}
