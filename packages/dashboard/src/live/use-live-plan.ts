import { useEffect, useState } from "react";
import { createServerClock, type ServerClock } from "../clock/server-clock.ts";
import { useServices } from "../shell/services.ts";
import { type Readable, useStore, createStore, type Store } from "../ui/create-store.ts";
import { applyChanges } from "@planwright/plan/json-changes";
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { PlanView } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { unitedWith } from "../ui/use-stable.ts";
import { coalesce } from "./coalesce.ts";
import type { Live, ViewChanges } from "@planwright/client";

const LOADING_STATE: PlanState = { phase: "loading" };
const LOADING: Readable<PlanState> = { get: () => LOADING_STATE, subscribe: () => () => undefined };

const now = (): number => performance.now();
const newClock = (): ServerClock => createServerClock(now, Date.now);

/** A plan that follows its log live while it is on the page, and its gateway's clock. */
export function useLivePlan(planId: string): { state: PlanState; clock: ServerClock; reload: () => void } {
  const { gateway, live } = useServices();
  const [clock] = useState(newClock);
  const [store, setStore] = useState<PlanStore>();
  useEffect(() => {
    const opened = openPlan(planId, { gateway, live, now, heard: clock.heard, frame: nextFrame });
    setStore(opened);
    return opened.stop;
  }, [planId, gateway, live, clock]);
  const state = useStore(store?.state ?? LOADING);
  return { state, clock, reload: () => store?.reload() };
}

/** Delay in a hidden page, which gets no animation frames. */
const HIDDEN_MS = 250;

/** Calls back at the next animation frame, or after a short delay in a hidden page. */
function nextFrame(callback: () => void): () => void {
  if (document.visibilityState === "visible") {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  }
  const timer = setTimeout(callback, HIDDEN_MS);
  return () => clearTimeout(timer);
}

/**
 * One plan, live: the gateway's view and its changes.
 *
 * The page only shows views that the gateway has produced. An unchanged part stays the same object from one view to the
 * next, so that only values derived from changed parts are recomputed.
 */
export type PlanState =
  | { readonly phase: "loading" }
  | { readonly phase: "failed"; readonly error: ApiError }
  | { readonly phase: "ready"; readonly view: PlanView };

export type PlanStore = {
  readonly state: Store<PlanState>;
  readonly reload: () => void;
  readonly stop: () => void;
};

type PlanStoreDeps = {
  readonly gateway: Pick<Gateway, "plan">;
  readonly live: Pick<Live, "watchView" | "connection">;
  readonly now: () => number;
  /** Receives the time at which the gateway produced the latest view. */
  readonly heard: (viewedAt: string | undefined) => void;
  /** Calls back when the next frame is due, unless the returned function is called before. */
  readonly frame: (callback: () => void) => () => void;
};

const READ_MS = 150;
const RETRY_MS = 2_000;
/** How long changes may refer to another view than the latest one before the plan is watched again from that one. */
const ASTRAY_MS = 500;
/** How often the plan is read while there is no live connection. */
const POLL_MS = 3_000;

/** Reads the plan, then watches it from there until stopped. */
export function openPlan(planId: string, { gateway, live, now, heard, frame }: PlanStoreDeps): PlanStore {
  const state = createStore<PlanState>({ phase: "loading" });
  const closing = new AbortController();
  /** The newest view; the next frame shows it. */
  let latest: PlanView | undefined;
  let unwatch: (() => void) | undefined;
  let cancelFrame: (() => void) | undefined;
  let astray: ReturnType<typeof setTimeout> | undefined;

  const show = (): void => {
    cancelFrame = undefined;
    if (latest !== undefined) state.set({ phase: "ready", view: latest });
  };
  const take = (view: PlanView): void => {
    heard(view.viewedAt);
    clearTimeout(astray);
    astray = undefined;
    latest = view;
    cancelFrame ??= frame(show);
  };
  const onView = (view: PlanView): void => {
    if (latest !== undefined && view.seq >= latest.seq) take(unitedWith(latest, view));
  };
  const onChanges = ({ after, seq, changes }: ViewChanges): void => {
    if (latest === undefined || seq <= latest.seq) return;
    // These changes are for another view: the whole one is either on its way, or requested.
    if (after !== latest.seq) astray ??= setTimeout(watch, ASTRAY_MS);
    else take(applyChanges(latest, changes));
  };
  const watch = (): void => {
    astray = undefined;
    unwatch?.();
    unwatch = latest === undefined ? undefined : live.watchView(planId, latest.seq, { onView, onChanges });
  };
  const read = async (): Promise<void> => {
    try {
      const view = await gateway.plan(planId, closing.signal);
      if (closing.signal.aborted) return;
      const known = latest?.seq;
      if (latest === undefined) {
        latest = view;
        heard(view.viewedAt);
        show();
      } else onView(view);
      // Changes from now on must refer to this view.
      if (!latest.ended && latest.seq !== known) watch();
    } catch (error) {
      if (closing.signal.aborted) return;
      // Keep the current view; retry in case the gateway is back soon.
      if (state.get().phase === "ready") setTimeout(reading.request, RETRY_MS);
      else state.set({ phase: "failed", error: toApiError(error) });
    }
  };
  const reading = coalesce(read, { intervalMs: () => READ_MS, now });
  const poll = setInterval(() => {
    if (latest?.ended !== true && unwatch !== undefined && live.connection.get() !== "open")
      reading.request();
  }, POLL_MS);
  reading.request();
  return {
    state,
    reload: () => {
      if (state.get().phase === "failed") state.set({ phase: "loading" });
      reading.request();
    },
    stop: () => {
      closing.abort();
      reading.stop();
      clearInterval(poll);
      clearTimeout(astray);
      cancelFrame?.();
      unwatch?.();
    },
  };
}
