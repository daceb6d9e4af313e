// The feed of owned partitions with a real nats-server, while events keep arriving.
import { BARE_GOAL } from "@planwright/plan/testing";
import { PARTITIONS, PlanEvent, PlanId, partitionOf } from "@planwright/plan";
import { factSubject, partitionIn, STREAMS } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { createPartitionFeed } from "../src/dispatch/partition-feed.ts";
import { log, startDispatchBench } from "./support/dispatch-bench.ts";

const goalOf = (id: string) =>
  PlanEvent.parse({
    id: `${id}/submitted`,
    type: "goal.submitted",
    planId: PlanId.parse(id),
    at: "2026-01-01T00:00:00Z",
    data: {
      ...BARE_GOAL,
      goal: "g",
      tenant: "local",
      maxReplans: 0,
    },
  });

async function setUp(options: { waitingMax?: number } = {}) {
  const bench = await startDispatchBench();
  const seen: { partition: number; sequence: number }[] = [];
  const feed = createPartitionFeed(bench.bus, {
    log,
    onEntry: ({ sequence }, partition) => void seen.push({ partition, sequence }),
    onUnknown: () => undefined,
    ...options,
  });
  const stored: { partition: number; sequence: number }[] = [];
  let isOver = false;
  const write = async (id: string): Promise<void> => {
    const goal = goalOf(id);
    const { sequence } = await bench.publish(factSubject(goal), goal, { id: goal.id });
    stored.push({ partition: partitionOf(goal.planId), sequence });
  };
  /** Events of all partitions, as fast as they are accepted. */
  const writing = (async () => {
    for (let round = 0; !isOver; round++) {
      await Promise.all(Array.from({ length: 16 }, (_, number) => write(`p${round}-${number}`)));
    }
  })();
  return {
    feed,
    seen,
    async finish() {
      isOver = true;
      await writing;
      const { state } = await bench.bus.manager.streams.info(STREAMS.plans);
      await expect.poll(() => feed.position).toBe(state.last_seq);
    },
    seenOf: (partition: number) =>
      seen.filter((entry) => entry.partition === partition).map(({ sequence }) => sequence),
    /** The events written for a partition, in log order. */
    written: (partition: number) =>
      stored
        .filter((entry) => entry.partition === partition)
        .map(({ sequence }) => sequence)
        .toSorted((one, other) => one - other),
    untilWritten: (count: number) => expect.poll(() => stored.length).toBeGreaterThan(count),
    async [Symbol.asyncDispose]() {
      isOver = true;
      await writing;
      await feed[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

it.each([{ waitingMax: 10_000 }, { waitingMax: 3 }])(
  "hands over each event of a partition once and in order, whenever it is added (waiting: $waitingMax) (FEED-1)",
  async (options) => {
    await using t = await setUp(options);
    await t.feed.add(new Set([0, 1, 2, 3]), 1);
    for (let partition = 4; partition < PARTITIONS; partition += 4) {
      await t.untilWritten(50 * partition);
      await t.feed.add(new Set([0, 1, 2, 3].map((offset) => partition + offset)), 1);
    }
    await t.untilWritten(50 * PARTITIONS);
    await t.finish();
    for (let partition = 0; partition < PARTITIONS; partition++) {
      expect(t.seenOf(partition)).toEqual(t.written(partition));
    }
  },
);

it("continues with its partitions while it reads the past of another one (FEED-2)", async () => {
  await using t = await setUp();
  await t.feed.add(new Set([0]), 1);
  await t.untilWritten(3_000);
  // Whether one of its events arrives at that moment depends on the writer: each partition is another chance.
  let hasContinued = false;
  let added = 0;
  while (!hasContinued && added + 1 < PARTITIONS) {
    added += 1;
    const before = t.seen.length;
    await t.feed.add(new Set([added]), 1);
    const meanwhile = t.seen.slice(before).map(({ partition }) => partition);
    hasContinued = meanwhile.slice(meanwhile.indexOf(added), meanwhile.lastIndexOf(added)).includes(0);
  }
  expect(hasContinued).toBe(true);
  await t.finish();
  for (let partition = 0; partition <= added; partition++) {
    expect(t.seenOf(partition)).toEqual(t.written(partition));
  }
});

it("hands over nothing of a muted partition, and resumes from the requested position", async () => {
  await using t = await setUp();
  await t.feed.add(new Set([1, 2]), 1);
  await expect.poll(() => t.seenOf(1).length).toBeGreaterThan(3);
  t.feed.mute(1);
  const before = t.seenOf(1);
  await expect.poll(() => t.seenOf(2).length).toBeGreaterThan(20);
  expect(t.seenOf(1)).toEqual(before);
  await t.feed.add(new Set([1]), (before.at(-1) ?? 0) + 1);
  await t.finish();
  expect(t.seenOf(1)).toEqual(t.written(1));
  expect(t.seenOf(2)).toEqual(t.written(2));
});

it("knows the partition of an event from its subject", () => {
  const goal = goalOf("p1");
  expect(partitionIn(factSubject(goal))).toBe(partitionOf(goal.planId));
});
