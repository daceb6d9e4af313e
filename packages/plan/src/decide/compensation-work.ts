import { argumentsHash } from "../values/arguments-hash.ts";
import { recordUndoFault } from "./attempt-fault.ts";
import type { Command } from "./command.ts";
import type { StepId } from "../values/ids.ts";
import { agentOf, poolOf } from "../language/pool-of.ts";
import { allowedUndoArguments } from "../policy/allowed-arguments.ts";
import { currentCompensation } from "../machine/step/compensations.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { type StepWork, stepWorkId } from "../events/work.ts";

/** Has the compensation of a step run, or its fault recorded when its arguments lead nowhere. */
export function runCompensation(plan: KnownPlan, stepId: StepId): Command | undefined {
  const entry = currentCompensation(plan);
  if (entry?.stepId !== stepId || entry.state.status !== "running") return undefined;
  const { compensate, grant, state, approved } = entry;
  const { attempt, sentAfter } = state;
  const { planId, goal } = plan;
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
  return { kind: "run", id: stepWorkId(work), work };
}
