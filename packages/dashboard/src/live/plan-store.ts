/**
 * One plan, live: the gateway's view, changed at once by each fact that arrives, and read again soon after.
 */
import type { ApiError } from "../api/api-error.ts";
import type { NumberedEvent, PlanView } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { toApiError } from "../api/to-api-error.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import { applyEvent } from "./apply-event.ts";
import { coalesce } from "./coalesce.ts";
import type { LiveClient } from "./live-client.ts";

export type PlanState =
  | { readonly phase: "loading" }
  | { readonly phase: "failed"; readonly error: ApiError }
  | { readonly phase: "ready"; readonly view: PlanView };

export type PlanStore = {
  readonly state: Store<PlanState>;
  readonly reload: () => void;
  readonly stop: () => void;
};

export type PlanStoreDeps = {
  readonly gateway: Pick<Gateway, "plan">;
  readonly live: Pick<LiveClient, "watch">;
  readonly now: () => number;
};

const REFRESH_MS = 150;
/** How much a step of a large plan slows its refresh: a thousand steps are a megabyte of JSON. */
const REFRESH_MS_PER_STEP = 1;
const RETRY_MS = 2_000;
/** Facts that arrive together are shown together: a busy plan has more of them than a screen has frames. */
const SHOW_MS = 30;

/** Reads the plan, then watches it from there on until it is stopped. */
export function openPlan(planId: string, { gateway, live, now }: PlanStoreDeps): PlanStore {
  const state = createStore<PlanState>({ phase: "loading" });
  const closing = new AbortController();
  /** Facts that arrived since the view was last read: a view read a moment too early still takes them in. */
  let recent: NumberedEvent[] = [];
  let unwatch: (() => void) | undefined;
  let showing: ReturnType<typeof setTimeout> | undefined;

  const read = async (): Promise<void> => {
    try {
      const view = await gateway.plan(planId, closing.signal);
      if (closing.signal.aborted) return;
      recent = recent.filter(({ seq }) => seq > view.seq);
      state.set({ phase: "ready", view: recent.reduce(applyEvent, view) });
      if (view.endedAt === undefined)
        unwatch ??= live.watch(planId, view.seq, { onEvent, onBehind: refresh.request });
    } catch (error) {
      if (closing.signal.aborted) return;
      // What is shown stays; a gateway that is back in a moment is asked again.
      if (state.get().phase === "ready") setTimeout(refresh.request, RETRY_MS);
      else state.set({ phase: "failed", error: toApiError(error) });
    }
  };
  const intervalMs = (): number => {
    const current = state.get();
    return REFRESH_MS + (current.phase === "ready" ? current.view.steps.length * REFRESH_MS_PER_STEP : 0);
  };
  const refresh = coalesce(read, { intervalMs, now });
  const show = (): void => {
    showing = undefined;
    const current = state.get();
    if (current.phase === "ready")
      state.set({ phase: "ready", view: recent.reduce(applyEvent, current.view) });
  };
  const onEvent = (event: NumberedEvent): void => {
    recent.push(event);
    showing ??= setTimeout(show, SHOW_MS);
    refresh.request();
  };
  refresh.request();
  return {
    state,
    reload: () => {
      if (state.get().phase === "failed") state.set({ phase: "loading" });
      refresh.request();
    },
    stop: () => {
      closing.abort();
      refresh.stop();
      clearTimeout(showing);
      unwatch?.();
    },
  };
}
