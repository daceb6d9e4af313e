import type { NextPlan } from "./plan-state.ts";
import { dropTimers, hintStop } from "./changes.ts";
import { closeDraft } from "./drafting/request-draft.ts";
import { dropWaiting } from "./step/step-transitions.ts";
import { stopAllSteps } from "./step/stop-transitions.ts";

/** Stops all work and all waiting of a plan, because it fails or is cancelled. */
export function stopPlan(next: NextPlan, reason: string): void {
  delete next.pause;
  delete next.startsAt;
  const stopped = stopAllSteps(next, reason);
  dropWaiting(next);
  dropTimers(next);
  const isJudged = next.joining.phase === "requested" || next.critique !== undefined;
  if (stopped > 0 || next.drafting.phase !== "sealed" || isJudged) hintStop(next);
  closeDraft(next);
}
