import type { PlanSummary } from "@planwright/api";
import type { PlanId } from "@planwright/plan";
import { setTimeout as delay } from "node:timers/promises";
import type { ListWatchers } from "./list-watchers.ts";

/** Changes within this time are sent together. */
const GATHER_MS = 500;

/** How the list of a tenant has changed. */
export type ListNews = {
  readonly plans: readonly PlanSummary[];
  readonly removed: readonly PlanId[];
  readonly more: boolean;
};

/**
 * Yields how the list of a tenant's plans changes from now on.
 *
 * Pull-based: only ids are kept for a watcher that has not asked for more.
 *
 * @throws The signal's reason when it aborts.
 */
export async function* watchList(
  {
    listWatchers,
    summariesOf,
  }: {
    readonly listWatchers: Pick<ListWatchers, "add">;
    readonly summariesOf: (tenant: string, planIds: readonly PlanId[]) => readonly PlanSummary[];
  },
  { tenant, signal }: { readonly tenant: string; readonly signal: AbortSignal },
): AsyncGenerator<ListNews> {
  using watcher = listWatchers.add(tenant, signal);
  for (;;) {
    await watcher.changed();
    signal.throwIfAborted();
    await delay(GATHER_MS, undefined, { signal });
    const { planIds, more } = watcher.take();
    const plans = summariesOf(tenant, planIds);
    const shown = new Set(plans.map(({ planId }) => planId));
    yield { plans, removed: planIds.filter((planId) => !shown.has(planId)), more };
  }
}
