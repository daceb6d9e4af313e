/**
 * The list of plans, kept fresh: facts of the open plans that it shows ask for a new reading, and a slow
 * poll finds the plans that others have submitted.
 */
import type { ApiError } from "../api/api-error.ts";
import type { PlanSummary } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { toApiError } from "../api/to-api-error.ts";
import { coalesce } from "../live/coalesce.ts";
import type { LiveClient } from "../live/live-client.ts";
import { createStore, type Store } from "../ui/create-store.ts";

export type PlanFilter = { readonly q: string; readonly status: string };

export type PlanListState = {
  /** Undefined until the first answer. */
  readonly plans: readonly PlanSummary[] | undefined;
  readonly error: ApiError | undefined;
  /** Where older plans begin, when there are more. */
  readonly nextCursor: string | undefined;
};

export type PlanListStore = {
  readonly state: Store<PlanListState>;
  readonly refresh: () => void;
  readonly loadOlder: () => void;
  readonly stop: () => void;
};

export type PlanListDeps = {
  readonly gateway: Pick<Gateway, "plans">;
  readonly live: Pick<LiveClient, "watch">;
  readonly now: () => number;
};

const PAGE_SIZE = 30;
const POLL_MS = 5_000;
const REFRESH_MS = 800;
/** More watches than a screen has rows would be of no use. */
const WATCHES_MAX = 20;

export function openPlanList(filter: PlanFilter, { gateway, live, now }: PlanListDeps): PlanListStore {
  const state = createStore<PlanListState>({ plans: undefined, error: undefined, nextCursor: undefined });
  const closing = new AbortController();
  const watches = new Map<string, () => void>();

  const page = (cursor?: string) =>
    gateway.plans({ ...filter, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }, closing.signal);
  const guard = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!closing.signal.aborted) state.set({ ...state.get(), error: toApiError(error) });
    }
  };
  const read = () =>
    guard(async () => {
      const { plans, nextCursor } = await page();
      const last = plans.at(-1);
      const shown = state.get();
      // Older plans that were loaded before stay below the fresh first page.
      const fresh = new Set(plans.map((plan) => plan.planId));
      const older =
        last === undefined
          ? []
          : (shown.plans ?? []).slice(PAGE_SIZE).filter((plan) => !fresh.has(plan.planId));
      const cursor = older.length > 0 ? shown.nextCursor : nextCursor;
      state.set({ plans: [...plans, ...older], error: undefined, nextCursor: cursor });
      watchOpen(plans);
    });
  const loadOlder = () =>
    guard(async () => {
      const shown = state.get();
      if (shown.nextCursor === undefined) return;
      const { plans, nextCursor } = await page(shown.nextCursor);
      const known = new Set(shown.plans?.map((plan) => plan.planId));
      const added = plans.filter((plan) => !known.has(plan.planId));
      state.set({ plans: [...(shown.plans ?? []), ...added], error: undefined, nextCursor });
    });
  const watchOpen = (plans: readonly PlanSummary[]): void => {
    const open = plans.filter((plan) => plan.endedAt === undefined).slice(0, WATCHES_MAX);
    const wanted = new Set(open.map((plan) => plan.planId));
    for (const [planId, unwatch] of watches) {
      if (wanted.has(planId)) continue;
      unwatch();
      watches.delete(planId);
    }
    const listener = { onEvent: refresh.request, onBehind: refresh.request };
    for (const planId of wanted) {
      if (!watches.has(planId)) watches.set(planId, live.watch(planId, undefined, listener));
    }
  };
  const refresh = coalesce(read, { intervalMs: () => REFRESH_MS, now });
  const poll = setInterval(() => {
    if (document.visibilityState === "visible") refresh.request();
  }, POLL_MS);
  refresh.request();
  return {
    state,
    refresh: refresh.request,
    loadOlder: () => void loadOlder(),
    stop: () => {
      closing.abort();
      clearInterval(poll);
      refresh.stop();
      for (const unwatch of watches.values()) unwatch();
    },
  };
}
