/** The clock of a plan's page: the server's time while the plan is live, the view's time when it shows the past. */
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import type { ServerClock } from "./server-clock.ts";
import { onTick } from "./ticker.ts";

type PlanClock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly ticks: boolean;
};

export const PlanClockContext = createContext<PlanClock>({ now: () => Date.now(), ticks: false });

export function usePlanClock(
  view: Pick<PlanView, "updatedAt" | "endedAt">,
  { server, isPast }: { readonly server: ServerClock; readonly isPast: boolean },
): PlanClock {
  const { updatedAt, endedAt } = view;
  const stoodAt = isPast || endedAt !== undefined ? (endedAt ?? updatedAt) : undefined;
  return useMemo(
    () =>
      stoodAt === undefined
        ? { now: server.now, ticks: true }
        : { now: () => Date.parse(stoodAt), ticks: false },
    [server, stoodAt],
  );
}

/** The plan's time. Its component renders every second while visible, so use it only in a few small ones. */
export function usePlanNow(): number {
  const clock = useContext(PlanClockContext);
  const [, setTicks] = useState(0);
  useEffect(() => (clock.ticks ? onTick(() => setTicks((ticks) => ticks + 1)) : undefined), [clock]);
  return clock.now();
}
