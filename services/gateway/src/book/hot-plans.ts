/**
 * The plans kept in memory: every open one, and the most recent finished ones.
 *
 * Invariants:
 *   CACHE-1. A plan is cached from its first event on, or in its final state; never from its middle.
 *   CACHE-2. `history` is an unbroken tail of the plan's events; earlier ones are read from the log or the archive.
 *   CACHE-3. The memory of ended plans is bounded; open ones are dropped only when their events left the log before they were
 *            read.
 */
import {
  counts,
  evolve,
  isEnded,
  type KnownPlan,
  noPlan,
  type PlanEvent,
  type PlanId,
} from "@planwright/plan";
import { ownersOf } from "../quotas/owner.ts";
import { NumberedEvent } from "./numbered-event.ts";

/** Events kept per plan for watchers that join late or fall behind. */
const HISTORY_MAX = 4_096;
/** Events kept for all ended plans together. */
const ENDED_FACTS_MAX = 20_000;

type HotPlan = {
  plan: KnownPlan;
  /** The position of its first event in the stream; absent when it was read from the log. */
  readonly firstSequence: number | undefined;
  readonly history: NumberedEvent[];
};

export type HotPlans = {
  get(planId: PlanId): HotPlan | undefined;
  /** Applies one event. Returns undefined when the plan does not count it. */
  apply(event: PlanEvent, sequence: number): HotPlan | undefined;
  /** Drops an open plan whose next events have left the log; an ended one stays. */
  drop(planId: PlanId): void;
  /** Removes a plan, ended or not. */
  remove(planId: PlanId): void;
  /** Keeps an ended plan that was read from the log, for the next request. */
  keepEnded(plan: KnownPlan): void;
  readonly openCount: number;
  /** The number of an owner's open plans (see `ownersOf`), without sub-plans. */
  openOf(owner: string): number;
  /** Every plan that has not ended. */
  open(): Iterable<KnownPlan>;
};

export function createHotPlans(): HotPlans {
  const plans = new Map<PlanId, HotPlan>();
  /** Ordered by when they ended or were last requested. */
  const ended = new Map<PlanId, KnownPlan>();
  const openCounts = createOpenCounts();
  let endedFacts = 0;

  const keep = (plan: KnownPlan): void => {
    ended.set(plan.planId, plan);
    endedFacts += plan.seq;
    for (const [planId, oldest] of ended) {
      if (endedFacts <= ENDED_FACTS_MAX || planId === plan.planId) break;
      ended.delete(planId);
      plans.delete(planId);
      endedFacts -= oldest.seq;
    }
  };

  const drop = (planId: PlanId): void => {
    const open = ended.has(planId) ? undefined : plans.get(planId);
    if (open === undefined) return;
    openCounts.count(open.plan, -1);
    plans.delete(planId);
  };

  return {
    get(planId) {
      const kept = ended.get(planId);
      if (kept !== undefined) {
        ended.delete(planId);
        ended.set(planId, kept);
      }
      return plans.get(planId);
    },
    apply(event, sequence) {
      const known = plans.get(event.planId);
      const next = evolve(known?.plan ?? noPlan, event);
      if (!counts(known?.plan ?? noPlan, next)) {
        // A late outcome, recorded only in the effect ledger.
        if (known !== undefined && next.status !== "absent") known.plan = next;
        return undefined;
      }
      const hot = known ?? { plan: next, firstSequence: sequence, history: [] };
      hot.plan = next;
      hot.history.push(new NumberedEvent(next.seq, event));
      // Drops half at a time: dropping one by one would shift the rest each time.
      if (hot.history.length > HISTORY_MAX) hot.history.splice(0, HISTORY_MAX / 2);
      if (known === undefined) plans.set(event.planId, hot);
      const wasOpen = known !== undefined && !ended.has(event.planId);
      if (wasOpen === isEnded(next)) openCounts.count(next, wasOpen ? -1 : 1);
      if (isEnded(next)) keep(next);
      return hot;
    },
    drop,
    remove(planId) {
      drop(planId);
      plans.delete(planId);
      endedFacts -= ended.get(planId)?.seq ?? 0;
      ended.delete(planId);
    },
    keepEnded(plan) {
      if (plans.has(plan.planId)) return;
      plans.set(plan.planId, { plan, firstSequence: undefined, history: [] });
      keep(plan);
    },
    get openCount() {
      return plans.size - ended.size;
    },
    openOf: (owner) => openCounts.of(owner),
    *open() {
      for (const [planId, { plan }] of plans) if (!ended.has(planId)) yield plan;
    },
  };
}

/**
 * The events from `seq` on, up to `max` of them; empty when there are none yet.
 *
 * @returns Undefined when memory does not reach back that far.
 */
export function factsFrom(hot: HotPlan, seq: number, max: number): readonly NumberedEvent[] | undefined {
  if (seq > hot.plan.seq) return [];
  const first = hot.history[0]?.seq ?? hot.plan.seq + 1;
  return seq < first ? undefined : hot.history.slice(seq - first, seq - first + max);
}

/** The number of open plans by owner (see `ownersOf`), without sub-plans. */
type OpenCounts = {
  /** Adds a plan that is now open (1), or subtracts one that no longer is (-1). */
  count(plan: KnownPlan, change: 1 | -1): void;
  of(owner: string): number;
};

function createOpenCounts(): OpenCounts {
  const counts = new Map<string, number>();
  return {
    count({ goal: { parent, tenant, submittedBy } }, change) {
      if (parent !== undefined) return;
      for (const owner of ownersOf({ tenant, identity: submittedBy })) {
        const count = (counts.get(owner) ?? 0) + change;
        if (count > 0) counts.set(owner, count);
        else counts.delete(owner);
      }
    },
    of: (owner) => counts.get(owner) ?? 0,
  };
}
