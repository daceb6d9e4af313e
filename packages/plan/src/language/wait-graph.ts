import type { StepId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";

/** What decides when a step runs. */
export type Waiting = {
  readonly id: StepId | undefined;
  readonly dependencies: readonly StepId[];
  readonly fallback?: StepId | undefined;
  readonly verifies?: StepId | undefined;
};

/** Whether a step is tied to another by more than its output. */
export function isTied({ fallback, verifies }: Pick<Waiting, "fallback" | "verifies">): boolean {
  return fallback !== undefined || verifies !== undefined;
}

/**
 * Who waits for whom, in a plan of `n` steps some of which stand in for others or verify them.
 *
 * Node `i` is the run of step `i`. Node `n + i` is its end: it has run, and so has what verifies it. Node `2n + i` is
 * its delivery: that, or the delivery of its fallback. What needs a step waits for its delivery, what verifies it for
 * its run, and what stands in for it for its end. What needs a step that verifies another waits for that one's
 * delivery too. So many nodes keep the graph linear in the plan, however many steps verify one that many need.
 *
 * @returns For each node, the nodes that it waits for. Steps that are not given are taken as done.
 */
export function waitGraph(steps: readonly Waiting[]): number[][] {
  const count = steps.length;
  const indexOf = new Map<StepId, number>();
  for (const [index, { id }] of steps.entries())
    if (id !== undefined && !indexOf.has(id)) indexOf.set(id, index);
  const edges: number[][] = Array.from({ length: 3 * count }, () => []);
  const add = (from: number, to: number | undefined, shift: number): void => {
    if (to !== undefined) edges[from]?.push(to + shift * count);
  };
  for (const [index, { id, dependencies, fallback, verifies }] of steps.entries()) {
    const standIn = fallback === undefined || fallback === id ? undefined : indexOf.get(fallback);
    const verified = verifies === undefined || verifies === id ? undefined : indexOf.get(verifies);
    add(index + count, index, 0);
    add(index + 2 * count, index, 1);
    add(index + 2 * count, standIn, 2);
    if (standIn !== undefined) add(standIn, index, 1);
    add(index, verified, 0);
    if (verified !== undefined) add(verified + count, index, 0);
    for (const dependency of dependencies) {
      const needed = indexOf.get(dependency);
      if (needed === undefined || dependency === verifies) continue;
      add(index, needed, 2);
      const alsoNeeded = steps[needed]?.verifies;
      const isDirect = alsoNeeded === undefined || alsoNeeded === verifies || alsoNeeded === id;
      if (!isDirect && !isStandIn(id, alsoNeeded, { steps, indexOf })) add(index, indexOf.get(alsoNeeded), 2);
    }
  }
  return edges;
}

type Plan = { readonly steps: readonly Waiting[]; readonly indexOf: ReadonlyMap<StepId, number> };

/** Whether a step stands in for another, directly or as the fallback of its fallback. */
function isStandIn(id: StepId | undefined, other: StepId, { steps, indexOf }: Plan): boolean {
  let current: StepId | undefined = other;
  for (let hops = 0; current !== undefined && hops < LIMITS.fallbacksMax; hops++) {
    current = steps[indexOf.get(current) ?? -1]?.fallback;
    if (current !== undefined && current === id) return true;
  }
  return false;
}
