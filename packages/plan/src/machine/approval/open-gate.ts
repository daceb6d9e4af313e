import type { KnownPlan, NextPlan, PlanGate } from "../plan-state.ts";

/** Returns the open approval request for the whole plan; undefined once the plan's end is decided. */
export function openGate({ planGate, conclusion }: KnownPlan): PlanGate | undefined {
  return conclusion === undefined ? planGate : undefined;
}

/** Withdraws the approval request for the whole plan. */
export function closeGate(next: NextPlan): void {
  delete next.planGate;
}
