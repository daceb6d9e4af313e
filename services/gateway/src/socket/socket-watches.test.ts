import { PlanEvent, PlanId, evolve, type KnownPlan, noPlan } from "@planwright/plan";
import { expect, it } from "vitest";
import { NumberedEvent } from "../book/numbered-event.ts";
import { createSocketWatches } from "./socket-watches.ts";

const planId = PlanId.parse("p");
const submitted = PlanEvent.parse({
  id: "p/goal.submitted",
  type: "goal.submitted",
  planId,
  at: "2026-01-01T00:00:00.000Z",
  data: {
    goal: "g",
    tenant: "t",
    strategy: "auto",
    constraints: [],
    maxReplans: 3,
    metadata: {},
    bodyHash: "",
    trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
  },
});
const begun = evolve(noPlan, submitted) as KnownPlan;
const at = (seq: number): KnownPlan => ({ ...begun, seq });

/** A book whose plan runs ahead of its reader: after the first fact it is at `now`. */
function bookAhead(now: number) {
  const watchedAfter: number[] = [];
  let current = 1;
  return {
    watchedAfter,
    find: async () => at(current),
    peek: () => at(current),
    refuseWatcherAbove: () => undefined,
    watchView: () => {
      throw new Error("nobody asked for views");
    },
    async *watch({ after }: { after: number }) {
      watchedAfter.push(after);
      if (after > 0) return;
      yield [new NumberedEvent(1, submitted)];
      current = now;
      yield [new NumberedEvent(2, submitted), new NumberedEvent(3, submitted)];
    },
  };
}

async function told(book: ReturnType<typeof bookAhead>): Promise<Record<string, unknown>[]> {
  const sent: Record<string, unknown>[] = [];
  const outbox = {
    send: (text: string) => void sent.push(JSON.parse(text) as Record<string, unknown>),
    ready: () => undefined,
  };
  const watches = createSocketWatches({ book, outbox, tenant: "t", now: () => new Date(0) });
  await watches.watch({ planId, after: 0, as: "facts", onAccepted: () => undefined });
  return sent;
}

it("sends a snapshot to a reader who has fallen far behind, and goes on from there", async () => {
  const book = bookAhead(10_000);
  const sent = await told(book);
  expect(sent.map(({ type, seq }) => [type, seq])).toEqual([
    ["event", 1],
    ["resync", undefined],
  ]);
  expect(sent[1]).toMatchObject({ planId, plan: { seq: 10_000, goal: "g" } });
  expect(book.watchedAfter).toEqual([0, 10_000]);
});

it("sends every fact to a reader who is only a little behind", async () => {
  const sent = await told(bookAhead(5_000));
  expect(sent.map(({ type, seq }) => [type, seq])).toEqual([
    ["event", 1],
    ["event", 2],
    ["event", 3],
  ]);
});
