import { useEffect, useState } from "react";
import { useServices } from "../shell/services.ts";
import { type Readable, useStore } from "../ui/create-store.ts";
import { openPlanList, type PlanFilter, type PlanListState, type PlanListStore } from "./plan-list-store.ts";

const EMPTY: Readable<undefined> = { get: () => undefined, subscribe: () => () => undefined };

/** The plans that match, live; undefined before the first render has opened the list. */
export function usePlanList({ q, status }: PlanFilter) {
  const { gateway, live } = useServices();
  const [list, setList] = useState<PlanListStore>();
  useEffect(() => {
    const opened = openPlanList({ q, status }, { gateway, live, now: () => performance.now() });
    setList(opened);
    return opened.stop;
  }, [q, status, gateway, live]);
  const state = useStore<PlanListState | undefined>(list?.state ?? EMPTY);
  return { state, refresh: list?.refresh, loadOlder: list?.loadOlder };
}
