import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "../values/ids.ts";
import type { Step } from "./plan-language.ts";

/**
 * Returns the only step without dependents: the answer of a submitted plan that names none. Verifying steps and fallbacks do not
 * count.
 *
 * @returns Undefined if there are several such steps, or none.
 */
export function onlySink(steps: readonly Step[]): StepId | undefined {
  const needed = new Set(steps.flatMap((step) => dependenciesOf(step).filter((id) => id !== step.verifies)));
  const fallbacks = new Set(steps.map(({ fallback }) => fallback));
  const sinks = steps.filter(
    ({ id, verifies }) => !needed.has(id) && !fallbacks.has(id) && verifies === undefined,
  );
  return sinks.length === 1 ? sinks[0]?.id : undefined;
}
