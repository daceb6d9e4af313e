/**
 * The dispatcher: folds the log, decides, and executes the decisions. It is the only component that sends work.
 *
 * Invariants:
 *   DISPATCH-1. Nothing is decided about a partition before its log has been read to the end: a decision on an old state would
 *               only repeat earlier ones.
 *   DISPATCH-2. After a failure, the dispatcher decides again from the state at that time; every command has a derived id, so
 *               executing it twice changes nothing.
 *   DISPATCH-3. A decision is stored only if no other has been made since (the fence); a refused planner checks whether it still
 *               owns the plan, and decides again if it does.
 *   DISPATCH-4. Only owned plans are decided, and only while the lease lives. This saves work; DISPATCH-2 and DISPATCH-3 ensure
 *               correctness.
 */
import { decide, isEnded, newlyOwed, partitionOf, type PlanId } from "@planwright/plan";
import type { LogEntry } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import { holdPartitions } from "../partitions/hold-partitions.ts";
import { createDeletions } from "../retention/create-deletions.ts";
import { startSharing } from "../sharing/start-sharing.ts";
import { createCarrier } from "./carrier.ts";
import type { DispatchDeps } from "./execute-command.ts";
import { createLateEffects, type LateEffects } from "./late-effects.ts";
import { isUnreported } from "./log-damage.ts";
import { openPlanIndex } from "./open-plan-index.ts";
import { createOverdueTimers } from "./overdue-timers.ts";
import type { OwnedPlan } from "./owned-plan.ts";
import { createPartitionFeed } from "./partition-feed.ts";
import { createPartitionUptake } from "./partition-uptake.ts";
import { createPlanTable, isTombstone } from "./plan-table.ts";
import { createRegularWork } from "./regular-work.ts";

const EVERY_MS = 2_000;

export type Dispatcher = AsyncDisposable & {
  /** Rejects when the log can no longer be followed. */
  readonly finished: Promise<void>;
  /** Whether this planner currently dispatches the plans of a partition. */
  owns(partition: number): boolean;
};

/**
 * Resolves once this planner dispatches its partitions. Disposing hands them over to the remaining planners.
 *
 * @param deps.plannerId - Identifies this process among all planners.
 */
export async function startDispatcher(
  deps: DispatchDeps & { readonly plannerId: string; readonly log: Logger },
): Promise<Dispatcher> {
  const { bus, log, plannerId } = deps;
  const held = await holdPartitions({ bus, plannerId, log });
  const table = createPlanTable();
  const index = await openPlanIndex(bus, { log });
  const overdue = createOverdueTimers(deps, () => performance.now());

  const onEntry = (entry: LogEntry, partition: number): void => {
    const { planId } = entry.event;
    overdue.note(entry.storedAtMs);
    // A plan that is still open here ended while this planner was suspended, and its end has left the log.
    if (isTombstone(entry.event) && table.remove(planId)) index.ended(planId);
    const isOpen = table.get(planId) !== undefined;
    const folded = table.fold(entry);
    ended.heed(entry, { isOpen, plan: folded?.owned.plan });
    if (folded === undefined) return;
    const { owned: changed, before } = folded;
    sharing.gate.heed(changed, entry.event);
    if (changed.firstSequence === entry.sequence) index.opened({ planId, firstSequence: entry.sequence });
    if (isEnded(changed.plan)) {
      index.ended(planId);
      if (isUnreported(changed))
        log.error({ planId, missing: changed.missing }, "the log of an ended plan is damaged");
      // The plan's work in flight has made room for others.
      sharing.gate.release();
    } else if (uptake.ready.has(partition) && held.isHeld()) {
      // Commands held back until the log recorded the damage do not follow from this event, so everything is decided again.
      if (entry.event.type === "log.damaged") carrier.resume(changed);
      else carrier.carryOut(changed, decide(changed.plan, newlyOwed(before, changed.plan)));
    }
  };

  const resume = (partitions: ReadonlySet<number>): number =>
    [...table.open(partitions)].map((plan) => carrier.resume(plan)).length;

  const owns = (planId: PlanId): boolean => uptake.ready.has(partitionOf(planId)) && held.isHeld();
  const find = (planId: PlanId): OwnedPlan | undefined => (owns(planId) ? table.get(planId) : undefined);
  const ended = followEnded({ ...deps, owns });
  const carrier = createCarrier(deps, { find, onConflict: () => held.look(), gate: () => sharing.gate });
  const sharing = startSharing(deps, { find, send: (...sent) => carrier.execute(...sent) });
  const feed = createPartitionFeed(bus, { onEntry, onUnknown: (entry) => table.note(entry), log });
  const uptake = createPartitionUptake({ bus, index, table, feed, log }, resume);
  await held.begin({
    own: (partitions) => uptake.own(partitions),
    resume: () => void resume(uptake.ready),
    settled: () => carrier.settled(),
  });
  await uptake.adjusted();
  ended.soon();

  const owned = {
    partitions: () => uptake.ready,
    plans: () => table.open(uptake.ready),
    position: () => ended.doneTo(feed.position),
  };
  const regular = createRegularWork({ bus, carrier, index, overdue, owned, log });
  const saving = setInterval(() => {
    regular.soon(held.isHeld());
    ended.soon();
    sharing.sweep();
  }, EVERY_MS);
  return {
    finished: feed.finished,
    owns: (partition) => uptake.ready.has(partition) && held.isHeld(),
    async [Symbol.asyncDispose]() {
      clearInterval(saving);
      sharing[Symbol.dispose]();
      await held[Symbol.asyncDispose]();
      carrier[Symbol.dispose]();
      const stopped = uptake[Symbol.asyncDispose]();
      await feed[Symbol.asyncDispose]();
      await Promise.all([stopped, regular.stop(), ended.stop(), carrier.settled()]);
    },
  };
}

/** Handles ended plans: follows up late effects, and executes deletions. */
function followEnded(
  deps: DispatchDeps & { readonly owns: (planId: PlanId) => boolean; readonly log: Logger },
): LateEffects {
  const late = createLateEffects(deps);
  const deletions = createDeletions({ ...deps, clock: () => performance.now() });
  return {
    heed(entry, about) {
      late.heed(entry, about);
      deletions.heed(entry, about);
    },
    soon() {
      late.soon();
      deletions.soon();
    },
    doneTo: (position) => deletions.doneTo(late.doneTo(position)),
    async stop() {
      await Promise.all([late.stop(), deletions.stop()]);
    },
  };
}
