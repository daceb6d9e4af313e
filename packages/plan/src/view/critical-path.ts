import type { StepId } from "../values/ids.ts";
import type { Step } from "../language/plan-language.ts";
import { stepGraph } from "../language/step-graph.ts";

export type CriticalPath = { readonly stepIds: StepId[]; readonly durationMs: number };

/** The milliseconds that an unfinished step is expected to need; undefined for a finished one. */
export type LeftMs = (step: Step) => number | undefined;

const FINISHED: LeftMs = () => undefined;

/**
 * The chain of steps, each depending on the one before, that determines when the plan ends.
 *
 * If every step is finished, it is the longest chain: the minimum time in which the plan could have run. Otherwise it is the
 * chain with the most remaining time. It ends in an unfinished step, and going back it contains an unfinished dependency wherever
 * there is one, so that it always includes the step that holds the plan up.
 *
 * Linear in steps and dependencies: one pass over a topological order (Kahn, 1962). Dependencies on steps that are not given are
 * treated as finished; steps on a cycle are left out. Dependents of a step that has a fallback, or is verified, wait for these
 * too.
 *
 * @param durationMsOf - The time that a step took, has taken so far or is expected to take, in milliseconds.
 * @param leftMsOf - Default: every step is finished.
 */
export function criticalPath(
  steps: readonly Step[],
  durationMsOf: (step: Step) => number,
  leftMsOf: LeftMs = FINISHED,
): CriticalPath {
  const graph = stepGraph(steps);
  const chains: (Chain | undefined)[] = [];
  let last: Chain | undefined;
  for (const node of orderOf(graph)) {
    let before: Chain | undefined;
    for (const needed of graph[node] ?? []) before = longer(before, chains[needed]);
    const step = steps[node];
    const chain = step === undefined ? before : onto(before, step, durationMsOf(step), leftMsOf(step));
    chains[node] = chain;
    if (step !== undefined) last = longer(last, chain);
  }
  const stepIds: StepId[] = [];
  for (let chain = last; chain !== undefined; chain = chain.before)
    if (chain.step !== undefined) stepIds.push(chain.step.id);
  return { stepIds: stepIds.reverse(), durationMs: last?.durationMs ?? 0 };
}

/** A chain of steps, linked backwards from its last one. */
type Chain = {
  readonly step: Step | undefined;
  readonly before: Chain | undefined;
  readonly durationMs: number;
  /** The sum over its unfinished steps; undefined if there are none. */
  readonly leftMs: number | undefined;
};

function onto(before: Chain | undefined, step: Step, durationMs: number, leftMs: number | undefined): Chain {
  return {
    step,
    before,
    durationMs: (before?.durationMs ?? 0) + durationMs,
    leftMs: leftMs === undefined ? undefined : (before?.leftMs ?? 0) + leftMs,
  };
}

/** The longer wait: an unfinished chain before a finished one; of equals the first. */
function longer(first: Chain | undefined, second: Chain | undefined): Chain | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first.leftMs === undefined && second.leftMs === undefined)
    return second.durationMs > first.durationMs ? second : first;
  return (second.leftMs ?? -1) > (first.leftMs ?? -1) ? second : first;
}

/** Each node after those that it waits for; nodes on a cycle are left out. */
export function orderOf(graph: readonly (readonly number[])[]): number[] {
  const dependents: number[][] = graph.map(() => []);
  for (const [node, needed] of graph.entries()) for (const other of needed) dependents[other]?.push(node);
  const unmet = graph.map((needed) => needed.length);
  const order = [...graph.keys()].filter((node) => unmet[node] === 0);
  for (const node of order) {
    for (const dependent of dependents[node] ?? []) {
      const left = (unmet[dependent] ?? 0) - 1;
      unmet[dependent] = left;
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}
