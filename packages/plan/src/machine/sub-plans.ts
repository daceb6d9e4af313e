/**
 * The sub-plans of a plan: from the start that names them until their end is reported.
 *
 * Invariant:
 *   SUBPLAN-1. A plan does not end before its sub-plans have ended, or have had a minute to do so after it asked them
 *       to stop. A sub-plan is asked to stop when its step is not needed any more.
 */
import type { KnownPlan, NextPlan, SubPlan, SubPlanRun, SubPlans } from "./plan-state.ts";
import { Map } from "immutable";
import type { PlanId } from "../values/ids.ts";
import { setTimer, dropTimer } from "./changes.ts";
import { forfeitReserve, holderOf } from "./budget/budget-ledger.ts";
import { runOf } from "./step/runs.ts";

/** How long the end of a plan waits for sub-plans that were asked to stop. */
const STOPPING_MS = 60_000;
export const SUB_PLANS_TIMER = "sub-plans";

export const NO_SUB_PLANS: SubPlans = Map();

export function subPlanOf(plan: Pick<KnownPlan, "subPlans">, run: SubPlanRun): SubPlan | undefined {
  return plan.subPlans.get(keyOf(run));
}

/** Records the sub-plan of an attempt that has started, so that it can be submitted. */
export function openSubPlan(next: NextPlan, { stepId, item, attempt }: SubPlanRun, planId: PlanId): void {
  const run = { stepId, item, attempt };
  next.subPlans = next.subPlans.set(keyOf(run), { ...run, planId });
}

/** Records that a sub-plan's end was reported. Returns whether there was such a sub-plan. */
export function closeSubPlan(next: NextPlan, run: SubPlanRun): boolean {
  if (!next.subPlans.has(keyOf(run))) return false;
  next.subPlans = next.subPlans.delete(keyOf(run));
  if (next.subPlans.size === 0) dropTimer(next, SUB_PLANS_TIMER);
  return true;
}

/** Marks a sub-plan to be stopped, because its step is not needed any more. Returns whether there is one to wait for. */
export function stopSubPlan(next: NextPlan, run: SubPlanRun, reason: string): boolean {
  const subPlan = subPlanOf(next, run);
  if (subPlan === undefined) return false;
  if (subPlan.stop !== undefined) return true;
  next.subPlans = next.subPlans.set(keyOf(run), { ...subPlan, stop: reason });
  return true;
}

/** Whether the plan's end has to wait for sub-plans, which takes at most a minute. */
export function awaitsSubPlans(next: NextPlan): boolean {
  if (next.subPlans.size === 0) return false;
  if (!next.timers.has(SUB_PLANS_TIMER)) {
    const at = new Date(Date.parse(next.updatedAt) + STOPPING_MS).toISOString();
    setTimer(next, SUB_PLANS_TIMER, { kind: "sub-plans", at });
  }
  return true;
}

/** Stops waiting for sub-plans, and counts their reserves as used. */
export function giveUpSubPlans(next: NextPlan): void {
  for (const run of next.subPlans.values()) {
    // A step that the plan still waits for has its own deadline.
    if (runOf(next, run)?.state.status === "running") continue;
    forfeitReserve(next, holderOf.step(run));
  }
  next.subPlans = NO_SUB_PLANS;
}

function keyOf({ stepId, item, attempt }: SubPlanRun): string {
  return `${stepId}/${item}/${attempt}`;
}
