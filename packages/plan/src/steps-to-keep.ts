import type { StepId } from "./ids.ts";
import type { StepEntry, StepState } from "./state/plan-state.ts";

/** Whether a step has not come to its end: a revision may keep it by naming it. */
export function isOpen({ status }: Pick<StepState, "status">): boolean {
  const hasRun = status === "running" || status === "reviewing";
  return hasRun || status === "waiting" || status === "awaiting-approval";
}

/**
 * The steps of the old plan that a revision needs: those that it names, and whatever they need themselves.
 *
 * @param named - What the revision's steps are, depend on, and answer from.
 */
export function stepsToKeep(
  steps: ReadonlyMap<StepId, Pick<StepEntry, "dependencies">>,
  named: Iterable<StepId>,
): ReadonlySet<StepId> {
  const kept = new Set<StepId>();
  const pending = [...named];
  for (let stepId = pending.pop(); stepId !== undefined; stepId = pending.pop()) {
    const entry = steps.get(stepId);
    if (entry === undefined || kept.has(stepId)) continue;
    kept.add(stepId);
    pending.push(...entry.dependencies);
  }
  return kept;
}
