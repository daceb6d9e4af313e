// The whole system on three nats-servers: every stream has its copies, and whichever server dies, every plan ends as it should.
import { setTimeout as delay } from "node:timers/promises";
import { ALL_STREAMS, provision, STREAMS } from "@planwright/shared/bus";
import { type FaultySystem, type NatsCluster, startFaultySystem } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startLoopbackCluster } from "./support/loopback-cluster.ts";

/** Plans of every kind run for so long before and after something happens. */
const FLOW_MS = 1_000;

let cluster: NatsCluster;
let faulty: FaultySystem;
beforeAll(async () => {
  cluster = await startLoopbackCluster();
  faulty = await startFaultySystem({ cluster });
});
afterAll(async () => {
  await faulty?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

it("says which servers there are when there are fewer than replicas", async () => {
  const refused = provision(faulty.bus, { replicas: 5 });
  await expect(refused).rejects.toMatchObject({ code: "too_few_servers" });
  await expect(refused).rejects.toThrow(
    /^NATS_REPLICAS=5 needs a cluster of 5 nats-servers with JetStream, and the cluster planwright has 3 servers .*: start the others, or set NATS_REPLICAS=3$/,
  );
});

it("brings every stream and queue to three replicas while plans run, and then sends nothing more", async () => {
  const broken = await faulty.during(async () => {
    await delay(FLOW_MS);
    await provision(faulty.bus, { replicas: 3 });
    await expect.poll(replicas, { timeout: 60_000 }).toEqual(everyStream(3));
    await delay(FLOW_MS);
  });
  expect(broken).toEqual([]);
  const { config } = await faulty.bus.manager.consumers.info(STREAMS.work, "pool-default");
  expect(config.num_replicas).toBe(0);
  expect(await changesBy(() => provision(faulty.bus, { replicas: 3 }))).toEqual([]);
  // Without the setting, what is there keeps its number.
  expect(await changesBy(() => provision(faulty.bus))).toEqual([]);
});

it("keeps every promise when the leader of the log and the leader of the queues die", async () => {
  const broken = await faulty.during(async () => {
    for (const stream of [STREAMS.plans, STREAMS.work]) {
      await delay(FLOW_MS);
      await killLeader(stream);
      await untilLed();
      await cluster.heal();
      await untilWhole();
    }
    await delay(FLOW_MS);
  });
  expect(broken).toEqual([]);
});

it("starts its services while one server is down", async () => {
  const { system } = faulty;
  await killLeader(STREAMS.plans);
  const broken = await faulty.during(async () => {
    await system.stopServices();
    await system.startServices();
    await delay(FLOW_MS);
    await cluster.heal();
    await untilWhole();
  });
  expect(broken).toEqual([]);
});

it("waits while two servers are down, and continues when they are back", async () => {
  const [first, second] = cluster.servers;
  const broken = await faulty.during(async () => {
    await delay(FLOW_MS);
    await Promise.all([first?.kill(), second?.kill()]);
    await delay(FLOW_MS);
    await cluster.heal();
    await untilWhole();
  });
  expect(broken).toEqual([]);
});

async function killLeader(stream: string): Promise<void> {
  await expect.poll(() => cluster.leaderOf(stream), { timeout: 30_000 }).toBeDefined();
  await (await cluster.leaderOf(stream))?.kill();
}

/** Every stream has a leader again. */
async function untilLed(): Promise<void> {
  const led = () =>
    Promise.all(ALL_STREAMS.map(async ({ name }) => (await cluster.leaderOf(name)) !== undefined));
  await expect.poll(led, { timeout: 60_000 }).toEqual(ALL_STREAMS.map(() => true));
}

/** Every stream has a leader, and its copies are up to date. */
async function untilWhole(): Promise<void> {
  await expect.poll(replicas, { timeout: 60_000 }).toEqual(everyStream(3));
}

const everyStream = (count: number) => Object.fromEntries(ALL_STREAMS.map(({ name }) => [name, count]));

/** How many up-to-date copies there are of each stream. */
async function replicas(): Promise<Record<string, number>> {
  const copies = ALL_STREAMS.map(async ({ name }) => {
    const info = await faulty.bus.manager.streams.info(name).catch(() => undefined);
    const followers =
      info?.cluster?.replicas?.filter(({ current, offline }) => current && offline !== true) ?? [];
    return [name, info?.cluster?.leader === undefined ? 0 : 1 + followers.length] as const;
  });
  return Object.fromEntries(await Promise.all(copies));
}

/** The requests by which something creates or changes streams and queues. */
async function changesBy(work: () => Promise<void>): Promise<string[]> {
  const subjects: string[] = [];
  const subscription = faulty.bus.connection.subscribe("$JS.API.>", {
    callback: (_error, { subject }) => void subjects.push(subject),
  });
  await faulty.bus.connection.flush();
  await work();
  await faulty.bus.connection.flush();
  subscription.unsubscribe();
  expect(subjects).toContain(`$JS.API.STREAM.INFO.${STREAMS.plans}`);
  return subjects.filter((subject) => /\.(CREATE|DURABLE|UPDATE|DELETE)\./.test(subject));
}
