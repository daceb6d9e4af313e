/**
 * The list of plans, kept fresh: facts of the open plans in sight ask for a new reading, and a slow poll finds the
 * plans that others have submitted.
 */
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { PlanSummary } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { coalesce } from "../live/coalesce.ts";
import type { Live } from "@planwright/client";
import { createStore, type Store } from "../ui/create-store.ts";
import { type ListFilter, queryOf } from "./list-filter.ts";
import { appendOlder, type LoadedPlans, mergeNewest } from "./merge-newest.ts";
import { watchInSight } from "./watch-in-sight.ts";

export type PlanListState = Omit<LoadedPlans, "plans"> & {
  /** Undefined until the first answer. */
  readonly plans: readonly PlanSummary[] | undefined;
  readonly error: ApiError | undefined;
  /** Why older plans could not be read. */
  readonly olderError: ApiError | undefined;
  /** How often it was read: whoever counts plans counts again. */
  readonly version: number;
};

const UNREAD: PlanListState = {
  plans: undefined,
  nextCursor: undefined,
  error: undefined,
  olderError: undefined,
  version: 0,
};

export type PlanListStore = {
  readonly state: Store<PlanListState>;
  readonly refresh: () => void;
  readonly loadOlder: () => void;
  /** The plans in sight: the open ones of them are watched. */
  readonly look: (plans: readonly PlanSummary[]) => void;
  readonly stop: () => void;
};

export type PlanListDeps = {
  readonly gateway: Pick<Gateway, "plans">;
  readonly live: Pick<Live, "watch">;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
};

/** What is read again and again is small; what is read once may be larger. */
const NEWEST = 50;
const OLDER = 200;
const POLL_MS = 5_000;
const REFRESH_MS = 800;

export function openPlanList(filter: ListFilter, { gateway, live, now }: PlanListDeps): PlanListStore {
  const state = createStore(UNREAD);
  const closing = new AbortController();
  const change = (part: Partial<PlanListState>) => {
    if (!closing.signal.aborted) state.set({ ...state.get(), ...part });
  };
  const loaded = (): LoadedPlans => ({ ...state.get(), plans: state.get().plans ?? [] });
  const page = (limit: number, cursor?: string) =>
    gateway.plans(
      { ...queryOf(filter, Date.now()), limit, ...(cursor !== undefined && { cursor }) },
      closing.signal,
    );
  const read = async (): Promise<void> => {
    try {
      const fresh = await page(NEWEST);
      change({ ...mergeNewest(loaded(), fresh), error: undefined, version: state.get().version + 1 });
    } catch (error) {
      change({ error: toApiError(error) });
    }
  };
  const loadOlder = once(async () => {
    const { nextCursor } = state.get();
    if (nextCursor === undefined) return;
    try {
      const older = await page(OLDER, nextCursor);
      // Of a list that began anew meanwhile, it is no continuation.
      if (state.get().nextCursor === nextCursor)
        change({ ...appendOlder(loaded(), older), olderError: undefined });
    } catch (error) {
      change({ olderError: toApiError(error) });
    }
  });
  /** An older plan that was heard of is not in the newest page: it is looked up by its id. */
  const lookUp = async (planId: string): Promise<void> => {
    try {
      const { plans } = await gateway.plans({ q: planId, limit: 1 }, closing.signal);
      const [found] = plans;
      if (found?.planId !== planId) return;
      change({ plans: loaded().plans.map((plan) => (plan.planId === planId ? found : plan)) });
    } catch {
      // It is looked up again when its next fact is heard.
    }
  };
  const lookUps = perPlan(lookUp);
  const hear = (planId: string): void => {
    refresh.request();
    if (loaded().plans.findIndex((plan) => plan.planId === planId) >= NEWEST) lookUps.request(planId);
  };
  const sight = watchInSight(live, hear);
  const refresh = coalesce(read, { intervalMs: () => REFRESH_MS, now });
  const stopPolling = whileSeen(refresh.request, POLL_MS);
  refresh.request();
  return {
    state,
    refresh: refresh.request,
    loadOlder,
    look: sight.look,
    stop: () => {
      closing.abort();
      stopPolling();
      refresh.stop();
      lookUps.stop();
      sight.stop();
    },
  };
}

/** Does nothing while it is under way. */
function once(work: () => Promise<void>): () => void {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
  };
}

/** Calls once for what is asked of one plan within a moment. */
function perPlan(work: (planId: string) => Promise<void>) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  return {
    request(planId: string): void {
      if (timers.has(planId)) return;
      const begin = () => {
        timers.delete(planId);
        void work(planId);
      };
      timers.set(planId, setTimeout(begin, REFRESH_MS));
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Calls now and then while the page is seen, and when it is seen again. @returns The way to stop. */
function whileSeen(call: () => void, everyMs: number): () => void {
  const callIfSeen = () => {
    if (document.visibilityState === "visible") call();
  };
  const timer = setInterval(callIfSeen, everyMs);
  document.addEventListener("visibilitychange", callIfSeen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", callIfSeen);
  };
}
