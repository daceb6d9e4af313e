/** The log of the plan on screen, read once for all parts of the page that need it. */
import { useMemo } from "react";
import type { NumberedEvent, PlanView } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";
import { useServices } from "../shell/services.ts";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";

type Log = {
  readonly planId: string;
  readonly read: (signal: AbortSignal) => Promise<readonly NumberedEvent[]>;
};

/** The most recently read log of each gateway. */
const LOGS = new WeakMap<Gateway, Log>();

/**
 * The events up to the view's sequence number, oldest first. A view of the past has only the events up to that point.
 *
 * @param wanted - If false, the log is empty and nothing is read.
 */
export function usePlanLog(
  { planId, seq }: Pick<PlanView, "planId" | "seq">,
  wanted = true,
): Loaded<readonly NumberedEvent[]> {
  const { gateway } = useServices();
  const loaded = useLoaded(
    wanted ? planId : "",
    wanted ? seq : 0,
    async (signal) => (wanted ? planLogOf(gateway, planId).read(signal) : []),
    { insists: true },
  );
  return useMemo(() => {
    if (loaded.phase !== "ready") return loaded;
    const last = loaded.value.at(-1)?.seq ?? 0;
    if (last <= seq) return loaded;
    return { ...loaded, value: loaded.value.filter((numbered) => numbered.seq <= seq) };
  }, [loaded, seq]);
}

/** All events, including those after a view of the past. Each read continues where the previous one ended. */
export function planLogOf(gateway: Gateway, planId: string): Log {
  const known = LOGS.get(gateway);
  if (known?.planId === planId) return known;
  const { read } = createEventLog(gateway, planId);
  // A read continues where the previous one ended: two simultaneous reads would fetch the same events twice.
  let before: Promise<unknown> = Promise.resolve();
  const log: Log = {
    planId,
    read: (signal) => {
      const reading = before.then(() => read(signal));
      before = reading.catch(() => undefined);
      return reading;
    },
  };
  LOGS.set(gateway, log);
  return log;
}

/** Max events kept; the oldest are dropped first. */
const EVENTS_MAX = 20_000;

/** A plan's events, read page by page. Each read continues where the previous one ended. */
export function createEventLog(gateway: Pick<Gateway, "events">, planId: string) {
  let events: readonly NumberedEvent[] = [];
  return {
    /** Returns all current events, oldest first. Do not call it while another call is running. */
    read: async (signal: AbortSignal): Promise<readonly NumberedEvent[]> => {
      for (;;) {
        const page = await gateway.events(planId, events.at(-1)?.seq ?? 0, signal);
        if (page.events.length > 0) events = [...events, ...page.events].slice(-EVENTS_MAX);
        if (page.nextAfter === undefined || page.events.length === 0) return events;
      }
    },
  };
}
