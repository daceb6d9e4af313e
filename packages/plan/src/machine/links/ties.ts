/**
 * Steps that are tied to another one by more than its output: a fallback to the step that it stands in for, a step
 * that verifies to the one that it checks.
 */
import type { KnownPlan, NextPlan, StepEntry } from "../plan-state.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import type { Step } from "../../language/plan-language.ts";
import { hasFailed } from "./standing.ts";
import { isSettled } from "../step/step-state.ts";
import { putRun } from "../step/runs.ts";

/** What a step waits for: what needs a step that verifies another needs that other one too. */
export function verifiedAmong(
  { step, dependencies }: Pick<StepEntry, "step" | "dependencies">,
  stepOf: (id: StepId) => Step | undefined,
): readonly StepId[] {
  let all: StepId[] | undefined;
  for (const dependency of dependencies) {
    const verified = stepOf(dependency)?.verifies;
    if (verified === undefined || verified === step.id || dependencies.includes(verified)) continue;
    if (standsInFor(step.id, verified, stepOf) || all?.includes(verified) === true) continue;
    all = [...(all ?? dependencies), verified];
  }
  return all ?? dependencies;
}

/** Whether a step is the other one's fallback, or the fallback of its fallback, and so on. */
function standsInFor(id: StepId, other: StepId, stepOf: (id: StepId) => Step | undefined): boolean {
  let current = stepOf(other)?.fallback;
  for (let hops = 0; current !== undefined && hops < LIMITS.fallbacksMax; hops++) {
    if (current === id) return true;
    current = stepOf(current)?.fallback;
  }
  return false;
}

/** Whether a step that verifies another may see its output already. */
export function isShownTo(step: Step, { step: other, shown }: StepEntry): boolean {
  return step.verifies === other.id && shown === true;
}

/** Notes what new steps are tied to. Of two that name the same fallback the first has it. */
export function tieSteps(next: NextPlan, entries: readonly StepEntry[]): void {
  for (const { step } of entries) {
    const { id, fallback, verifies } = step;
    if (fallback !== undefined && fallback !== id && !next.standIns.has(fallback)) {
      next.standIns = next.standIns.set(fallback, id);
    }
    const verified = verifies === undefined ? undefined : next.steps.get(verifies);
    if (verified === undefined || verifies === id) continue;
    const verifiedBy = [...(verified.verifiedBy ?? []), id];
    putRun(next, { ...verified, verifiedBy });
  }
}

/** Forgets what steps that are taken out of the plan were tied to. */
export function untieSteps(next: NextPlan, gone: ReadonlyMap<StepId, StepEntry>): void {
  if (next.standIns.size > 0) next.standIns = next.standIns.filterNot((primary) => gone.has(primary));
  for (const { step } of gone.values()) {
    const verified = step.verifies === undefined ? undefined : next.steps.get(step.verifies);
    if (verified?.verifiedBy === undefined) continue;
    const verifiedBy = verified.verifiedBy.filter((id) => id !== step.id);
    putRun(next, { ...verified, verifiedBy });
  }
}

/** Whether the end of a step means something to others than those that need it. */
export function isTied({ standIns }: Pick<KnownPlan, "standIns">, { step, verifiedBy }: StepEntry): boolean {
  const isNamed = step.fallback !== undefined || step.verifies !== undefined;
  return isNamed || verifiedBy !== undefined || standIns.has(step.id);
}

/** The step that this one is the fallback of. */
export function primaryOf(
  plan: Pick<KnownPlan, "steps" | "standIns">,
  stepId: StepId,
): StepEntry | undefined {
  const primary = plan.standIns.get(stepId);
  return primary === undefined ? undefined : plan.steps.get(primary);
}

/** Whether a fallback has still to wait and see. */
export function isStandby(plan: KnownPlan, { step, item }: StepEntry): boolean {
  const primary = item === undefined ? primaryOf(plan, step.id) : undefined;
  return primary !== undefined && !isSettled(primary.state);
}

/** Why a step need not run, because of what has become of the one that it is tied to; undefined when it may have to. */
export function needlessness(
  plan: KnownPlan,
  { step }: StepEntry,
): { readonly because: StepId; readonly reason: string } | undefined {
  const primary = primaryOf(plan, step.id);
  if (primary !== undefined && isSettled(primary.state) && !hasFailed(primary.state)) {
    return { because: primary.step.id, reason: `not needed: ${endOf(primary)}` };
  }
  const verified = step.verifies === undefined ? undefined : plan.steps.get(step.verifies);
  if (verified === undefined || !isSettled(verified.state) || verified.state.status === "succeeded")
    return undefined;
  return { because: verified.step.id, reason: `nothing to verify: ${endOf(verified)}` };
}

function endOf({ step, state }: StepEntry): string {
  switch (state.status) {
    case "succeeded":
    case "failed":
      return `${step.id} ${state.status}`;
    case "cancelled":
      return `${step.id} was cancelled`;
    default:
      return `${step.id} did not run`;
  }
}

/** What follows from the end of a step that others are tied to is worked out when the fact has been taken in. */
export function noteEnd(next: NextPlan, { step }: StepEntry): void {
  next.ends = [...(next.ends ?? []), step.id];
}
