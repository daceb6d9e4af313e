/**
 * The plans that are kept in memory: every open one, and those that ended last.
 *
 * Invariants:
 *   CACHE-1. A plan is here from its first fact on, or as it was when it had ended; never from its middle.
 *   CACHE-2. `history` is the unbroken end of the plan's facts; what came before it is read from the log or the archive.
 *   CACHE-3. What ended plans take up is bounded; open ones are dropped only when they left the log before they were read.
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

/** Events of one plan that are kept for watchers that come late or fall behind. */
const HISTORY_MAX = 4_096;
/** Events of all ended plans together. */
const ENDED_FACTS_MAX = 20_000;

type HotPlan = {
  plan: KnownPlan;
  /** The position of its first event in the stream; absent when it was read from the log. */
  readonly firstSequence: number | undefined;
  readonly history: NumberedEvent[];
};

export type HotPlans = {
  get(planId: PlanId): HotPlan | undefined;
  /** Applies one event. Undefined when the plan does not count it. */
  apply(event: PlanEvent, sequence: number): HotPlan | undefined;
  /** Drops an open plan whose further events have left the log; an ended one stays. */
  drop(planId: PlanId): void;
  /** Lets go of a plan, ended or not. */
  remove(planId: PlanId): void;
  /** Keeps a plan that ended, and was read from the log, for the next request. */
  keepEnded(plan: KnownPlan): void;
  readonly openCount: number;
  /** How many plans of an owner (see `ownersOf`) have not ended, without sub-plans. */
  openOf(owner: string): number;
  /** Every plan that has not ended. */
  open(): Iterable<KnownPlan>;
};

export function createHotPlans(): HotPlans {
  const plans = new Map<PlanId, HotPlan>();
  /** In the order in which they ended or were last requested. */
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
        // A late outcome, noted in the ledger of effects and nowhere else.
        if (known !== undefined && next.status !== "absent") known.plan = next;
        return undefined;
      }
      const hot = known ?? { plan: next, firstSequence: sequence, history: [] };
      hot.plan = next;
      hot.history.push(new NumberedEvent(next.seq, event));
      // Half at a time: dropping one by one would move the rest each time.
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
 * The facts from `seq` on, at most `max` of them; empty when there is none yet.
 *
 * @returns Undefined when memory does not reach back that far.
 */
export function factsFrom(hot: HotPlan, seq: number, max: number): readonly NumberedEvent[] | undefined {
  if (seq > hot.plan.seq) return [];
  const first = hot.history[0]?.seq ?? hot.plan.seq + 1;
  return seq < first ? undefined : hot.history.slice(seq - first, seq - first + max);
}

/** How many plans have not ended, by whose they are (see `ownersOf`); sub-plans are not counted. */
type OpenCounts = {
  /** Takes in a plan that is open now, or is not any more. */
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
