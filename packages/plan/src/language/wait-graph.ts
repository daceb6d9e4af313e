import type { StepId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";

/** The fields that determine when a step runs. */
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
 * The wait graph of a plan of `n` steps, some of which are fallbacks of others or verify them.
 *
 * Node `i` is the run of step `i`. Node `n + i` is its end: it has run, and so have the steps that verify it. Node `2n + i` is
 * its delivery: its end, or the delivery of its fallback. A dependent waits for the step's delivery, a verifying step for its
 * run, and its fallback for its end. A dependent of a verifying step also waits for the delivery of the verified step. These
 * extra nodes keep the graph linear in the plan, even if many steps verify a step that has many dependents.
 *
 * @returns For each node, the nodes that it waits for. Steps that are not given are treated as finished.
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

/** Whether a step is another one's fallback, directly or as the fallback of its fallback. */
function isStandIn(id: StepId | undefined, other: StepId, { steps, indexOf }: Plan): boolean {
  let current: StepId | undefined = other;
  for (let hops = 0; current !== undefined && hops < LIMITS.fallbacksMax; hops++) {
    current = steps[indexOf.get(current) ?? -1]?.fallback;
    if (current !== undefined && current === id) return true;
  }
  return false;
}
