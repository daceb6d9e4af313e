import type { Worker, Workers } from "../api/api-types.ts";
import { POOLS_OF } from "./system-words.ts";

export type Pool = {
  readonly name: string;
  readonly workers: readonly Worker[];
  /** Messages that no worker has been given yet; undefined when the queue is not known. */
  readonly queued: number | undefined;
  /** Since when the oldest of them waits. */
  readonly oldestAt: string | undefined;
  readonly inFlight: number;
  readonly places: number;
  /** What is wrong with it, in words. */
  readonly warning: string | undefined;
};

/** Every pool that has a worker or a queue; those with something wrong first. */
export function poolsOf({ workers, pools }: Workers): Pool[] {
  const byPool = Map.groupBy(workers, ({ pool }) => pool);
  const queues = new Map(pools.map((queue) => [queue.pool, queue]));
  const names = [...new Set([...byPool.keys(), ...queues.keys()])];
  const all = names.map((name): Pool => {
    const members = byPool.get(name) ?? [];
    const queue = queues.get(name);
    const pool = {
      name,
      workers: members,
      queued: queue?.queued,
      oldestAt: queue?.oldestAt,
      inFlight: sum(members, ({ inFlight }) => inFlight),
      places: sum(members, ({ concurrency }) => concurrency),
    };
    return {
      ...pool,
      warning: warningOf({ ...pool, waiting: (queue?.queued ?? 0) + (queue?.delivered ?? 0) }),
    };
  });
  const rank = ({ warning }: Pool): number => (warning === undefined ? 1 : 0);
  return all.toSorted((left, right) => rank(left) - rank(right) || left.name.localeCompare(right.name));
}

function warningOf({
  workers,
  queued = 0,
  inFlight,
  places,
  waiting,
}: Omit<Pool, "warning" | "oldestAt"> & { waiting: number }) {
  if (workers.length === 0) {
    return waiting === 0
      ? undefined
      : POOLS_OF.noWorker(waiting, waiting === 1 ? "message is queued" : "messages are queued");
  }
  if (queued > 0 && inFlight >= places) return POOLS_OF.full(places, queued, queued === 1 ? "is" : "are");
  return undefined;
}

function sum(workers: readonly Worker[], of: (worker: Worker) => number): number {
  return workers.reduce((total, worker) => total + of(worker), 0);
}
