import { expect, it } from "vitest";
import type { EventPage, PlanEvent } from "../api/api-types.ts";
import { createEventLog } from "./plan-log.ts";

it("reads page by page, and only new events the next time", async () => {
  const asked: number[] = [];
  let last = 5;
  const events = async (_planId: string, after: number): Promise<EventPage> => {
    asked.push(after);
    const seqs = [after + 1, after + 2].filter((seq) => seq <= last);
    const page = {
      planId: "p1",
      events: seqs.map((seq) => ({ seq, event: { type: "timer.fired" } as PlanEvent })),
    };
    return after + 2 < last ? { ...page, nextAfter: after + 2 } : page;
  };
  const log = createEventLog({ events }, "p1");
  const { signal } = new AbortController();
  expect((await log.read(signal)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  last = 6;
  expect((await log.read(signal)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(asked).toEqual([0, 2, 4, 5]);
});
