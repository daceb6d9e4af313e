/** Takes changes that the gateway sends into the plans of a list. */
import type { ListChanges } from "@planwright/client";
import type { PlanSummary } from "../api/api-types.ts";
import type { ListFilter } from "./list-filter.ts";
import { isNewestFirst, type ListOrder, placeOf } from "./list-order.ts";

export type Taken = {
  readonly plans: readonly PlanSummary[];
  /** Plans that belong into the list, or into another place of it: it has to be read again to show them there. */
  readonly misplaced: readonly string[];
};

/**
 * Replaces the plans that have changed where they are, and removes those that have left the list.
 *
 * In the list of the newest plans, plans that do not fit the filter any more leave it, too. In any other order they stay
 * until the list is read again, so that nothing moves under a reader's hands.
 */
export function takeChanges(
  shown: readonly PlanSummary[],
  { plans: changed, removed }: Pick<ListChanges, "plans" | "removed">,
  { filter, order }: { readonly filter: ListFilter; readonly order: ListOrder },
): Taken {
  const newest = isNewestFirst(order);
  const news = new Map(changed.map((plan) => [plan.planId, plan]));
  const gone = new Set<string>(removed);
  const misplaced: string[] = [];
  const plans: PlanSummary[] = [];
  for (const plan of shown) {
    const now = news.get(plan.planId);
    news.delete(plan.planId);
    if (gone.has(plan.planId)) continue;
    if (now === undefined) {
      plans.push(plan);
      continue;
    }
    const fits = mayFit(now, filter);
    if (fits || !newest) plans.push(now);
    if (!newest && (!fits || placeOf(now, order.sort) !== placeOf(plan, order.sort)))
      misplaced.push(plan.planId);
  }
  const added = [...news.values()].filter((plan) => mayFit(plan, filter)).map(({ planId }) => planId);
  return { plans, misplaced: [...misplaced, ...added] };
}

/** Whether a plan may fit: only the gateway knows which plans a search finds and which ones need an approval. */
function mayFit(plan: PlanSummary, { status = "", strategy = "" }: ListFilter): boolean {
  const ofStatus = status === "" || (status === "open" ? !plan.ended : plan.status === status);
  return ofStatus && (strategy === "" || plan.strategy === strategy);
}
