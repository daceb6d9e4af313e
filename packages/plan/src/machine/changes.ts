/**
 * What an event has changed. A transition notes it where it makes the change. From it, `decide/owed.ts` derives what the
 * dispatcher has to do now, and `view/timeline` what each run does from then on, without looking at the whole plan.
 */
import type {
  Changes,
  KnownPlan,
  NextChanges,
  NextPlan,
  Plan,
  StepEntry,
  StepState,
  Timer,
} from "./plan-state.ts";
import { isSameAttempt } from "./step/attempts.ts";
import { runNamed } from "./step/runs.ts";

export const NO_CHANGES: Changes = { runs: [], timers: [], outputs: [], lost: [], units: [], stop: false };

export function openChanges(): NextChanges {
  return { runs: [], timers: [], outputs: [], lost: [], units: [], stop: false };
}

type Next = { readonly changes: NextChanges };

/** Sets a timer that the scheduler fires. */
export function setTimer(next: Next & { timers: KnownPlan["timers"] }, name: string, timer: Timer): void {
  next.timers = next.timers.set(name, timer);
  next.changes.timers.push(name);
}

/** Stops waiting for a timer, if the plan does so. */
export function dropTimer(next: Pick<NextPlan, "timers">, name: string): void {
  next.timers = next.timers.delete(name);
}

/** Stops waiting for all timers, or for those that match. */
export function dropTimers(
  next: Pick<NextPlan, "timers">,
  isGone: (timer: Timer) => boolean = () => true,
): void {
  next.timers = next.timers.filterNot(isGone);
}

/** Notifies workers that their current work may not be needed any more: only a hint, so losing it does no harm. */
export function hintStop(next: Next): void {
  next.changes.stop = true;
}

/**
 * Returns the runs that the last event sent to a worker, or for which it requested an approval before they start.
 *
 * @param before - The plan before that event.
 */
export function startedSince(before: Plan, after: KnownPlan): StepEntry[] {
  const started = new Set<StepEntry>();
  for (const name of after.changes.runs) {
    const entry = runNamed(after, name);
    const earlier = before.status === "absent" ? undefined : runNamed(before, name)?.state;
    if (entry !== undefined && isStart(entry.state) && !isSameStart(entry.state, earlier)) started.add(entry);
  }
  return [...started];
}

function isStart(state: StepState): boolean {
  // The worker of a unit starts the unit's steps itself.
  if (state.status === "running") return state.unit === undefined;
  if (state.status !== "awaiting-approval") return false;
  return state.about.kind !== "outcome-unknown" && state.about.call === undefined;
}

function isSameStart(state: StepState, earlier: StepState | undefined): boolean {
  if (state.status === "running") return earlier?.status === "running" && isSameAttempt(earlier, state);
  return (
    state.status === "awaiting-approval" &&
    earlier?.status === "awaiting-approval" &&
    earlier.approvalId === state.approvalId
  );
}
