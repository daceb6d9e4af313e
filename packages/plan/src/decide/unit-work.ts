/** The work message of a unit: see `machine/step/units.ts`. */
import type { Command } from "./command.ts";
import type { KnownOutput, UnitStep, UnitWork } from "../events/work.ts";
import type { UnitId } from "../events/values.ts";
import { keepsFactsOf, PAYLOAD_BYTES_MAX } from "../facts/keeps-facts.ts";
import { agentOf, poolOf } from "../language/pool-of.ts";
import { findReferences } from "../language/references.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { allowedArguments } from "../policy/allowed-arguments.ts";
import type { StepId } from "../values/ids.ts";
import type { JsonObject } from "../values/json.ts";
import { recordFault } from "./attempt-fault.ts";

/**
 * What is to be done for a unit: run the steps that are left of it, and record why a step of it cannot run.
 *
 * @returns `work` is absent when there is nothing to run.
 */
export function workOfUnit(
  plan: KnownPlan,
  unit: UnitId,
): { readonly work?: UnitWork; readonly faults: readonly Command[] } {
  const left = plan.units.get(unit);
  const entries = [...(left ?? [])].flatMap((stepId) => plan.steps.get(stepId) ?? []);
  entries.sort((one, other) => one.position - other.position);
  const faults: Command[] = [];
  const steps: UnitStep[] = [];
  const outputs = new Map<StepId, KnownOutput>();
  for (const entry of entries) {
    if (entry.state.status === "running") {
      const resolved = allowedArguments(plan, entry);
      if ("fault" in resolved) faults.push(recordFault(plan, entry, entry.state, resolved.fault));
      else steps.push(unitStep(plan, entry, { args: resolved.args, needs: [] }));
      continue;
    }
    const needs = entry.dependencies.filter((stepId) => left?.has(stepId));
    steps.push(unitStep(plan, entry, { args: entry.step.args, needs }));
    for (const { stepId } of findReferences(entry.step.args).references) {
      const state = plan.steps.get(stepId)?.state;
      if (state?.status === "succeeded") outputs.set(stepId, { stepId, output: state.output });
    }
  }
  const [first] = entries;
  if (first === undefined || steps.every(({ needs }) => needs.length > 0)) return { faults };
  const { planId, goal } = plan;
  const work: UnitWork = {
    planId,
    tenant: goal.tenant,
    unit,
    pool: poolOf(first),
    ...(goal.sources === undefined ? {} : { sources: goal.sources }),
    steps,
    outputs: [...outputs.values()],
    trace: goal.trace,
  };
  return { work, faults };
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
