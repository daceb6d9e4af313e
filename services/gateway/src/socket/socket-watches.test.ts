import { BARE_GOAL } from "@planwright/plan/testing";
import { PlanEvent, PlanId, evolve, type KnownPlan, noPlan } from "@planwright/plan";
import { NO_REDACTION } from "@planwright/shared/redaction";
import { expect, it } from "vitest";
import { NumberedEvent } from "../book/numbered-event.ts";
import { createSocketWatches, type SocketWatchesDeps, WATCHES_OF_A_SOCKET_MAX } from "./socket-watches.ts";

const planId = PlanId.parse("p");
const submitted = PlanEvent.parse({
  id: "p/goal.submitted",
  type: "goal.submitted",
  planId,
  at: "2026-01-01T00:00:00.000Z",
  data: {
    ...BARE_GOAL,
    goal: "g",
    tenant: "t",
  },
});
const begun = evolve(noPlan, submitted) as KnownPlan;
const at = (seq: number): KnownPlan => ({ ...begun, seq });

/** A book whose plan runs ahead of its reader: after the first event it is at event `now`. */
function bookAhead(now: number) {
  const watchedAfter: number[] = [];
  let current = 1;
  return {
    watchedAfter,
    find: async () => at(current),
    peek: () => at(current),
    watchList: () => {
      throw new Error("no one asked for the list");
    },
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

/** Watches for a role without hidden values. */
const watchesOver = (parts: Pick<SocketWatchesDeps, "book" | "outbox">) =>
  createSocketWatches({ ...parts, redactor: NO_REDACTION.all, tenant: "t", now: () => new Date(0) });

async function told(book: ReturnType<typeof bookAhead>): Promise<Record<string, unknown>[]> {
  const sent: Record<string, unknown>[] = [];
  const outbox = {
    send: (text: string) => void sent.push(JSON.parse(text) as Record<string, unknown>),
    ready: () => undefined,
  };
  const watches = watchesOver({ book, outbox });
  await watches.watch({ planId, after: 0, as: "events", onAccepted: () => undefined });
  return sent;
}

it("sends a snapshot to a reader that has fallen far behind, and continues from there", async () => {
  const book = bookAhead(10_000);
  const sent = await told(book);
  expect(sent.map(({ type, seq }) => [type, seq])).toEqual([
    ["event", 1],
    ["resync", undefined],
  ]);
  expect(sent[1]).toMatchObject({ planId, plan: { seq: 10_000, goal: "g" } });
  expect(book.watchedAfter).toEqual([0, 10_000]);
});

it("sends every event to a reader that is only a little behind", async () => {
  const sent = await told(bookAhead(5_000));
  expect(sent.map(({ type, seq }) => [type, seq])).toEqual([
    ["event", 1],
    ["event", 2],
    ["event", 3],
  ]);
});

/** Blocks after each message until `drain` is called, which releases all waiting writers. */
function slowOutbox() {
  const sent: string[] = [];
  let room: PromiseWithResolvers<void> | undefined;
  const outbox = {
    send: (text: string) => {
      sent.push(text);
      room ??= Promise.withResolvers();
    },
    ready: () => room?.promise,
  };
  const drain = (): void => {
    room?.resolve();
    room = undefined;
  };
  return { outbox, sent, drain };
}

it.each(["events", "view"] as const)("sends %s to a slow reader of many plans one at a time", async (as) => {
  const { outbox, sent, drain } = slowOutbox();
  const book = {
    ...bookAhead(1),
    async *watch() {
      yield [new NumberedEvent(1, submitted)];
    },
    async *watchView() {
      yield { kind: "view" as const, seq: 1, json: "{}" };
    },
  };
  const watches = watchesOver({ book, outbox });
  const plans = ["p1", "p2", "p3", "p4"];
  const watching = Promise.all(
    plans.map(async (id) => watches.watch({ planId: id, after: 0, as, onAccepted: () => undefined })),
  );
  for (const index of plans.keys()) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(index + 1);
    drain();
  }
  await watching;
});

it("lets a reader with the maximum number of watches restart the watch of a plan", async () => {
  const never = Promise.withResolvers<never>();
  const book = {
    ...bookAhead(1),
    async *watch() {
      yield await never.promise;
    },
  };
  const outbox = { send: () => undefined, ready: () => undefined };
  using watches = watchesOver({ book, outbox });
  const accepted: string[] = [];
  const watch = (planIdOf: string) =>
    watches
      .watch({ planId: planIdOf, after: 0, as: "events", onAccepted: () => void accepted.push(planIdOf) })
      .catch((error: Error) => void accepted.push(error.message));
  for (let index = 0; index < WATCHES_OF_A_SOCKET_MAX; index++) void watch(`p${index}`);
  void watch("p7");
  void watch("one-more");
  await expect.poll(() => accepted.length).toBe(WATCHES_OF_A_SOCKET_MAX + 1);
  expect(accepted.filter((said) => said === "p7")).toHaveLength(1);
  expect(accepted.filter((said) => said.includes("may watch max"))).toHaveLength(1);
});
