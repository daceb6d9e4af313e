import type { Command } from "./command.ts";
import type { AttemptRun } from "../machine/step/attempts.ts";
import type { ArgumentsFault } from "../arguments/resolve-arguments.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { itemOf } from "../machine/step/runs.ts";

/** A step whose references lead nowhere has failed before any worker saw it. */
export function recordFault(
  plan: KnownPlan,
  entry: StepEntry,
  attempt: number,
  error: ArgumentsFault,
): Command {
  const { planId, updatedAt } = plan;
  const { id: stepId } = entry.step;
  const item = itemOf(entry);
  const run = { stepId, item, attempt, workerId: "planner" };
  const data = { ...run, startedAt: updatedAt, durationMs: 0, error, retryable: false };
  return {
    kind: "record",
    event: { id: `${attemptId(plan, { stepId, item, attempt })}/done`, type: "step.failed", planId, data },
  };
}

/** Names one attempt of one step, in every message about it. */
export function attemptId(
  plan: { readonly planId: string },
  { stepId, item = 0, attempt, via }: AttemptRun & { readonly item?: number },
): string {
  const own = `${plan.planId}/${stepId}/${item}/${attempt}`;
  return via === undefined ? own : `${own}/via/${via.stepId}/${via.attempt}`;
}
