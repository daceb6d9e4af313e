/** What waits in the queue of each pool: as the server counts it. */
import { type Bus, isUnavailable, STREAMS } from "@planwright/shared/bus";
import { z } from "zod";

/** As executors name the consumer that a pool's workers share. */
const POOL_CONSUMER = "pool-";
const FRESH_MS = 1_000;
const POOLS_MAX = 1_000;

export const PoolQueue = z.object({
  pool: z.string(),
  queued: z.int().meta({ description: "Messages that no worker has been given yet." }),
  delivered: z
    .int()
    .meta({ description: "Messages that workers have in hand, or that wait to be given again." }),
});
export type PoolQueue = z.output<typeof PoolQueue>;

/**
 * Makes the function that asks the server, at most once a second. A pool is known from its first worker on; pools
 * without a worker now are there too. Empty while the server does not answer.
 *
 * @param nowMs - Milliseconds of a clock that never goes back.
 */
export function createReadPoolQueues(bus: Bus, nowMs: () => number): () => Promise<readonly PoolQueue[]> {
  let read: { readonly atMs: number; readonly queues: Promise<readonly PoolQueue[]> } | undefined;
  return () => {
    if (read === undefined || nowMs() - read.atMs > FRESH_MS)
      read = { atMs: nowMs(), queues: readQueues(bus) };
    return read.queues;
  };
}

async function readQueues(bus: Bus): Promise<readonly PoolQueue[]> {
  const queues: PoolQueue[] = [];
  try {
    for await (const { name, num_pending: queued, num_ack_pending: delivered } of bus.manager.consumers.list(
      STREAMS.work,
    )) {
      if (!name.startsWith(POOL_CONSUMER) || queues.length === POOLS_MAX) continue;
      queues.push({ pool: name.slice(POOL_CONSUMER.length), queued, delivered });
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return [];
  }
  return queues.toSorted((left, right) => left.pool.localeCompare(right.pool));
}
