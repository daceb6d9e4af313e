import { recordFault } from "./attempt-fault.ts";
import type { Command } from "./decide.ts";
import type { StepSkipped } from "./events/step-events.ts";
import type { StepId } from "./ids.ts";
import type { KnownPlan } from "./state/plan-state.ts";
import { verdictOf } from "./state/verdict.ts";

/** Records why a step whose dependencies are over does not run: it was passed over, or nobody can tell whether it should. */
export function recordVerdict(plan: KnownPlan, stepId: StepId): Command | undefined {
  const entry = plan.steps.get(stepId);
  if (entry?.state.status !== "waiting" || entry.state.for !== "condition") return undefined;
  const verdict = verdictOf(plan, entry);
  if (verdict.kind === "run") return undefined;
  if (verdict.kind === "fault") return recordFault(plan, entry, entry.state.attempt, verdict.fault);
  const { planId } = plan;
  const { because, reason } = verdict;
  const id = `${planId}/pass/${stepId}/${entry.redriven ?? 0}`;
  const data: StepSkipped["data"] = { stepIds: [stepId], because, reason, passedOver: true };
  return { kind: "record", event: { id, type: "step.skipped", planId, data } };
}
