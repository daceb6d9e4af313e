/** The work message of a unit: see `machine/step/units.ts`. */
import type { KnownOutput, UnitStep, UnitWork } from "../events/work.ts";
import type { UnitId } from "../events/values.ts";
import { keepsFactsOf, PAYLOAD_BYTES_MAX } from "../facts/keeps-facts.ts";
import { agentOf, poolOf } from "../language/pool-of.ts";
import { findReferences } from "../language/references.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { allowedArguments } from "../policy/allowed-arguments.ts";
import type { StepId } from "../values/ids.ts";
import type { JsonObject } from "../values/json.ts";

/**
 * The remaining steps of a unit; undefined if there are none.
 *
 * A step whose arguments cannot be resolved depends on itself: no worker can start it, so it is returned, and the dispatcher
 * records why it failed.
 */
export function workOfUnit(plan: KnownPlan, unit: UnitId): UnitWork | undefined {
  const left = plan.units.get(unit);
  const entries = [...(left ?? [])].flatMap((stepId) => plan.steps.get(stepId) ?? []);
  entries.sort((one, other) => one.position - other.position);
  const [first] = entries;
  if (first === undefined) return undefined;
  const outputs = new Map<StepId, KnownOutput>();
  const steps = entries.map((entry) => {
    const { id, args } = entry.step;
    if (entry.state.status === "running") {
      const resolved = allowedArguments(plan, entry);
      if ("fault" in resolved) return unitStep(plan, entry, { args, needs: [id] });
      return unitStep(plan, entry, { args: resolved.args, needs: [] });
    }
    for (const { stepId } of findReferences(args).references) {
      const state = plan.steps.get(stepId)?.state;
      if (state?.status === "succeeded") outputs.set(stepId, { stepId, output: state.output });
    }
    return unitStep(plan, entry, { args, needs: entry.dependencies.filter((stepId) => left?.has(stepId)) });
  });
  const { planId, goal } = plan;
  return {
    planId,
    tenant: goal.tenant,
    unit,
    pool: poolOf(first),
    ...(goal.sources === undefined ? {} : { sources: goal.sources }),
    steps,
    outputs: [...outputs.values()],
    trace: goal.trace,
  };
}

function unitStep(
  { goal }: KnownPlan,
  { step, grant }: StepEntry,
  { args, needs }: { readonly args: JsonObject; readonly needs: StepId[] },
): UnitStep {
  const { id: stepId, tool, model } = step;
  return {
    stepId,
    tool,
    args,
    needs,
    timeoutMs: step.timeoutMs ?? grant.timeoutMs,
    ...(model === undefined ? {} : { model }),
    ...agentOf({ step, grant }),
    ...(keepsFactsOf(goal.facts, grant) ? { inlineBytesMax: PAYLOAD_BYTES_MAX } : {}),
  };
}
