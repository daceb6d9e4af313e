import { useEffect, useState } from "react";
import { createServerClock, type ServerClock } from "../clock/server-clock.ts";
import { useServices } from "../shell/services.ts";
import { type Readable, useStore } from "../ui/create-store.ts";
import { openPlan, type PlanState, type PlanStore } from "./plan-store.ts";

const LOADING_STATE: PlanState = { phase: "loading" };
const LOADING: Readable<PlanState> = { get: () => LOADING_STATE, subscribe: () => () => undefined };

const now = (): number => performance.now();
const newClock = (): ServerClock => createServerClock(now, Date.now);

/** A plan that changes on the page as it does in the log, as long as it is looked at, and its gateway's clock. */
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
