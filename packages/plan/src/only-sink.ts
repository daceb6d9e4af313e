import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "./ids.ts";
import type { Step } from "./plan-language.ts";

/**
 * The one step on which no other depends: what a submitted plan that names no answer leads up to.
 *
 * @returns Undefined when there are several such steps, or none.
 */
export function onlySink(steps: readonly Step[]): StepId | undefined {
  const needed = new Set(steps.flatMap(dependenciesOf));
  const sinks = steps.filter(({ id }) => !needed.has(id));
  return sinks.length === 1 ? sinks[0]?.id : undefined;
}
