import type { KnownPlan, StepEntry } from "../plan-state.ts";
import { itemOf } from "../step/runs.ts";

/**
 * Names the question whether a step may run. A step that was edited after its approval is asked about under a new id: what was
 * decided under an id stays decided.
 */
export function approvalIdOf(
  { approvals }: KnownPlan,
  entry: StepEntry,
  doubt: "tool-risk" | "confidence",
): string {
  let approvalId = `${doubt === "tool-risk" ? "risk" : doubt}-${entry.step.id}-${itemOf(entry)}`;
  while (approvals.get(approvalId)?.decided !== undefined) approvalId += "-again";
  return approvalId;
}
