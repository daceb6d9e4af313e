import { dependenciesOf } from "./dependencies.ts";
import type { StepId } from "../values/ids.ts";
import type { Step } from "./plan-language.ts";
import { isTied, waitGraph } from "./wait-graph.ts";

/**
 * The dependencies of each step as positions in the list: node `i` is step `i`. If there are fallbacks or verifying steps,
 * further nodes follow (see `waitGraph`). Dependencies on steps that are not given are left out.
 */
export function stepGraph(steps: readonly Step[]): readonly (readonly number[])[] {
  return steps.some(isTied) ? tiedGraph(steps) : plainGraph(steps);
}

/** Steps are immutable, and each view of a plan needs the path through them. */
const needs = new WeakMap<Step, readonly StepId[]>();

function needsOf(step: Step): readonly StepId[] {
  const known = needs.get(step);
  if (known !== undefined) return known;
  const found = dependenciesOf(step);
  needs.set(step, found);
  return found;
}

function plainGraph(steps: readonly Step[]): number[][] {
  const places = new Map(steps.map(({ id }, place) => [id, place]));
  return steps.map((step) => needsOf(step).flatMap((id) => places.get(id) ?? []));
}

function tiedGraph(steps: readonly Step[]): number[][] {
  return waitGraph(
    steps.map((step) => {
      const { id, fallback, verifies } = step;
      return { id, fallback, verifies, dependencies: needsOf(step) };
    }),
  );
}
