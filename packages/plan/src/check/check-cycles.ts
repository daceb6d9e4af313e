import { dependenciesOf } from "../language/dependencies.ts";
import { isTied, waitGraph } from "../language/wait-graph.ts";
import { findCycles } from "./find-cycles.ts";
import type { IssueList } from "./issue-list.ts";
import type { StepParts } from "./read-step.ts";

/** The middle of a longer cycle is left out of messages. */
const CYCLE_NAMES_MAX = 20;

type Parts = Pick<StepParts, "id" | "args" | "dependsOn" | "when" | "forEach" | "verifies" | "fallback">;

/**
 * Reports steps that wait for each other, each cycle with its path. Runs in linear time.
 *
 * @param ids - The position of each id among `parts`.
 */
export function noteCycles(
  parts: readonly StepParts[],
  ids: ReadonlyMap<string, number>,
  issues: IssueList,
): void {
  for (const cycle of cyclesOf(parts, ids)) {
    const [first, ...others] = cycle.flatMap((index) => parts[index] ?? []);
    if (first === undefined) continue;
    const names = [first, ...others].map(({ id }) => String(id));
    const isPlain = ![first, ...others].some(isTied);
    const why = isPlain ? "" : "; what needs a step waits for its fallback too, and for what verifies it";
    issues.addToStep("cycle", first.place, () => ({
      field: "dependsOn",
      message: `wanted steps that can run one after another, got steps that wait for each other: ${cycleText(names)}${why}`,
    }));
  }
}

/** Returns each cycle as the positions of its steps. */
export function cyclesOf(parts: readonly Parts[], ids: ReadonlyMap<string, number>): number[][] {
  const waiting = parts.map(({ id, args = {}, dependsOn, when, forEach, verifies, fallback }) => {
    const others = dependenciesOf({ args, dependsOn: [...dependsOn], when, forEach, verifies });
    return { id, dependencies: others.filter((other) => other !== id), verifies, fallback };
  });
  if (!waiting.some(isTied)) {
    return findCycles(
      waiting.map(({ dependencies }) => dependencies.flatMap((other) => ids.get(other) ?? [])),
    );
  }
  return findCycles(waitGraph(waiting)).map((cycle) => stepsOf(cycle, parts.length));
}

/** A step has several consecutive nodes in the graph. */
function stepsOf(cycle: readonly number[], count: number): number[] {
  const steps = cycle.map((node) => node % count);
  return steps.filter((step, index) => step !== steps.at(index - 1) || steps.length === 1);
}

/** `a → b → a`: each step waits for the next. */
function cycleText(names: readonly string[]): string {
  const round = [...names, ...names.slice(0, 1)];
  if (round.length <= CYCLE_NAMES_MAX) return round.join(" → ");
  const half = CYCLE_NAMES_MAX / 2;
  const left = round.length - 2 * half;
  return [...round.slice(0, half), `… ${left} more …`, ...round.slice(-half)].join(" → ");
}
