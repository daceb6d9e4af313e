import type { Bus } from "@planwright/shared/bus";
import type { OpenPlanIndex } from "./open-plan-index.ts";
import type { PartitionFeed } from "./partition-feed.ts";
import { type IndexedPlan, planReplay } from "./plan-replay.ts";
import { type PlanTable, readOwnedPlan } from "./plan-table.ts";

/** The number of plans read concurrently. */
const AT_A_TIME = 16;

/**
 * Restores the open plans of these partitions to the table from the current log, and follows them from there.
 *
 * Its cost depends on open plans only: see `planReplay`.
 *
 * @returns How it was done, for the log line.
 */
export async function takeUp(
  deps: {
    readonly bus: Bus;
    readonly index: OpenPlanIndex;
    readonly table: PlanTable;
    readonly feed: PartitionFeed;
  },
  partitions: ReadonlySet<number>,
): Promise<{ readonly readAlone: number; readonly from: number }> {
  const { covered, plans } = await deps.index.load(partitions);
  const { alone, from } = planReplay(plans, covered);
  const waiting = alone.values();
  await Promise.all(Array.from({ length: AT_A_TIME }, () => readEach(deps, waiting)));
  await deps.feed.add(partitions, from);
  return { readAlone: alone.length, from };
}

async function readEach(
  { bus, index, table }: { readonly bus: Bus; readonly index: OpenPlanIndex; readonly table: PlanTable },
  waiting: Iterator<IndexedPlan, undefined> & Iterable<IndexedPlan>,
): Promise<void> {
  for (const indexed of waiting) {
    const owned = await readOwnedPlan(bus, indexed);
    if (owned === undefined) index.ended(indexed.planId);
    else table.add(owned);
  }
}
