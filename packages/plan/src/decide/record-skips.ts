import type { Command } from "./command.ts";
import { StepSkipped } from "../events/step-events.ts";
import type { StepId } from "../values/ids.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { isSettled } from "../machine/step/step-state.ts";

/** Records that the dependents of a lost step will not run; undefined when it has no open dependents. */
export function recordSkips(plan: KnownPlan, because: StepId): Command | undefined {
  const stepIds = unsettledDependents(plan, because);
  if (stepIds.length === 0) return undefined;
  const data = { stepIds, because, reason: `needs ${because}, which did not succeed` };
  const redriven = (stepId: StepId): number => plan.steps.get(stepId)?.redriven ?? 0;
  return { kind: "record", event: StepSkipped.unstamped(plan.planId, data, redriven) };
}

/** Whether its dependents may run all the same: with its fallback's output, or that of the step that it verifies. */
function isTied({ step, standIn }: StepEntry): boolean {
  return step.verifies !== undefined || (step.fallback !== undefined && standIn !== "none");
}

/** All steps below `stepId` that have not settled, nearest first. */
function unsettledDependents(plan: KnownPlan, stepId: StepId): StepId[] {
  const found = new Set<StepId>();
  const pending = [stepId];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    for (const dependent of plan.steps.get(id)?.dependents ?? []) {
      const entry = plan.steps.get(dependent);
      if (entry === undefined || found.has(dependent) || isSettled(entry.state)) continue;
      found.add(dependent);
      if (!isTied(entry)) pending.push(dependent);
    }
  }
  return [...found];
}
