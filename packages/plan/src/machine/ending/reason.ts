import type { NextPlan } from "../plan-state.ts";

/** Adds what became known later to the reason of a plan's end. */
export function addToReason(next: NextPlan, more: readonly string[]): void {
  const { conclusion } = next;
  if (conclusion === undefined) return;
  next.conclusion = { ...conclusion, reason: [conclusion.reason, ...more].join("; ") };
}
