/**
 * A list of plans, kept up to date by the changes that the gateway sends.
 *
 * Newest first, new plans appear automatically: the newest page is read again. In any other order nothing moves on its own:
 * `misplaced` counts the plans that a reload would show elsewhere.
 */
import type { ListChanges, Live } from "@planwright/client";
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { PlanPage, PlanSummary } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { coalesce } from "../live/coalesce.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import { type ListFilter, queryOf, textOf } from "./list-filter.ts";
import { isNewestFirst, type ListOrder, NEWEST_FIRST, placeOf } from "./list-order.ts";
import { appendOlder, type LoadedPlans, mergeNewest } from "./merge-newest.ts";

export type PlanListState = Omit<LoadedPlans, "plans"> & {
  /** Undefined until the first response. */
  readonly plans: readonly PlanSummary[] | undefined;
  readonly error: ApiError | undefined;
  /** Why older plans could not be read. */
  readonly olderError: ApiError | undefined;
  /** Plans that are new or whose position has changed; only in orders other than newest first. */
  readonly misplaced: ReadonlySet<string>;
  /** Whether there may be more misplaced plans than these. */
  readonly isBehind: boolean;
  /** Number of changes: the counts of plans are read again when it increases. */
  readonly version: number;
};

const UNREAD: PlanListState = {
  plans: undefined,
  nextCursor: undefined,
  error: undefined,
  olderError: undefined,
  misplaced: new Set(),
  isBehind: false,
  version: 0,
};

export type PlanListStore = {
  readonly state: Store<PlanListState>;
  /** Reads the list again, sorted lists from the beginning. */
  readonly refresh: () => void;
  readonly loadOlder: () => void;
  readonly stop: () => void;
};

/** The filter and the order. */
export type ListedPlans = { readonly filter: ListFilter; readonly order?: ListOrder };

type PlanListDeps = {
  readonly gateway: Pick<Gateway, "plans">;
  readonly live: Pick<Live, "watchPlans">;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
};

/** Pages that are read repeatedly are small; those read once can be larger. */
const NEWEST = 50;
const OLDER = 200;
const REFRESH_MS = 800;

export function openPlanList(listed: ListedPlans, { gateway, live, now }: PlanListDeps): PlanListStore {
  const { filter, order = NEWEST_FIRST } = listed;
  const state = createStore(UNREAD);
  const closing = new AbortController();
  const change = (part: Partial<PlanListState>) => {
    if (!closing.signal.aborted) state.set({ ...state.get(), ...part });
  };
  const context: Context = { filter, order, gateway, signal: closing.signal, state, change };
  let unwatch: (() => void) | undefined;
  const read = async (): Promise<void> => {
    const isRead = await readFirst(context);
    // Not before the gateway has accepted a request: a refused connection would be retried again and again.
    if (isRead && !closing.signal.aborted)
      unwatch ??= live.watchPlans({
        onPlans: (changes) => {
          if (take(changes, context) === "outdated") refresh.request();
        },
        onBehind: () => {
          if (catchUp(context) === "outdated") refresh.request();
        },
      });
  };
  const refresh = whileSeen(coalesce(read, { intervalMs: () => REFRESH_MS, now }));
  refresh.request();
  return {
    state,
    refresh: refresh.request,
    loadOlder: once(() => readOlder(context)),
    stop: () => {
      closing.abort();
      unwatch?.();
      refresh.stop();
    },
  };
}

type Context = Required<ListedPlans> &
  Pick<PlanListDeps, "gateway"> & {
    readonly signal: AbortSignal;
    readonly state: Store<PlanListState>;
    readonly change: (part: Partial<PlanListState>) => void;
  };

function pageOf(
  { filter, order, gateway, signal }: Context,
  limit: number,
  cursor?: string,
): Promise<PlanPage> {
  const sorted = isNewestFirst(order) ? {} : order;
  const query = { ...queryOf(filter, Date.now()), ...sorted, limit, ...(cursor !== undefined && { cursor }) };
  return gateway.plans(query, signal);
}

function loadedOf({ state }: Context): LoadedPlans {
  return { ...state.get(), plans: state.get().plans ?? [] };
}

/** @returns Whether the gateway has answered. */
async function readFirst(context: Context): Promise<boolean> {
  const { order, state, change } = context;
  try {
    const fresh = await pageOf(context, NEWEST);
    change({
      ...(isNewestFirst(order)
        ? mergeNewest(loadedOf(context), fresh)
        : { plans: fresh.plans, nextCursor: fresh.nextCursor, olderError: undefined }),
      error: undefined,
      misplaced: UNREAD.misplaced,
      isBehind: false,
      version: state.get().version + 1,
    });
    return true;
  } catch (error) {
    change({ error: toApiError(error) });
    return false;
  }
}

async function readOlder(context: Context): Promise<void> {
  const { state, change } = context;
  const { nextCursor } = state.get();
  if (nextCursor === undefined) return;
  try {
    const older = await pageOf(context, OLDER, nextCursor);
    // If the list was read again meanwhile, these plans do not continue it.
    if (state.get().nextCursor === nextCursor)
      change({ ...appendOlder(loadedOf(context), older), olderError: undefined });
  } catch (error) {
    change({ olderError: toApiError(error) });
  }
}

type Heard = "outdated" | "upToDate";

/** @returns Whether the first page must be read again. */
function take(changes: ListChanges, context: Context): Heard {
  const { filter, order, state, change } = context;
  const { plans, misplaced } = takeChanges(loadedOf(context).plans, changes, { filter, order });
  change({ plans, version: state.get().version + 1 });
  if (isNewestFirst(order)) {
    // Only the gateway knows which plans match every filter.
    const isOutdated = changes.more || misplaced.length > 0 || textOf(filter) !== "";
    return isOutdated ? "outdated" : "upToDate";
  }
  change({
    misplaced: state.get().misplaced.union(new Set(misplaced)),
    isBehind: state.get().isBehind || changes.more,
  });
  return "upToDate";
}

/** Called when changes may have been missed. */
function catchUp(context: Context): Heard {
  // Pages that a reader has scrolled through stay.
  if (isNewestFirst(context.order) || loadedOf(context).plans.length <= NEWEST) return "outdated";
  context.change({ isBehind: true });
  return "upToDate";
}

/** Does nothing while a request is in progress. */
function once(work: () => Promise<void>): () => void {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
  };
}

type Requested = { readonly request: () => void; readonly stop: () => void };

/** While the page is hidden, a request waits until it is visible again. */
function whileSeen({ request, stop }: Requested): Requested {
  let waits = false;
  const requestIfSeen = (): void => {
    waits = document.visibilityState !== "visible";
    if (!waits) request();
  };
  const onVisibility = (): void => {
    if (waits) requestIfSeen();
  };
  document.addEventListener("visibilitychange", onVisibility);
  return {
    request: requestIfSeen,
    stop: () => {
      document.removeEventListener("visibilitychange", onVisibility);
      stop();
    },
  };
}

/** Applies changes from the gateway to the plans of a list. */
export type Taken = {
  readonly plans: readonly PlanSummary[];
  /** Plans that belong in the list, or elsewhere in it: it must be read again to show them there. */
  readonly misplaced: readonly string[];
};

/**
 * Replaces changed plans in place, and removes those that have left the list.
 *
 * In the list of the newest plans, plans that no longer match the filter leave it, too. In any other order they stay
 * until the list is read again, so that nothing moves while a reader uses it.
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

/** Whether a plan can match: only the gateway knows which plans a search finds and which ones need an approval. */
function mayFit(plan: PlanSummary, { status = "", strategy = "" }: ListFilter): boolean {
  const ofStatus = status === "" || (status === "open" ? !plan.ended : plan.status === status);
  return ofStatus && (strategy === "" || plan.strategy === strategy);
}
