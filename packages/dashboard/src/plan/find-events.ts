import { eventText } from "@planwright/plan/event-text";
import type { NumberedEvent } from "../api/api-types.ts";

/** The events that have all the words in their type or in what is said of them, in their order; all for no words. */
export function findEvents(text: string, events: readonly NumberedEvent[]): readonly NumberedEvent[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return events;
  return events.filter(({ seq, event }) => {
    const said = `${seq} ${event.type} ${eventText(event)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
