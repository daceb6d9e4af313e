import { partitionOf, type PlanId } from "@planwright/plan";
import type { IndexedPlan } from "./plan-replay.ts";

/** The open plans from the index's perspective: with an entry, without one yet, or ended but still with an entry. */
export type OpenPlanList = {
  opened(plan: IndexedPlan): void;
  /** Records that the plan has an entry. */
  indexed(plan: IndexedPlan): void;
  ended(planId: PlanId): void;
  drop(partition: number): void;
  /** Marks some plans without an entry that began up to this sequence as having one, and returns them. */
  takeOld(options: { partitions: ReadonlySet<number>; upTo: number; atMost: number }): IndexedPlan[];
  /** Records that the plan has no entry after all. */
  putBack(plan: IndexedPlan): void;
  /** Records that no plan of the partition has an entry any more. */
  putAllBack(partition: number): void;
  /** The highest sequence, not above `last`, up to which every open plan has an entry. */
  coveredTo(last: number): number;
  /** Plans that have ended but still have an entry. */
  stale(): PlanId[];
  /** Records that the entry of an ended plan was removed. */
  removed(planId: PlanId): void;
};

export function createOpenPlanList(): OpenPlanList {
  const fresh = new Map<PlanId, number>();
  const stored = new Map<PlanId, number>();
  const stale = new Set<PlanId>();
  const putBack = ({ planId, firstSequence }: IndexedPlan): void => {
    // It may have ended in the meantime.
    if (stored.delete(planId)) fresh.set(planId, firstSequence);
  };
  return {
    opened({ planId, firstSequence }) {
      if (!stored.has(planId)) fresh.set(planId, firstSequence);
    },
    indexed: ({ planId, firstSequence }) => void stored.set(planId, firstSequence),
    ended(planId) {
      if (fresh.delete(planId)) return;
      stored.delete(planId);
      stale.add(planId);
    },
    drop(partition) {
      for (const plans of [fresh, stored, stale]) {
        for (const planId of plans.keys()) if (partitionOf(planId) === partition) plans.delete(planId);
      }
    },
    takeOld({ partitions, upTo, atMost }) {
      const old: IndexedPlan[] = [];
      for (const [planId, firstSequence] of fresh) {
        if (old.length === atMost) break;
        if (firstSequence > upTo || !partitions.has(partitionOf(planId))) continue;
        fresh.delete(planId);
        stored.set(planId, firstSequence);
        old.push({ planId, firstSequence });
      }
      return old;
    },
    putBack,
    putAllBack(partition) {
      for (const [planId, firstSequence] of stored) {
        if (partitionOf(planId) === partition) putBack({ planId, firstSequence });
      }
    },
    coveredTo(last) {
      let covered = last;
      for (const firstSequence of fresh.values()) covered = Math.min(covered, firstSequence - 1);
      return covered;
    },
    stale: () => [...stale],
    removed: (planId) => void stale.delete(planId),
  };
}
