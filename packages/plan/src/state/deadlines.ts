/**
 * When an attempt has to be over, by the server's clock: its worker enforces the tool's own time-out, and this
 * catches the worker that never reports.
 *
 * The clock runs from the attempt's recorded start, so that waiting in a long queue fails nothing. One timer of a
 * plan is pending at a time, for the attempt that has to be over first: a plan of a thousand steps costs a few
 * schedules, and one whose steps end at once costs none.
 */
import type { CompensationEntry, KnownPlan, StepEntry } from "./plan-state.ts";
import type { NextPlan } from "./step-transitions.ts";

/** Longer than a hung worker keeps its message to itself, so that another one gets its chance first. */
export const DEADLINE_MARGIN_MS = 30_000;
/** What a worker that was told to stop has for saying how its step ended. */
export const STOPPING_MS = 30_000;

/** Milliseconds since the epoch; undefined for what has not started. */
export function deadlineOf(entry: StepEntry | CompensationEntry): number | undefined {
  const { state, grant } = entry;
  if (state.status !== "running") return undefined;
  if (state.stopping !== undefined) return Date.parse(state.stopping.at) + STOPPING_MS;
  if (state.startedAt === undefined) return undefined;
  const { timeoutMs } = "step" in entry ? entry.step : entry.compensate;
  return Date.parse(state.startedAt) + (timeoutMs ?? grant.timeoutMs) + DEADLINE_MARGIN_MS;
}

/** Has the plan woken when the attempt has to be over, unless it will be woken before that anyway. */
export function watchAttempt(next: NextPlan, entry: StepEntry | CompensationEntry): void {
  const deadline = deadlineOf(entry);
  if (deadline !== undefined) wakeAt(next, deadline);
}

/** Once a timer has fired: the attempts that are still watched. */
export function watchRest(next: NextPlan): void {
  let earliest = Number.POSITIVE_INFINITY;
  for (const entry of running(next)) earliest = Math.min(earliest, deadlineOf(entry) ?? earliest);
  if (Number.isFinite(earliest)) wakeAt(next, earliest);
}

/** Everything that had to be over at that time, and is not. */
export function overdueAt(plan: KnownPlan, atMs: number): (StepEntry | CompensationEntry)[] {
  return [...running(plan)].filter((entry) => (deadlineOf(entry) ?? Number.POSITIVE_INFINITY) <= atMs);
}

function* running({ steps, compensations }: KnownPlan): Generator<StepEntry | CompensationEntry> {
  for (const entry of steps.values()) if (entry.state.status === "running") yield entry;
  for (const entry of compensations ?? []) if (entry.state.status === "running") yield entry;
}

function wakeAt(next: NextPlan, deadlineMs: number): void {
  if (next.watch !== undefined && Date.parse(next.watch.at) <= deadlineMs) return;
  next.watches += 1;
  next.watch = { timer: `deadline-${next.watches}`, at: new Date(deadlineMs).toISOString() };
  next.due.push({ kind: "timer", ...next.watch });
}
