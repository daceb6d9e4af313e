/**
 * Steps linked by more than an output: a fallback and the step that it replaces, a verification and the step that it
 * checks.
 */
import type { KnownPlan, NextPlan, StepEntry } from "../plan-state.ts";
import type { StepId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import type { Step } from "../../language/plan-language.ts";
import { hasFailed } from "./standing.ts";
import { isSettled } from "../step/step-state.ts";
import { putRun } from "../step/runs.ts";

/**
 * Returns the verified steps that a step also depends on: whatever needs a verification needs the step that it verifies
 * too.
 */
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

/** Whether a verification can already read the output of the step that it verifies. */
export function isShownTo(step: Step, { step: other, shown }: StepEntry): boolean {
  return step.verifies === other.id && shown === true;
}

/** Records the links of new steps. If two name the same fallback, it belongs to the first. */
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

/** Removes the links of steps that are taken out of the plan. */
export function untieSteps(next: NextPlan, gone: ReadonlyMap<StepId, StepEntry>): void {
  if (next.standIns.size > 0) next.standIns = next.standIns.filterNot((primary) => gone.has(primary));
  for (const { step } of gone.values()) {
    const verified = step.verifies === undefined ? undefined : next.steps.get(step.verifies);
    if (verified?.verifiedBy === undefined) continue;
    const verifiedBy = verified.verifiedBy.filter((id) => id !== step.id);
    putRun(next, { ...verified, verifiedBy });
  }
}

/** Whether the end of a step has consequences for other steps than its dependents. */
export function isTied({ standIns }: Pick<KnownPlan, "standIns">, { step, verifiedBy }: StepEntry): boolean {
  const isNamed = step.fallback !== undefined || step.verifies !== undefined;
  return isNamed || verifiedBy !== undefined || standIns.has(step.id);
}

/** Returns the step that this one is the fallback of. */
export function primaryOf(
  plan: Pick<KnownPlan, "steps" | "standIns">,
  stepId: StepId,
): StepEntry | undefined {
  const primary = plan.standIns.get(stepId);
  return primary === undefined ? undefined : plan.steps.get(primary);
}

/** Whether a fallback still has to wait for the step that it might replace. */
export function isStandby(plan: KnownPlan, { step, item }: StepEntry): boolean {
  const primary = item === undefined ? primaryOf(plan, step.id) : undefined;
  return primary !== undefined && !isSettled(primary.state);
}

/** Returns why a step is not needed, given the outcome of the step that it is linked to; undefined if it may be needed. */
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

/** Records the end of a linked step. Its consequences are applied once the event has been applied: see `settle-ties.ts`. */
export function noteEnd(next: NextPlan, { step }: StepEntry): void {
  next.ends = [...(next.ends ?? []), step.id];
}
