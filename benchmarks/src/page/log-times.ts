/** When the facts of a plan were written, by the log itself. */
import { Planwright } from "@planwright/client";
import type { Seen } from "./probe.ts";

/** Milliseconds since the epoch at which each step's success was written, in the log's order. */
export async function successesOf(url: string, planId: string): Promise<number[]> {
  const found: number[] = [];
  const { plans } = new Planwright({ baseUrl: url });
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await plans.eventPage(planId, { after });
    for (const { event } of page.events)
      if (event.type === "step.succeeded") found.push(Date.parse(event.at));
    after = page.nextAfter;
  }
  return found;
}

/**
 * From each success in the log to the first moment at which the page says that so many steps are settled;
 * successes from before the page was there are left out.
 *
 * @throws {Error} When the page never said so.
 */
export function delaysOf(successes: readonly number[], { timeOriginMs, settled }: Seen): number[] {
  const [first] = settled;
  if (first === undefined) throw new Error("the page has shown no progress");
  const delays: number[] = [];
  for (const [index, writtenMs] of successes.entries()) {
    if (writtenMs < timeOriginMs + first[0]) continue;
    const shown = settled.find(([, count]) => count > index);
    if (shown === undefined) throw new Error(`the page never showed ${index + 1} settled steps`);
    delays.push(timeOriginMs + shown[0] - writtenMs);
  }
  return delays;
}
