import type { NextPlan } from "../plan-state.ts";

/** Adds to the reason of a plan's end what is known only later. */
export function addToReason(next: NextPlan, more: readonly string[]): void {
  const { conclusion } = next;
  if (conclusion === undefined) return;
  next.conclusion = { ...conclusion, reason: [conclusion.reason, ...more].join("; ") };
}
