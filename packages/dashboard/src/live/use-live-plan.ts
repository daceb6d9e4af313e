import { useEffect, useState } from "react";
import { useServices } from "../shell/services.ts";
import { type Readable, useStore } from "../ui/create-store.ts";
import { nextFrame } from "./next-frame.ts";
import { openPlan, type PlanState, type PlanStore } from "./plan-store.ts";

const LOADING_STATE: PlanState = { phase: "loading" };
const LOADING: Readable<PlanState> = { get: () => LOADING_STATE, subscribe: () => () => undefined };

/** A plan that changes on the page as it does in the log, as long as it is looked at. */
export function useLivePlan(planId: string): { state: PlanState; reload: () => void } {
  const { gateway, live } = useServices();
  const [store, setStore] = useState<PlanStore>();
  useEffect(() => {
    const opened = openPlan(planId, { gateway, live, now: () => performance.now(), frame: nextFrame });
    setStore(opened);
    return opened.stop;
  }, [planId, gateway, live]);
  const state = useStore(store?.state ?? LOADING);
  return { state, reload: () => store?.reload() };
}
