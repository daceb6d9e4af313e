import { LIMITS } from "../../values/limits.ts";
import { stepGraph } from "../../language/step-graph.ts";
import type { StepLeft, UnitLeft } from "./work-left.ts";

/** Free slots of each pool, and the nodes whose next run waits for one. */
type Pool = { free: number; readonly waiting: number[] };

/**
 * How long the steps take from now on, in milliseconds, when each run begins as soon as what it needs is there and a slot
 * of its pool is free, in the order in which they become ready (list scheduling: Graham, 1966).
 *
 * @param slots - Runs at a time, by pool; of a pool that is not named as many as want to.
 */
export function makespanMs(
  steps: readonly StepLeft[],
  slots: ReadonlyMap<string, number> = new Map(),
): number {
  const graph = stepGraph(steps.map(({ step }) => step));
  const dependents: number[][] = graph.map(() => []);
  for (const [node, needed] of graph.entries()) for (const other of needed) dependents[other]?.push(node);
  const unmet = graph.map((needed) => needed.length);
  const runs = graph.map((_, node) => ({ next: 0, open: 0, units: inOrder(steps[node]?.units ?? []) }));
  const queue = createTimeQueue<() => void>();
  const pools = poolsOf(steps, slots);
  let nowMs = 0;

  const finish = (node: number): void => {
    for (const dependent of dependents[node] ?? []) {
      unmet[dependent] = (unmet[dependent] ?? 0) - 1;
      if (unmet[dependent] === 0) begin(dependent);
    }
  };
  const end = (node: number): void => {
    const run = runs[node];
    if (run === undefined) return;
    run.open -= 1;
    const pool = poolOf(node);
    if (pool !== undefined) pool.free += 1;
    if (run.open === 0 && run.next === run.units.length) finish(node);
    begin(node);
    for (let one = takeWaiting(pool); one !== undefined; one = takeWaiting(pool)) begin(one);
  };
  const begin = (node: number): void => {
    const run = runs[node];
    if (run === undefined) return;
    if (run.units.length === 0) finish(node);
    const pool = poolOf(node);
    for (let unit = run.units[run.next]; unit !== undefined; unit = run.units[run.next]) {
      if (run.open >= LIMITS.itemsAtOnceMax) return;
      if (unit.notBeforeMs > nowMs) {
        queue.add(unit.notBeforeMs, () => begin(node));
        return;
      }
      if (pool !== undefined && pool.free <= 0 && !unit.isRunning) {
        if (!pool.waiting.includes(node)) pool.waiting.push(node);
        return;
      }
      run.next += 1;
      run.open += 1;
      if (pool !== undefined && !unit.isRunning) pool.free -= 1;
      queue.add(nowMs + unit.ms, () => end(node));
    }
  };
  const poolOf = (node: number): Pool | undefined => pools.get(steps[node]?.pool ?? "");

  const ready = [...unmet.keys()].filter((node) => unmet[node] === 0);
  for (const node of ready) begin(node);
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    nowMs = Math.max(nowMs, next.atMs);
    next.value();
  }
  return nowMs;
}

function takeWaiting(pool: Pool | undefined): number | undefined {
  return pool !== undefined && pool.free > 0 ? pool.waiting.shift() : undefined;
}

/** What runs already first, then what may begin soonest. */
function inOrder(units: readonly UnitLeft[]): readonly UnitLeft[] {
  return units.toSorted(
    (left, right) => Number(right.isRunning) - Number(left.isRunning) || left.notBeforeMs - right.notBeforeMs,
  );
}

/** What runs already has its slot. */
function poolsOf(steps: readonly StepLeft[], slots: ReadonlyMap<string, number>): Map<string, Pool> {
  const pools = new Map<string, Pool>();
  for (const { pool, units } of steps) {
    const count = pool === undefined ? undefined : slots.get(pool);
    if (pool === undefined || count === undefined) continue;
    const known = pools.get(pool) ?? { free: count, waiting: [] };
    known.free -= units.filter(({ isRunning }) => isRunning).length;
    pools.set(pool, known);
  }
  return pools;
}

/** Things that happen at a time: the earliest first, of the same time the one that was added first. */
type TimeQueue<Value> = {
  readonly add: (atMs: number, value: Value) => void;
  readonly take: () => { readonly atMs: number; readonly value: Value } | undefined;
};

type Entry<Value> = { readonly atMs: number; readonly order: number; readonly value: Value };

/** A binary heap. */
function createTimeQueue<Value>(): TimeQueue<Value> {
  const heap: Entry<Value>[] = [];
  let added = 0;
  const isBefore = (left: Entry<Value> | undefined, right: Entry<Value> | undefined): boolean =>
    left !== undefined &&
    right !== undefined &&
    (left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order));
  const swap = (left: number, right: number): void => {
    const [one, other] = [heap[left], heap[right]];
    if (one === undefined || other === undefined) return;
    heap[left] = other;
    heap[right] = one;
  };
  return {
    add(atMs, value) {
      heap.push({ atMs, order: added++, value });
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(heap[at], heap[parent])) return;
        swap(at, parent);
        at = parent;
      }
    },
    take() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
        if (!isBefore(heap[child], heap[at])) return first;
        swap(child, at);
        at = child;
      }
    },
  };
}
