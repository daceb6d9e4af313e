import type { PlanPage, PlanSummary } from "../api/api-types.ts";

export type LoadedPlans = {
  readonly plans: readonly PlanSummary[];
  /** The cursor for older plans, if there are more. */
  readonly nextCursor: string | undefined;
};

/** The newly read newest plans, followed by the older ones that were loaded before. */
export function mergeNewest(shown: LoadedPlans, fresh: PlanPage): LoadedPlans {
  const last = fresh.plans.at(-1);
  if (last === undefined || fresh.nextCursor === undefined)
    return { plans: fresh.plans, nextCursor: undefined };
  const known = new Set(fresh.plans.map(({ planId }) => planId));
  const isOlder = olderThan(shown.plans, last);
  // If the two have no plan in common, there may be plans in between that neither has.
  const overlaps = shown.plans.some(({ planId }) => known.has(planId));
  const older = overlaps
    ? shown.plans.filter((plan, index) => !known.has(plan.planId) && isOlder(plan, index))
    : [];
  return {
    plans: [...fresh.plans, ...older],
    nextCursor: older.length > 0 ? shown.nextCursor : fresh.nextCursor,
  };
}

/** Adds an older page, without plans that moved into it meanwhile. */
export function appendOlder(shown: LoadedPlans, { plans, nextCursor }: PlanPage): LoadedPlans {
  const known = new Set(shown.plans.map(({ planId }) => planId));
  return { plans: [...shown.plans, ...plans.filter(({ planId }) => !known.has(planId))], nextCursor };
}

/** By its position; by its time if the plan was not shown before. */
function olderThan(plans: readonly PlanSummary[], last: PlanSummary) {
  const place = plans.findIndex(({ planId }) => planId === last.planId);
  return (plan: PlanSummary, index: number): boolean =>
    place === -1 ? plan.submittedAt < last.submittedAt : index > place;
}
