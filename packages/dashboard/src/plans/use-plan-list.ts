import { useEffect, useState } from "react";
import { useServices } from "../shell/services.ts";
import { type Readable, useStore } from "../ui/create-store.ts";
import { type ListedPlans, openPlanList, type PlanListState, type PlanListStore } from "./plan-list-store.ts";

const EMPTY: Readable<undefined> = { get: () => undefined, subscribe: () => () => undefined };

/**
 * The matching plans, live; undefined until the first render has opened the list.
 *
 * @param listed - A different object opens a different list.
 */
export function usePlanList(listed: ListedPlans) {
  const { gateway, live } = useServices();
  const [opened, setOpened] = useState<{ listed: ListedPlans; list: PlanListStore }>();
  useEffect(() => {
    const list = openPlanList(listed, { gateway, live, now: () => performance.now() });
    setOpened({ listed, list });
    return list.stop;
  }, [listed, gateway, live]);
  // Plans found by another filter are not shown under this one.
  const list = opened?.listed === listed ? opened.list : undefined;
  return { list, state: useStore<PlanListState | undefined>(list?.state ?? EMPTY) };
}
