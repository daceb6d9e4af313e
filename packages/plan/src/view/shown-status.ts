/** The status under which a step, an item or a compensation is shown once it was sent. */
import type { StepState } from "../machine/step/step-state.ts";

/**
 * `queued` until a worker reports that it began, then `running`.
 *
 * A step that changes something reports its start before it acts, and a model call before it is made. Any other read
 * reports it only after 30 ms (docs/decisions/0008): a quicker one goes from `queued` straight to its outcome.
 */
export function sentStatus({ startedAt }: Extract<StepState, { status: "running" }>): "queued" | "running" {
  return startedAt === undefined ? "queued" : "running";
}
