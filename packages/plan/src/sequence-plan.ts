import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "./ids.ts";
import type { Step } from "./plan-language.ts";

/**
 * Makes each step depend on the one before it, so that they run one at a time in their order.
 *
 * A step that refers to a later one would then wait for ever: order the steps, or check the result with `checkPlan`.
 */
export function sequence(steps: readonly Step[]): Step[] {
  return steps.map((step, index) => after(step, steps[index - 1]?.id));
}

/** The step, made to wait for the one before; the same object when it already does or there is none. */
export function after(step: Step, previous: StepId | undefined): Step {
  if (previous === undefined || dependenciesOf(step).includes(previous)) return step;
  return { ...step, dependsOn: [...step.dependsOn, previous] };
}
