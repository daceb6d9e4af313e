import { useEffect, useState } from "react";
import { useServices } from "../shell/services.ts";
import { type Readable, useStore } from "../ui/create-store.ts";
import type { ListFilter } from "./list-filter.ts";
import { openPlanList, type PlanListState, type PlanListStore } from "./plan-list-store.ts";

const EMPTY: Readable<undefined> = { get: () => undefined, subscribe: () => () => undefined };

/** The plans that match, live; undefined before the first render has opened the list. */
export function usePlanList(filter: ListFilter) {
  const { gateway, live } = useServices();
  const [opened, setOpened] = useState<{ filter: ListFilter; list: PlanListStore }>();
  useEffect(() => {
    const list = openPlanList(filter, { gateway, live, now: () => performance.now() });
    setOpened({ filter, list });
    return list.stop;
  }, [filter, gateway, live]);
  // What another filter has found is not shown under this one.
  const list = opened?.filter === filter ? opened.list : undefined;
  return { list, state: useStore<PlanListState | undefined>(list?.state ?? EMPTY) };
}
