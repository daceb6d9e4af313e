import type { CompensationEntry, NextPlan, StepEntry } from "../plan-state.ts";
import { interrupt } from "../approval/approval-transitions.ts";
import { fail, giveUpStopping } from "./attempt-transitions.ts";
import { forfeitReserve, holderOf } from "../budget/budget-ledger.ts";
import { failUndo, interruptUndo } from "./compensations.ts";
import { proceedToEnd } from "../ending/conclusion.ts";
import { itemOf, nameOf, setState } from "./runs.ts";
import { stopSubPlan } from "../sub-plans.ts";

/**
 * Expires an attempt whose worker has not reported. An attempt that runs at most once may have had its effect, so a
 * user decides; any other attempt has failed, and may be retried.
 */
export function expireAttempt(next: NextPlan, entry: StepEntry | CompensationEntry, at: string): void {
  const { state, grant } = entry;
  if (state.status !== "running") return;
  const { attempt, workerId = "unknown", startedAt = at } = state;
  const message = "its worker has not reported in time";
  const error = { code: "deadline_exceeded", message };
  const retryable = grant.effect !== "once";
  const durationMs = Math.max(0, Date.parse(at) - Date.parse(startedAt));
  if ("compensate" in entry) {
    const { stepId } = entry;
    const data = { stepId, item: 0, attempt, workerId, startedAt, durationMs, error, retryable };
    if (grant.effect === "once")
      interruptUndo(next, entry, { data: { stepId, item: 0, attempt, workerId, message }, at });
    else failUndo(next, entry, { data, at });
    proceedToEnd(next);
    return;
  }
  const { id: stepId } = entry.step;
  const run = { stepId, item: itemOf(entry), attempt, workerId };
  if (state.stopping !== undefined) giveUpStopping(next, entry);
  else if (stopSubPlan(next, run, "it took longer than its step may take")) {
    setState(next, entry, { ...state, isOver: true });
  } else if (grant.effect === "once") interrupt(next, { data: { ...run, message }, at });
  else {
    const { unit } = state;
    // The usage of its worker is unknown.
    forfeitReserve(next, holderOf.step({ ...nameOf(entry), attempt }));
    fail(next, { data: { ...run, unit, startedAt, durationMs, error, retryable }, at });
  }
}
