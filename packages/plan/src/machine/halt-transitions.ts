/** Pausing, resuming and the delayed start: how a plan is halted, and how it continues. */
import { isHalted, type NextPlan } from "./plan-state.ts";
import type { PauseRequested, ResumeRequested } from "../events/control-events.ts";
import { hintStop, setTimer } from "./changes.ts";
import { proceedToEnd } from "./ending/conclusion.ts";
import { forgetOutage } from "./model-outage.ts";
import { allRuns, setState } from "./step/runs.ts";

const START_TIMER = "start";

/** A pause has no effect once the end is decided. */
export function pause(next: NextPlan, { data, at }: PauseRequested): boolean {
  if (next.conclusion !== undefined || next.pause !== undefined || data.pause !== next.pauses + 1) {
    return false;
  }
  const { reason, by } = data;
  next.pauses = data.pause;
  next.pause = { reason, by, at };
  // Workers might be about to start the next step of a unit themselves.
  if (next.inFlight > 0) hintStop(next);
  return true;
}

export function resume(next: NextPlan, { data }: ResumeRequested): boolean {
  if (next.pause === undefined || data.pause !== next.pauses) return false;
  delete next.pause;
  forgetOutage(next);
  goOn(next, { wereRefused: true });
  return true;
}

/**
 * Resumes a plan when the waiting time for its model server is over, and retries the work that failed. Workers refused
 * nothing in the meantime.
 */
export function resumeAfterOutage(next: NextPlan, pause: number): void {
  if (next.pause?.until === undefined || pause !== next.pauses) return;
  delete next.pause;
  goOn(next, { wereRefused: false });
}

/** Holds all work back until the start time, by the server's clock. */
export function delayStart(next: NextPlan, at: string): void {
  next.startsAt = at;
  setTimer(next, START_TIMER, { kind: "start", at });
}

/** The start time has come. */
export function startNow(next: NextPlan): void {
  delete next.startsAt;
  goOn(next, { wereRefused: true });
}

/** Sends all work that was held back, and resends attempts that workers may have refused. */
function goOn(next: NextPlan, sent: { readonly wereRefused: boolean }): void {
  if (isHalted(next)) return;
  if (sent.wereRefused) renumberRefused(next);
  proceedToEnd(next);
}

/**
 * Renumbers attempts that had not started before the pause. Those that may not start during a pause have been or will
 * be refused, so they are sent as new work. The others might still be on their way.
 */
function renumberRefused(next: NextPlan): void {
  for (const entry of allRuns(next)) {
    const { state, grant } = entry;
    if (state.status !== "running" || grant.effect === "read") continue;
    if (state.startedAt !== undefined) continue;
    setState(next, entry, { ...state, sentAfter: next.pauses });
  }
}
