import type { KnownPlan, NextPlan, PlanGate } from "../plan-state.ts";

/** What a person is asked about the plan as a whole, as long as there is something to decide. */
export function openGate({ planGate, conclusion }: KnownPlan): PlanGate | undefined {
  return conclusion === undefined ? planGate : undefined;
}

/** Nothing is asked about the plan as a whole any more. */
export function closeGate(next: NextPlan): void {
  delete next.planGate;
}
