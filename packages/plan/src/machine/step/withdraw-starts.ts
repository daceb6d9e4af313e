import type { NextPlan, Plan } from "../plan-state.ts";
import { startedSince } from "../changes.ts";
import { holdBack } from "./step-transitions.ts";

/**
 * Takes back what the event has started before it came to request a revision. One event may end several steps that are
 * tied to each other, and only the last of them may show that the plan has to be revised.
 */
export function withdrawStarts(before: Plan, next: NextPlan): void {
  if (next.revisionsWanted.length === 0 && next.drafting.revision === 0) return;
  for (const entry of startedSince(before, next)) {
    if ("attempt" in entry.state) holdBack(next, entry, entry.state.attempt);
  }
}
