/** Pausing, resuming and the delayed start: how a plan is halted, and how it continues. */
import { isHalted, type NextPlan } from "./plan-state.ts";
import type { PauseRequested, ResumeRequested } from "../events/control-events.ts";
import { hintStop, setTimer } from "./changes.ts";
import { proceedToEnd } from "./ending/conclusion.ts";
import { forgetOutage } from "./model-outage.ts";
import { allRuns, setState } from "./step/runs.ts";

const START_TIMER = "start";

/** Too late once the end is decided. */
export function pause(next: NextPlan, { data, at }: PauseRequested): boolean {
  if (next.conclusion !== undefined || next.pause !== undefined || data.pause !== next.pauses + 1) {
    return false;
  }
  const { reason, by } = data;
  next.pauses = data.pause;
  next.pause = { reason, by, at };
  // Workers may be about to continue with the next step by themselves.
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

/** The model server has had its time: what it failed is tried again. No worker was refused meanwhile. */
export function resumeAfterOutage(next: NextPlan, pause: number): void {
  if (next.pause?.until === undefined || pause !== next.pauses) return;
  delete next.pause;
  goOn(next, { wereRefused: false });
}

/** Keeps everything back until the server's clock says that it is time. */
export function delayStart(next: NextPlan, at: string): void {
  next.startsAt = at;
  setTimer(next, START_TIMER, { kind: "start", at });
}

/** The time has come at which the plan was to start. */
export function startNow(next: NextPlan): void {
  delete next.startsAt;
  goOn(next, { wereRefused: true });
}

/** Sends all that was kept back, and all that was sent before and may have been refused. */
function goOn(next: NextPlan, sent: { readonly wereRefused: boolean }): void {
  if (isHalted(next)) return;
  if (sent.wereRefused) renumberRefused(next);
  proceedToEnd(next);
}

/**
 * Attempts that had not started before the pause. Those that must not start without leave can only have been
 * refused, or will be, so that they are sent as something new; the others may still be on their way.
 */
function renumberRefused(next: NextPlan): void {
  for (const entry of allRuns(next)) {
    const { state, grant } = entry;
    if (state.status !== "running" || grant.effect === "read") continue;
    if (state.startedAt !== undefined) continue;
    setState(next, entry, { ...state, sentAfter: next.pauses });
  }
}
