import { argumentsHash } from "../values/arguments-hash.ts";
import type { Command } from "./command.ts";
import type { StepId } from "../values/ids.ts";
import { agentOf, poolOf } from "../language/pool-of.ts";
import { allowedUndoArguments } from "../policy/allowed-arguments.ts";
import type { ArgumentsFault } from "../arguments/resolve-arguments.ts";
import { currentCompensation } from "../machine/step/compensations.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import type { StepWork } from "../events/work.ts";

/** Has the compensation of a step run, or its fault recorded when its arguments lead nowhere. */
export function runCompensation(plan: KnownPlan, stepId: StepId): Command | undefined {
  const entry = currentCompensation(plan);
  if (entry?.stepId !== stepId || entry.state.status !== "running") return undefined;
  const { compensate, grant, state, approved } = entry;
  const { attempt, sentAfter } = state;
  const { planId, goal } = plan;
  const id = compensationId(plan, stepId, attempt);
  const resolved = allowedUndoArguments(plan, entry);
  if ("fault" in resolved) return recordUndoFault(plan, stepId, attempt, resolved.fault);
  const work: StepWork = {
    planId,
    tenant: goal.tenant,
    stepId,
    item: 0,
    undo: true,
    attempt,
    sentAfter,
    tool: compensate.tool,
    args: resolved.args,
    pool: poolOf({ step: compensate, grant }),
    ...agentOf({ step: compensate, grant }),
    effect: grant.effect,
    timeoutMs: compensate.timeoutMs ?? grant.timeoutMs,
    trace: goal.trace,
  };
  if (approved !== undefined)
    work.approval = { approvalId: approved.approvalId, argsHash: argumentsHash(approved.args) };
  if (goal.sources !== undefined) work.sources = goal.sources;
  return { kind: "run", id, work };
}

/** Records that what undoes a step has failed before any worker saw it. */
export function recordUndoFault(
  plan: KnownPlan,
  stepId: StepId,
  attempt: number,
  error: ArgumentsFault,
): Command {
  const { planId, updatedAt } = plan;
  const run = { stepId, item: 0, attempt, undo: true, workerId: "planner" } as const;
  const data = { ...run, startedAt: updatedAt, durationMs: 0, error, retryable: false };
  const id = `${compensationId(plan, stepId, attempt)}/done`;
  return { kind: "record", event: { id, type: "step.failed", planId, data } };
}

/** Names one attempt to undo a step, in every message about it. */
export function compensationId(plan: { readonly planId: string }, stepId: StepId, attempt: number): string {
  return `${plan.planId}/${stepId}/undo/${attempt}`;
}
