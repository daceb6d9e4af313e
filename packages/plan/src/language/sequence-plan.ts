import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "../values/ids.ts";
import type { Step } from "./plan-language.ts";

/**
 * Makes each step depend on the one before it, so that they run one at a time in their order. Fallbacks and verifying steps
 * already wait for their step.
 *
 * A step that refers to a later one would then wait forever: order the steps, or check the result with `checkPlan`.
 */
export function sequence(steps: readonly Step[]): Step[] {
  const fallbacks = new Set(steps.map(({ fallback }) => fallback));
  let previous: StepId | undefined;
  return steps.map((step) => {
    if (fallbacks.has(step.id)) return step;
    const ordered = step.verifies === undefined ? after(step, previous) : step;
    previous = step.id;
    return ordered;
  });
}

/** Makes the step wait for the one before; returns the same object if it already does or there is none. */
export function after(step: Step, previous: StepId | undefined): Step {
  if (previous === undefined || dependenciesOf(step).includes(previous)) return step;
  return { ...step, dependsOn: [...step.dependsOn, previous] };
}
