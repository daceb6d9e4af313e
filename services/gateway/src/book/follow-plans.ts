import {
  type DeleteRequested,
  isEnded,
  type KnownPlan,
  NO_USAGE,
  outlineOf,
  type PlanArchived,
  type PlanDeleted,
  type PlanEvent,
  type PlanId,
  runTold,
  type Usage,
} from "@planwright/plan";
import { type Bus, followLog } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { spentSince } from "../quotas/spent-days.ts";
import type { DeletedPlans } from "./deleted-plans.ts";
import type { HotPlans } from "./hot-plans.ts";
import type { ListWatchers } from "./list-watchers.ts";
import type { Projection } from "./projection.ts";
import type { SequenceWaiters } from "./sequence-waiters.ts";
import type { Watchers } from "./watchers.ts";
import type { Owner } from "../quotas/owner.ts";

export type OnFact = (plan: KnownPlan, event: PlanEvent) => void;
/** Called when a plan is deleted, possibly several times. */
export type OnDeleted = (event: DeleteRequested | PlanDeleted) => void;

export type Following = AsyncDisposable & {
  readonly caughtUp: Promise<void>;
  readonly finished: Promise<void>;
  /** Why the plans are behind the log; absent when they are up to date. */
  readonly lag: string | undefined;
};

/** A plan whose first event has been stored in the log but not read back yet. */
export type ExpectedPlan = Owner & { readonly sequence: number };

type FollowDeps = {
  readonly hot: HotPlans;
  readonly projection: Projection;
  readonly watchers: Watchers;
  readonly listWatchers: Pick<ListWatchers, "note">;
  /** The tenant that owns the plan; undefined when unknown. */
  readonly tenantOf: (planId: PlanId) => string | undefined;
  readonly waiters: SequenceWaiters;
  /** Plans whose first event has been stored but not read back yet; each is removed once it has been. */
  readonly expected: Map<PlanId, ExpectedPlan>;
  readonly deleted: DeletedPlans;
  readonly onFact: OnFact;
  readonly onDeleted: OnDeleted;
  readonly log: Logger;
};

/**
 * Applies every event of the log to all derived state, in stream order, starting at the projection's position. The position and
 * the sequence waiters advance with the last event of a message.
 */
export async function followPlans(bus: Bus, deps: FollowDeps): Promise<Following> {
  const { hot, projection, watchers, listWatchers, waiters, expected, onFact, log } = deps;
  const takeArchived = ({ planId, data }: PlanArchived): void => {
    hot.drop(planId);
    projection.note({ planId, outline: () => data.outline, sequence: data.firstSequence, isEnded: true });
    watchers.wake(planId);
  };
  const reached = (sequence: number): void => {
    projection.reached(sequence);
    waiters.reached(sequence);
  };
  const follower = await followLog(bus, {
    from: projection.resumeFrom,
    log,
    onEntry({ event, sequence, isLast }) {
      if (event.type === "plan.archived") takeArchived(event);
      if (event.type === "delete.requested" || event.type === "plan.deleted") takeDeleted(event, deps);
      // Applies to plans that are no longer in memory, too.
      if (event.type === "feedback.given") projection.rate(event.planId, event.data);
      const usedBefore = hot.get(event.planId)?.plan.usage ?? NO_USAGE;
      const changed = hot.apply(event, sequence);
      if (changed !== undefined) {
        const { plan } = changed;
        const { planId } = plan;
        const first = changed.firstSequence ?? sequence;
        projection.note({ planId, outline: () => outlineOf(plan), sequence: first, isEnded: isEnded(plan) });
        const told = runTold(plan, event);
        if (told !== undefined) projection.tellRun({ tenant: plan.goal.tenant, ...told }, sequence);
        tellSpent(projection, { plan, usedBefore, at: event.at }, sequence);
        onFact(plan, event);
        watchers.wake(planId);
        listWatchers.note(plan.goal.tenant, planId);
        if (expected.size > 0) expected.delete(planId);
      }
      if (isLast) reached(sequence);
    },
    onUnknown: ({ sequence, isLast }) => void (isLast && reached(sequence)),
  });

  let lag: string | undefined = "reading the log";
  const lost = (): void => {
    lag = "the log cannot be followed";
    waiters.fail(new TransientError(lag));
  };
  follower.caughtUp.then(
    () => (lag = undefined),
    () => undefined,
  );
  follower.finished.then(lost, lost);
  return {
    caughtUp: follower.caughtUp,
    finished: follower.finished,
    get lag() {
      return lag;
    },
    [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose](),
  };
}

/** Adds the usage of a sub-plan to its parent, whose watchers are notified. */
function tellSpent(
  { spending }: Pick<Projection, "spending">,
  { plan, usedBefore, at }: { readonly plan: KnownPlan; readonly usedBefore: Usage; readonly at: string },
  sequence: number,
): void {
  const { parent, tenant, submittedBy: identity } = plan.goal;
  if (parent === undefined)
    spending.add({ ...spentSince(usedBefore, plan.usage), tenant, identity, at }, sequence);
}

/** Hides the plan from all readers from now on. */
function takeDeleted(
  event: DeleteRequested | PlanDeleted,
  { hot, projection, watchers, listWatchers, tenantOf, expected, deleted, onDeleted }: FollowDeps,
): void {
  const { planId, type } = event;
  const tenant = tenantOf(planId);
  deleted.add(planId);
  hot.remove(planId);
  expected.delete(planId);
  projection.remove(planId);
  onDeleted(event);
  watchers.wake(planId);
  if (tenant !== undefined) listWatchers.note(tenant, planId);
  if (type === "plan.deleted") deleted.erased(planId);
}
