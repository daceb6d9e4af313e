import { recordFault } from "./attempt-fault.ts";
import type { Command } from "./command.ts";
import type { StepSkipped } from "../events/step-events.ts";
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
  if (verdict.kind === "expand") {
    const { items } = verdict;
    const id = `${planId}/expand/${stepId}/${entry.redriven ?? 0}`;
    return { kind: "record", event: { id, type: "step.expanded", planId, data: { stepId, items } } };
  }
  const { because, reason } = verdict;
  const id = `${planId}/pass/${stepId}/${entry.redriven ?? 0}`;
  const data: StepSkipped["data"] = { stepIds: [stepId], because, reason, passedOver: true };
  return { kind: "record", event: { id, type: "step.skipped", planId, data } };
}
