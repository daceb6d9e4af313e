import { stepGraph } from "../../language/step-graph.ts";
import { createHeap, type Heap } from "../../values/heap.ts";
import { LIMITS } from "../../values/limits.ts";
import { bottomLevels } from "./remaining-path.ts";
import { aloneMs, type StepLeft, type UnitLeft } from "./work-left.ts";

/**
 * How long the steps still take, in milliseconds, if each run starts as soon as its dependencies have finished and a slot of its
 * pool is free. Of the steps that wait for a slot, the one with the longest remaining path starts first; of equals, the one that
 * became ready first (list scheduling: Graham, 1966).
 *
 * @param slots - Simultaneous runs by pool; a pool that is not listed is unlimited.
 */
export function makespanMs(
  steps: readonly StepLeft[],
  slots: ReadonlyMap<string, number> = new Map(),
): number {
  return new Schedule(steps, slots).run();
}

/** Free slots of each pool, and the nodes whose next run waits for one. */
type Pool = { free: number; readonly waiting: Heap<Waiting> };
type Waiting = { readonly node: Node; readonly order: number };
type Node = {
  readonly units: readonly UnitLeft[];
  readonly pool: Pool | undefined;
  readonly levelMs: number;
  readonly dependents: number[];
  unmet: number;
  /** The unit that starts next. */
  next: number;
  open: number;
  isWaiting: boolean;
};
type Happening = { readonly atMs: number; readonly order: number; readonly happen: () => void };

class Schedule {
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #nodes: readonly Node[];
  readonly #happenings = createHeap<Happening>(
    (left, right) => left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order),
  );
  #nowMs = 0;
  #order = 0;

  constructor(steps: readonly StepLeft[], slots: ReadonlyMap<string, number>) {
    this.#pools = poolsOf(steps, slots);
    this.#nodes = nodesOf(steps, this.#pools);
  }

  run(): number {
    for (const node of this.#nodes.filter(({ unmet }) => unmet === 0)) this.#makeReady(node);
    for (;;) {
      for (const pool of this.#pools.values()) this.#fill(pool);
      const next = this.#happenings.take();
      if (next === undefined) return this.#nowMs;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.happen();
      // Simultaneous events are all processed before slots are assigned.
      while ((this.#happenings.first()?.atMs ?? Infinity) <= this.#nowMs) this.#happenings.take()?.happen();
    }
  }

  #makeReady(node: Node): void {
    if (node.units.length === 0) this.#finish(node);
    else this.#advance(node);
  }

  /** Starts the units of a node that need no slot, or have one; then the node waits for one. */
  #advance(node: Node): void {
    for (let unit = node.units[node.next]; unit !== undefined; unit = node.units[node.next]) {
      if (node.open >= LIMITS.itemsAtOnceMax) return;
      if (unit.notBeforeMs > this.#nowMs) return this.#at(unit.notBeforeMs, () => this.#advance(node));
      if (node.pool !== undefined && !unit.isRunning) return this.#wait(node, node.pool);
      this.#begin(node, unit);
    }
  }

  #wait(node: Node, { waiting }: Pool): void {
    if (node.isWaiting) return;
    node.isWaiting = true;
    waiting.add({ node, order: this.#order++ });
  }

  #fill(pool: Pool): void {
    while (pool.free > 0) {
      const node = pool.waiting.take()?.node;
      const unit = node?.units[node.next];
      if (node === undefined || unit === undefined) return;
      node.isWaiting = false;
      pool.free -= 1;
      this.#begin(node, unit);
      this.#advance(node);
    }
  }

  #begin(node: Node, unit: UnitLeft): void {
    node.next += 1;
    node.open += 1;
    this.#at(this.#nowMs + unit.ms, () => this.#end(node));
  }

  #end(node: Node): void {
    node.open -= 1;
    if (node.pool !== undefined) node.pool.free += 1;
    if (node.open === 0 && node.next === node.units.length) this.#finish(node);
    else this.#advance(node);
  }

  #finish({ dependents }: Node): void {
    for (const dependent of dependents) {
      const node = this.#nodes[dependent];
      if (node === undefined) continue;
      node.unmet -= 1;
      if (node.unmet === 0) this.#makeReady(node);
    }
  }

  #at(atMs: number, happen: () => void): void {
    this.#happenings.add({ atMs, order: this.#order++, happen });
  }
}

function nodesOf(steps: readonly StepLeft[], pools: ReadonlyMap<string, Pool>): Node[] {
  const plain = steps.map(({ step }) => step);
  const graph = stepGraph(plain);
  const { levels } = bottomLevels(plain, (node) => aloneMs(steps[node] ?? NOTHING_LEFT));
  const nodes = graph.map(({ length: unmet }, node): Node => {
    const { units, pool } = steps[node] ?? NOTHING_LEFT;
    const place = { pool: pools.get(pool ?? ""), levelMs: levels[node] ?? 0 };
    return { units: inOrder(units), ...place, dependents: [], unmet, next: 0, open: 0, isWaiting: false };
  });
  for (const [node, needed] of graph.entries())
    for (const other of needed) nodes[other]?.dependents.push(node);
  return nodes;
}

/** For nodes that are not a step's run. */
const NOTHING_LEFT = { units: [], pool: undefined };

/** Running units first, then those that can start soonest. */
function inOrder(units: readonly UnitLeft[]): readonly UnitLeft[] {
  return units.toSorted(
    (left, right) => Number(right.isRunning) - Number(left.isRunning) || left.notBeforeMs - right.notBeforeMs,
  );
}

/** Units that are already running have their slot. */
function poolsOf(steps: readonly StepLeft[], slots: ReadonlyMap<string, number>): Map<string, Pool> {
  const pools = new Map<string, Pool>();
  for (const { pool, units } of steps) {
    const count = pool === undefined ? undefined : slots.get(pool);
    if (pool === undefined || count === undefined) continue;
    const known = pools.get(pool) ?? { free: count, waiting: createHeap<Waiting>(isBefore) };
    known.free -= units.filter(({ isRunning }) => isRunning).length;
    pools.set(pool, known);
  }
  return pools;
}

function isBefore(left: Waiting, right: Waiting): boolean {
  const moreMs = left.node.levelMs - right.node.levelMs;
  return moreMs > 0 || (moreMs === 0 && left.order < right.order);
}
