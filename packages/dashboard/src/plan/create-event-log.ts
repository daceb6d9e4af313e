import type { NumberedEvent } from "../api/api-types.ts";
import type { Gateway } from "../api/gateway.ts";

/** More are not kept: the oldest go first. */
const EVENTS_MAX = 20_000;

/** A plan's facts, read page by page; each reading goes on where the one before ended. */
export function createEventLog(gateway: Pick<Gateway, "events">, planId: string) {
  let events: readonly NumberedEvent[] = [];
  return {
    /** All facts there are now, the oldest first. Not to be called while a call is under way. */
    read: async (signal: AbortSignal): Promise<readonly NumberedEvent[]> => {
      for (;;) {
        const page = await gateway.events(planId, events.at(-1)?.seq ?? 0, signal);
        if (page.events.length > 0) events = [...events, ...page.events].slice(-EVENTS_MAX);
        if (page.nextAfter === undefined || page.events.length === 0) return events;
      }
    },
  };
}
