/**
 * The index of open plans, kept beside the log so that taking over a partition does not require reading all of it.
 *
 * `covered.<partition>` is a sequence of the log, `open.<partition>.<planId>` the sequence of a plan's first event. A plan that
 * ends soon never gets an entry.
 *
 * Invariants:
 *   OPEN-1. Every open plan whose first event is not after its partition's covered sequence has an entry. So entries are written
 *           before the sequence advances, and the sequence is read before the entries.
 *   OPEN-2. A superfluous entry costs one read, which finds that the plan has ended.
 *   OPEN-3. A covered sequence is replaced only by a planner that knows the previous one. If another planner has written, or the
 *           bucket was lost, the partition's plans are rewritten first.
 */
import { PARTITIONS, partitionOf, PlanId } from "@planwright/plan";
import {
  type Bucket,
  BUCKETS,
  type BucketEntry,
  type Bus,
  logState,
  openBucket,
  STREAMS,
} from "@planwright/shared/bus";
import { describeError, TransientError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { z } from "zod";
import { createOpenPlanList } from "./open-plan-list.ts";
import type { IndexedPlan } from "./plan-replay.ts";

/** The number of entries written concurrently. */
const AT_A_TIME = 64;

/** A log that was deleted and recreated counts from 1 again, so positions in the old one are meaningless. */
const Covered = z.object({ log: z.string(), sequence: z.int().nonnegative() });

export type OpenPlanIndex = {
  /** The index's entries for these partitions. Entries of ended plans have to be passed to `ended`. */
  load(partitions: ReadonlySet<number>): Promise<{ covered: number; plans: IndexedPlan[] }>;
  /** Adds a plan that was found in the log. */
  opened(plan: IndexedPlan): void;
  ended(planId: PlanId): void;
  /** Stops tracking a partition. */
  drop(partition: number): void;
  /**
   * Writes changes. Retries a failed write the next time.
   *
   * @param last - The position up to which the log of these partitions is known.
   */
  flush(partitions: ReadonlySet<number>, last: number): Promise<void>;
};

export async function openPlanIndex(bus: Bus, { log }: { log: Logger }): Promise<OpenPlanIndex> {
  const bucket = await openBucket(bus, BUCKETS.openPlans);
  const { created } = await logState(bus, log);
  const list = createOpenPlanList();
  const covered = Array.from({ length: PARTITIONS }, () => ({ sequence: 0, revision: 0 }));
  let lastFlushed = 0;

  /** @param logEnd - A log that has lost its end continues counting from there: positions beyond it are no longer covered. */
  const readCovered = async (partition: number, logEnd = Number.POSITIVE_INFINITY): Promise<number> => {
    const entry = await bucket.get(`covered.${partition}`);
    const known = sequenceOf(entry, created);
    const sequence = known > logEnd ? 0 : known;
    covered[partition] = { sequence, revision: entry?.revision ?? 0 };
    return sequence;
  };

  const write = async (plan: IndexedPlan): Promise<void> => {
    try {
      await bucket.write(keyOf(plan.planId), String(plan.firstSequence));
    } catch (error) {
      list.putBack(plan);
      throw error;
    }
  };

  const remove = async (planId: PlanId): Promise<void> => {
    await bucket.remove(keyOf(planId));
    list.removed(planId);
  };

  const cover = async (partition: number, sequence: number): Promise<void> => {
    const before = covered[partition];
    if (before === undefined || before.sequence >= sequence) return;
    const value = JSON.stringify({ log: created, sequence } satisfies z.input<typeof Covered>);
    const revision = await bucket.write(`covered.${partition}`, value, { expect: before.revision });
    if (revision !== undefined) {
      covered[partition] = { sequence, revision };
      return;
    }
    await readCovered(partition);
    list.putAllBack(partition);
    log.info({ partition }, "reindexing open plans");
  };

  const flush = async (partitions: ReadonlySet<number>, last: number): Promise<void> => {
    // Only plans that were already open at the last flush; shorter ones are not worth an entry.
    const options = { partitions, upTo: lastFlushed, atMost: AT_A_TIME };
    for (let old = list.takeOld(options); old.length > 0; old = list.takeOld(options)) {
      await Promise.all(old.map(write));
    }
    const sequence = list.coveredTo(last);
    await Promise.all([...partitions].map((partition) => cover(partition, sequence)));
    const stale = list.stale().values();
    for (let some = [...stale.take(AT_A_TIME)]; some.length > 0; some = [...stale.take(AT_A_TIME)]) {
      await Promise.all(some.map(remove));
    }
    lastFlushed = last;
  };

  return {
    async load(partitions) {
      const { state } = await bus.manager.streams.info(STREAMS.plans);
      const read = (partition: number): Promise<number> => readCovered(partition, state.last_seq);
      const sequences = await Promise.all([...partitions].map(read));
      const entries = await listOf(bucket, partitions, covered);
      const plans = entries.flatMap(planOf);
      for (const plan of plans) list.indexed(plan);
      return { covered: Math.min(...sequences), plans };
    },
    opened: (plan) => list.opened(plan),
    ended: (planId) => list.ended(planId),
    drop: (partition) => list.drop(partition),
    flush: (partitions, last) =>
      flush(partitions, last).catch((error: unknown) =>
        log.warn({ reason: describeError(error) }, "open plans cannot be indexed"),
      ),
  };
}

/**
 * The bucket's entries for these partitions. A replica that is behind would lack plans that are covered.
 *
 * @throws {TransientError} When the data is older than the known covered position.
 */
async function listOf(
  bucket: Bucket,
  partitions: ReadonlySet<number>,
  covered: readonly { readonly revision: number }[],
): Promise<BucketEntry[]> {
  const entries = await bucket.list([...partitions].flatMap((one) => [`open.${one}.>`, `covered.${one}`]));
  const revisions = new Map(entries.map(({ key, revision }) => [key, revision]));
  const isOld = (one: number): boolean =>
    (revisions.get(`covered.${one}`) ?? 0) < (covered[one]?.revision ?? 0);
  if ([...partitions].some(isOld))
    throw new TransientError("the list of open plans is behind: a replica is catching up");
  return entries;
}

function keyOf(planId: PlanId): string {
  return `open.${partitionOf(planId)}.${planId}`;
}

function planOf({ key, value }: BucketEntry): IndexedPlan[] {
  if (!key.startsWith("open.")) return [];
  const planId = PlanId.safeParse(key.split(".")[2]);
  const firstSequence = Number(value);
  return planId.success && Number.isSafeInteger(firstSequence)
    ? [{ planId: planId.data, firstSequence }]
    : [];
}

function sequenceOf(entry: BucketEntry | undefined, logId: string): number {
  if (entry?.value === undefined) return 0;
  try {
    const { log, sequence } = Covered.parse(JSON.parse(entry.value));
    return log === logId ? sequence : 0;
  } catch {
    return 0;
  }
}
