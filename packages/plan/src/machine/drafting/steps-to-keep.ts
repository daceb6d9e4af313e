import type { StepId } from "../../values/ids.ts";
import type { StepEntry } from "../plan-state.ts";

type Kept = Pick<StepEntry, "dependencies"> & Partial<Pick<StepEntry, "step" | "verifiedBy">>;

/**
 * Returns the steps of the old plan that a revision needs: those that it names, and all their dependencies. A step, its
 * fallback and the steps that verify it stay together.
 *
 * @param named - The steps that the revision contains, depends on, or answers from.
 */
export function stepsToKeep(steps: ReadonlyMap<StepId, Kept>, named: Iterable<StepId>): ReadonlySet<StepId> {
  const primaries = new Map<StepId, StepId>();
  for (const [id, { step }] of steps) if (step?.fallback !== undefined) primaries.set(step.fallback, id);
  const kept = new Set<StepId>();
  const pending = [...named];
  for (let stepId = pending.pop(); stepId !== undefined; stepId = pending.pop()) {
    const entry = steps.get(stepId);
    if (entry === undefined || kept.has(stepId)) continue;
    kept.add(stepId);
    const { dependencies, step, verifiedBy = [] } = entry;
    const primary = primaries.get(stepId);
    pending.push(...dependencies, ...verifiedBy);
    if (step?.fallback !== undefined) pending.push(step.fallback);
    if (primary !== undefined) pending.push(primary);
  }
  return kept;
}
