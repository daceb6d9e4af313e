/** Makes the followed partitions equal the owned ones: reads and resumes new ones, and forgets lost ones. */
import { PARTITIONS } from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { oneAtATime } from "../one-at-a-time.ts";
import type { OpenPlanIndex } from "./open-plan-index.ts";
import type { PartitionFeed } from "./partition-feed.ts";
import type { PlanTable } from "./plan-table.ts";
import { takeUp } from "./take-up.ts";

/** The pause before retrying partitions that could not be taken over. */
const AGAIN_MS = 250;

export type PartitionUptake = AsyncDisposable & {
  /** The partitions that are owned and read to the end of their log: those about which decisions are allowed. */
  readonly ready: ReadonlySet<number>;
  /** Sets the owned partitions. */
  own(partitions: ReadonlySet<number>): void;
  /** Resolves when every owned partition is ready, or could not be made ready this time. */
  adjusted(): Promise<void>;
};

export type UptakeDeps = {
  readonly bus: Bus;
  readonly index: OpenPlanIndex;
  readonly table: PlanTable;
  readonly feed: PartitionFeed;
  readonly log: Logger;
};

/** @param onReady - Called with partitions that have become ready. Returns the number of open plans in them. */
export function createPartitionUptake(
  deps: UptakeDeps,
  onReady: (partitions: ReadonlySet<number>) => number,
): PartitionUptake {
  const { index, table, feed, log } = deps;
  let owned: ReadonlySet<number> = new Set();
  const ready = new Set<number>();
  /** How often each partition was lost: one that was lost and regained meanwhile is read again. */
  const losses = new Uint32Array(PARTITIONS);
  const stopping = new AbortController();

  const forget = (partition: number): void => {
    feed.mute(partition);
    table.drop(partition);
    index.drop(partition);
  };

  const takeUpGained = async (): Promise<void> => {
    const gained = owned.difference(ready);
    if (gained.size === 0) return;
    const before = losses.slice();
    const startedMs = performance.now();
    try {
      const how = await takeUp(deps, gained);
      for (const partition of gained) if (losses[partition] === before[partition]) ready.add(partition);
      const partitions = gained.intersection(ready);
      const plans = onReady(partitions);
      const tookMs = Math.round(performance.now() - startedMs);
      log.info({ partitions: [...partitions], plans, ...how, tookMs }, "partitions taken over");
    } finally {
      for (const partition of gained.difference(ready)) forget(partition);
    }
  };

  const adjusting = oneAtATime(takeUpGained, (error) => {
    if (stopping.signal.aborted) return;
    log.warn({ reason: describeError(error) }, "could not take over partitions yet");
    const retry = setTimeout(() => adjusting.soon(), AGAIN_MS);
    stopping.signal.addEventListener("abort", () => clearTimeout(retry), { once: true });
  });

  return {
    ready,
    own(next) {
      for (const partition of owned.difference(next)) {
        losses[partition] = (losses[partition] ?? 0) + 1;
        ready.delete(partition);
        forget(partition);
      }
      owned = next;
      adjusting.soon();
    },
    adjusted: () => adjusting.now(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await adjusting.stop();
    },
  };
}
