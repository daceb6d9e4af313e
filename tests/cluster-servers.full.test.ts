// The whole system on three nats-servers: every stream has its copies, and whichever server dies, every plan ends as it should.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { PlanId } from "@planwright/plan";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  connectBus,
  createPublish,
  followLog,
  lastMessage,
  openBucket,
  planSubjects,
  provision,
  readPlanMessages,
  STREAMS,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import {
  type FaultySystem,
  type NatsCluster,
  type ServiceProcess,
  startFaultySystem,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { killLeader, startLoopbackCluster, untilLed, untilWhole } from "./support/loopback-cluster.ts";

/** Plans of every kind run for so long before and after something happens. */
const FLOW_MS = 1_000;
/** Of a replica that is read too early, one in ten is stale. */
const READS = 60;
/** Of a key that was removed, a server that has crashed shows most again if it did not store that. */
const REMOVED = 50;
/** Enough for some of their consumers to be on each server. */
const FOLLOWERS = 6;
/** Both planners look at the table of leases several times meanwhile. */
const JOINED_MS = 4_000;

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

it("names the existing servers when there are fewer than replicas", async () => {
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
    await untilWhole(faulty.bus);
    await delay(FLOW_MS);
  });
  expect(broken).toEqual([]);
  const { config } = await faulty.bus.manager.consumers.info(STREAMS.work, "pool-default");
  expect(config.num_replicas).toBe(0);
  expect(await changesBy(() => provision(faulty.bus, { replicas: 3 }))).toEqual([]);
  // Without the setting, what is there keeps its number.
  expect(await changesBy(() => provision(faulty.bus))).toEqual([]);
});

it("shows a client what it has just written, on whichever server it is connected to", async () => {
  await provision(faulty.bus, { replicas: 3 });
  await untilWhole(faulty.bus);
  const missed = await Promise.all(cluster.servers.map(({ url }) => missedReads(url)));
  expect(missed.flat()).toEqual([]);
});

it("shows no expired lease, and nothing that was removed, after the server that answers has crashed", async () => {
  await provision(faulty.bus, { replicas: 3 });
  await untilWhole(faulty.bus);
  const leases = await openBucket(faulty.bus, BUCKETS.leases);
  const removed = Array.from({ length: REMOVED }, (_, index) => `test.removed-${index}`);
  for (const key of removed) {
    await leases.write(key, "there");
    await leases.remove(key);
  }
  const outlived = cluster.servers.map((_, index) => `test.outlived-${index}`);
  for (const [index, server] of cluster.servers.entries()) {
    await leases.write(outlived[index] ?? "", "", { ttlSeconds: 2 });
    await server.kill();
    await delay(3 * FLOW_MS);
    await untilAnswering(() => leases.write("test.present", `${index}`));
    await cluster.heal();
    await untilWhole(faulty.bus);
  }
  const shown = new Set<string>();
  for (let reads = 0; reads < READS; reads++) {
    const since = (await leases.write("test.present", `${reads}`)) ?? 0;
    const latest = await leases.latest(["test.>"], { key: "test.present", since });
    for (const { key, value } of latest) if (value !== undefined) shown.add(key);
  }
  await leases.remove("test.present");
  expect([...shown].filter((key) => outlived.includes(key) || removed.includes(key))).toEqual([]);
});

it("moves partitions once when planners come and go: none returns to a planner that has given it away", async () => {
  const { system } = faulty;
  const broken = await faulty.during(async () => {
    const [first] = system.processes("planner");
    const second = await system.start("planner");
    await expect.poll(() => ownedBy(second).at(-1), { timeout: 30_000 }).toHaveLength(8);
    await delay(JOINED_MS);
    expect(lostBy(second)).toEqual([]);
    await first?.kill();
    await expect.poll(() => ownedBy(second).at(-1), { timeout: 30_000 }).toHaveLength(16);
    await delay(FLOW_MS);
    expect(lostBy(second)).toEqual([]);
  });
  expect(broken).toEqual([]);
});

it("keeps every promise when the leader of the log and the leader of the queues die", async () => {
  const broken = await faulty.during(async () => {
    for (const stream of [STREAMS.plans, STREAMS.work]) {
      await delay(FLOW_MS);
      await killLeader(cluster, stream);
      await untilLed(cluster);
      await cluster.heal();
      await untilWhole(faulty.bus);
    }
    await delay(FLOW_MS);
  });
  expect(broken).toEqual([]);
});

it("follows the log on while the server that had the consumers stays down", async () => {
  await using followers = await followAll(FOLLOWERS);
  await killLeader(cluster, STREAMS.plans);
  const subject = timerOf(PlanId.parse(randomUUID()), 1);
  const { sequence } = await createPublish(faulty.bus)(subject, {}, { id: subject });
  const areThere = () => followers.positions().every((position) => position >= sequence);
  await expect.poll(areThere, { timeout: 60_000 }).toBe(true);
  await cluster.heal();
  await untilWhole(faulty.bus);
});

it("starts its services while one server is down", async () => {
  const { system } = faulty;
  await killLeader(cluster, STREAMS.plans);
  const broken = await faulty.during(async () => {
    await system.stopServices();
    await system.startServices();
    await delay(FLOW_MS);
    await cluster.heal();
    await untilWhole(faulty.bus);
  });
  expect(broken).toEqual([]);
});

it("waits while two servers are down, whichever they are, and continues when they are back", async () => {
  const { system } = faulty;
  for (const stays of cluster.servers) {
    const broken = await faulty.during(async () => {
      await delay(FLOW_MS);
      await Promise.all(cluster.servers.filter((server) => server !== stays).map((server) => server.kill()));
      await delay(FLOW_MS);
      await cluster.heal();
      await untilWhole(faulty.bus);
    });
    expect(broken).toEqual([]);
    // The planner of before is one that is gone.
    await system.kill("planner");
    await system.start("planner");
  }
});

/** Until a stream has a leader again. */
async function untilAnswering(ask: () => Promise<unknown>): Promise<void> {
  await expect
    .poll(
      () =>
        ask().then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
}

/** Which partitions a planner says that it owns, each time they have changed. */
function ownedBy(planner: ServiceProcess): number[][] {
  const lines = planner
    .output()
    .split("\n")
    .filter((line) => line.includes('"partitions owned"'));
  return lines.map((line) => Owned.parse(JSON.parse(line)).partitions);
}

/** Partitions that a planner had and then did not have. */
function lostBy(planner: ServiceProcess): number[] {
  const owned = ownedBy(planner);
  return owned.flatMap((before, index) => before.filter((one) => owned[index + 1]?.includes(one) === false));
}

const Owned = z.object({ partitions: z.array(z.number()) });

/** Writes and reads through one server; what a read did not show, by kind. */
async function missedReads(url: string): Promise<string[]> {
  const missed: string[] = [];
  await using bus = await connectBus({ ...cluster.access, url: withLogin(url), name: "test" });
  const [leases, artifacts, publish] = [
    await openBucket(bus, BUCKETS.leases),
    createArtifactStore(bus),
    createPublish(bus),
  ];
  const planId = PlanId.parse(randomUUID());
  const key = `test.${planId}`;
  for (let number = 1; number <= READS; number++) {
    const since = (await leases.write(key, String(number))) ?? 0;
    const latest = await leases.latest([">"], { key, since });
    if (latest.find((entry) => entry.key === key)?.revision !== since) missed.push("a bucket");
    const revision = await leases.write(key, String(number));
    if ((await leases.get(key))?.revision !== revision) missed.push("a key");
    await artifacts.put(planId, "note", Buffer.from(`${number}`), "text/plain");
    const artifact = await artifacts.get(planId, "note");
    if (Buffer.from(artifact?.content ?? []).toString() !== `${number}`) missed.push("an artifact");
    const subject = timerOf(planId, number);
    const { sequence } = await publish(subject, { number }, { id: subject });
    if ((await lastMessage(bus, subject))?.seq !== sequence) missed.push("the last message");
    const stored = await Array.fromAsync(readPlanMessages(bus, planId));
    if (stored.length !== number) missed.push("a plan");
  }
  await leases.remove(key);
  return missed;
}

/** Follows the log over as many connections. */
async function followAll(count: number) {
  await using stack = new AsyncDisposableStack();
  const log = createLogger({ name: "test", level: "silent" });
  const following = Array.from({ length: count }, async () => {
    const bus = stack.use(await connectBus({ ...cluster.access, name: "test" }));
    return stack.use(await followLog(bus, { from: 1, onEntry: () => undefined, log }));
  });
  const followers = await Promise.all(following);
  const owned = stack.move();
  return {
    positions: () => followers.map(({ position }) => position),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A subject of the plan that no reader of plans believes. */
const timerOf = (planId: PlanId, number: number) => planSubjects(planId).replace(">", `t.none-${number}`);

/** As the user who may do everything. */
const withLogin = (url: string): string => {
  const { username, password } = new URL(cluster.access.url.split(",")[0] ?? "");
  return url.replace("://", `://${username}:${password}@`);
};

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
