import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "../values/ids.ts";
import type { Step } from "./plan-language.ts";

/**
 * The one step on which no other depends: what a submitted plan that names no answer leads up to. What only checks a
 * step or stands in for it does not count.
 *
 * @returns Undefined when there are several such steps, or none.
 */
export function onlySink(steps: readonly Step[]): StepId | undefined {
  const needed = new Set(steps.flatMap((step) => dependenciesOf(step).filter((id) => id !== step.verifies)));
  const fallbacks = new Set(steps.map(({ fallback }) => fallback));
  const sinks = steps.filter(
    ({ id, verifies }) => !needed.has(id) && !fallbacks.has(id) && verifies === undefined,
  );
  return sinks.length === 1 ? sinks[0]?.id : undefined;
}
