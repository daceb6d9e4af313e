import type { Due } from "./due.ts";
import { runNamed } from "./runs.ts";
import type { StepEntry } from "./plan-state.ts";
import { holdBack, leave, type NextPlan } from "./step-transitions.ts";

/**
 * Takes back what the event has started before it came to request a revision. One event may end several steps that are
 * tied to each other, and only the last of them may show that the plan has to be revised.
 */
export function withdrawStarts(next: NextPlan): void {
  if (next.revisionsWanted.length === 0 && next.drafting.revision === 0) return;
  next.due = next.due.filter((due) => {
    const entry = startedBy(next, due);
    if (entry === undefined || !("attempt" in entry.state)) return true;
    if (!holdBack(next, entry, entry.state.attempt)) return true;
    leave(next, entry);
    return false;
  });
}

/** The step that is to be sent for the first time, or that a person is to be asked about before it begins. */
function startedBy(next: NextPlan, due: Due): StepEntry | undefined {
  if (due.kind === "run" && due.again !== true) {
    const entry = runNamed(next, due);
    return entry?.state.status === "running" ? entry : undefined;
  }
  if (due.kind !== "approval" || due.undo === true) return undefined;
  const entry = runNamed(next, due);
  if (entry?.state.status !== "awaiting-approval") return undefined;
  const { about } = entry.state;
  return about.kind === "outcome-unknown" || about.call !== undefined ? undefined : entry;
}
