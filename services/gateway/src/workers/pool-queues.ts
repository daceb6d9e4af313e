/** Queue depth and oldest message age of each pool. */
import type { PoolQueue } from "@planwright/api";
import type { Bus, PlannerDemand } from "@planwright/shared/bus";
import { type Queue, readQueues } from "./read-queues.ts";

/** The prefix that executors give to the consumer shared by a pool's workers. */
const POOL_CONSUMER = "pool-";
const FRESH_MS = 1_000;

/** Makes the function that reads the server's queues, at most once a second. */
export function createReadQueues(bus: Bus, nowMs: () => number): () => Promise<readonly Queue[]> {
  let read: { readonly atMs: number; readonly queues: Promise<readonly Queue[]> } | undefined;
  return () => {
    if (read === undefined || nowMs() - read.atMs > FRESH_MS)
      read = { atMs: nowMs(), queues: readQueues(bus) };
    return read.queues;
  };
}

/** The pool that the queue belongs to; absent for the queues of planners and reflectors. */
export function poolOf({ name }: Pick<Queue, "name">): string | undefined {
  return name.startsWith(POOL_CONSUMER) ? name.slice(POOL_CONSUMER.length) : undefined;
}

/**
 * The queues of pools, by name, with the steps that planners hold back. A pool is known from its first worker on, even while it
 * has no workers.
 */
export function poolQueuesOf(queues: readonly Queue[], demands: readonly PlannerDemand[]): PoolQueue[] {
  const demand = demandOf(demands);
  return queues
    .flatMap((queue) => {
      const pool = poolOf(queue);
      return pool === undefined ? [] : [{ pool, ...queue }];
    })
    .map(({ pool, waiting, inHand, oldestAt: inQueueSince }) => {
      const { held = 0, heldSince } = demand.get(pool) ?? {};
      const [oldestAt] = [inQueueSince?.toISOString(), heldSince]
        .filter((since) => since !== undefined)
        .toSorted();
      return {
        pool,
        queued: waiting + held,
        delivered: inHand,
        ...(oldestAt === undefined ? {} : { oldestAt }),
      };
    })
    .toSorted((left, right) => left.pool.localeCompare(right.pool));
}

/** The total of a pool's steps over all planners. */
type Demand = {
  /** In the pool's queue or with its workers. */
  readonly inFlight: number;
  /** Waiting for a slot. */
  readonly held: number;
  /** Since when the longest-waiting step has waited; absent when none does. */
  readonly heldSince?: string;
};

/** By pool, ordered by name. */
export function demandOf(demands: readonly PlannerDemand[]): Map<string, Demand> {
  const pools = new Map<string, Demand>();
  for (const { pool, tenants, heldSince } of demands.flatMap((demand) => demand.pools)) {
    const before = pools.get(pool);
    const [oldest] = [before?.heldSince, heldSince].filter((since) => since !== undefined).toSorted();
    pools.set(pool, {
      inFlight: tenants.reduce((sum, { inFlight }) => sum + inFlight, before?.inFlight ?? 0),
      held: tenants.reduce((sum, { held }) => sum + held, before?.held ?? 0),
      ...(oldest === undefined ? {} : { heldSince: oldest }),
    });
  }
  return new Map([...pools].toSorted(([left], [right]) => left.localeCompare(right)));
}
