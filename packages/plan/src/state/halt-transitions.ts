/** Pausing, resuming and the delayed start: how a plan comes to be halted, and how it goes on. */
import type { PauseRequested, ResumeRequested } from "../events/control-events.ts";
import { proceedToEnd } from "./conclusion.ts";
import { processAgain } from "./facts.ts";
import { forgetOutage } from "./model-outage.ts";
import { isHalted } from "./plan-state.ts";
import { allRuns, nameOf } from "./runs.ts";
import { type NextPlan, setState } from "./step-transitions.ts";
import { tellSubPlan } from "./sub-plans.ts";

const START_TIMER = "start";

/** Too late once the end is decided. */
export function pause(next: NextPlan, { data, at }: PauseRequested): boolean {
  if (next.conclusion !== undefined || next.pause !== undefined || data.pause !== next.pauses + 1) {
    return false;
  }
  const { reason, by } = data;
  next.pauses = data.pause;
  next.pause = { reason, by, at };
  // Workers may be about to go on with the next step by themselves.
  if (next.inFlight > 0) next.due.push({ kind: "stop" });
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
  next.timers = next.timers.set(START_TIMER, { kind: "start", at });
  next.due.push({ kind: "timer", timer: START_TIMER, at });
}

/** The time has come at which the plan was to start. */
export function startNow(next: NextPlan): void {
  delete next.startsAt;
  goOn(next, { wereRefused: true });
}

/** Sends all that was kept back, and all that was sent before and may have been refused. */
function goOn(next: NextPlan, sent: { readonly wereRefused: boolean }): void {
  if (isHalted(next)) return;
  sendAgain(next, sent);
  for (const subPlan of next.subPlans.values()) tellSubPlan(next, subPlan);
  if (next.drafting.phase === "requested") next.due.push({ kind: "draft" });
  if (next.joining.phase === "requested") next.due.push({ kind: "join" });
  if (next.critique !== undefined) next.due.push({ kind: "critique" });
  processAgain(next);
  proceedToEnd(next);
}

/**
 * Attempts that had not started before the pause. Those that must not start without leave can only have been
 * refused, or will be, so that they are sent as something new; the others may still be on their way.
 */
function sendAgain(next: NextPlan, { wereRefused }: { readonly wereRefused: boolean }): void {
  for (const entry of allRuns(next)) {
    const { state, grant } = entry;
    if (state.status === "reviewing" && state.for === undefined)
      next.due.push({ kind: "review", stepId: entry.step.id });
    if (state.status !== "running") continue;
    // A bundle is sent again as a whole, also when some of its steps have begun.
    if (state.startedAt !== undefined && state.sentWith === undefined) continue;
    if (grant.effect !== "read" && wereRefused) setState(next, entry, { ...state, sentAfter: next.pauses });
    next.due.push({ kind: "run", ...nameOf(entry), again: true });
  }
}
