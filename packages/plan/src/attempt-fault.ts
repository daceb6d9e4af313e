import type { Command } from "./decide.ts";
import type { Via } from "./events/values.ts";
import type { StepId } from "./ids.ts";
import type { ArgumentsFault } from "./resolve-arguments.ts";
import type { KnownPlan, StepEntry } from "./state/plan-state.ts";

/** A step whose references lead nowhere has failed before any worker saw it. */
export function recordFault(
  plan: KnownPlan,
  { step }: StepEntry,
  attempt: number,
  error: ArgumentsFault,
): Command {
  const { planId, updatedAt } = plan;
  const run = { stepId: step.id, item: 0, attempt, workerId: "planner" };
  const data = { ...run, startedAt: updatedAt, durationMs: 0, error, retryable: false };
  return {
    kind: "record",
    event: { id: `${attemptId(plan, step.id, attempt)}/done`, type: "step.failed", planId, data },
  };
}

/** Names one attempt of one step, in every message about it. */
export function attemptId(
  plan: { readonly planId: string },
  stepId: StepId,
  attempt: number,
  via?: Via,
): string {
  const own = `${plan.planId}/${stepId}/0/${attempt}`;
  return via === undefined ? own : `${own}/via/${via.stepId}/${via.attempt}`;
}
