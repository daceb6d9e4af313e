import type { NumberedEvent } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";

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
