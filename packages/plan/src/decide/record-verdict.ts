import { recordFault } from "./attempt-fault.ts";
import type { Command } from "./command.ts";
import { StepExpanded, StepSkipped } from "../events/step-events.ts";
import type { StepId } from "../values/ids.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { isUndecided } from "../machine/step/step-state.ts";
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
