import type { NumberedEvent, Planwright } from "@planwright/client";

const PAGE = 1_000;

/** Yields the events that a plan has so far, in order, page by page. @param after - Start after this event; default: the first. */
export async function* storedEvents(
  client: Planwright,
  planId: string,
  after = 0,
): AsyncGenerator<NumberedEvent, void, undefined> {
  for (let last: number | undefined = after; last !== undefined; ) {
    const page = await client.plans.eventPage(planId, { after: last, limit: PAGE });
    yield* page.events;
    // A page that ends where it began would cause an endless loop.
    last = page.nextAfter === last ? undefined : page.nextAfter;
  }
}
