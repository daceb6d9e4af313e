import { recordFault } from "./attempt-fault.ts";
import type { Command } from "./command.ts";
import { StepExpanded, StepSkipped } from "../events/step-events.ts";
import type { StepId } from "../values/ids.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { isSettled, isUndecided } from "../machine/step/step-state.ts";
import { verdictOf } from "../machine/links/verdict.ts";

/**
 * Records what happens to a step whose dependencies have finished, when it does not simply run: it is skipped, it runs
 * once for each item of a list, or its condition or list cannot be evaluated.
 */
export function recordVerdict(plan: KnownPlan, stepId: StepId): Command | undefined {
  const entry = plan.steps.get(stepId);
  if (entry?.state.status !== "waiting" || !isUndecided(entry.state)) return undefined;
  const verdict = verdictOf(plan, entry);
  if (verdict.kind === "run") return undefined;
  if (verdict.kind === "fault") return recordFault(plan, entry, entry.state.attempt, verdict.fault);
  const { planId } = plan;
  const { redriven = 0 } = entry;
  if (verdict.kind === "expand") {
    const { items } = verdict;
    return { kind: "record", event: StepExpanded.unstamped(planId, { stepId, items }, redriven) };
  }
  const { because, reason } = verdict;
  const data = { stepIds: [stepId], because, reason, passedOver: true as const };
  return { kind: "record", event: StepSkipped.unstamped(planId, data, () => redriven) };
}

/** Records that the dependents of a lost step will not run; undefined when it has no open dependents. */
export function recordSkips(plan: KnownPlan, because: StepId): Command | undefined {
  const stepIds = unsettledDependents(plan, because);
  if (stepIds.length === 0) return undefined;
  const data = { stepIds, because, reason: `needs ${because}, which did not succeed` };
  const redriven = (stepId: StepId): number => plan.steps.get(stepId)?.redriven ?? 0;
  return { kind: "record", event: StepSkipped.unstamped(plan.planId, data, redriven) };
}

/** Whether its dependents can still run: with its fallback's output, or that of the step that it verifies. */
function isTied({ step, standIn }: StepEntry): boolean {
  return step.verifies !== undefined || (step.fallback !== undefined && standIn !== "none");
}

/** All unsettled steps below `stepId`, nearest first. */
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
