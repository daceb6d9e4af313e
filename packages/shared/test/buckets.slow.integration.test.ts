// Key-value buckets and presence with a real nats-server.
import {
  bePresent,
  followBucket,
  BUCKETS,
  bucketStream,
  type Bus,
  connectBus,
  isPresent,
  openBucket,
  provision,
  readLastOfEach,
} from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { createLogger } from "@planwright/shared/service";
import { startNats } from "@planwright/testkit";
import { expect, it } from "vitest";

async function startBus() {
  const stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const connect = async (): Promise<Bus> => stack.use(await connectBus({ url: nats.url, name: "test" }));
  const bus = await connect();
  await provision(bus);
  return { nats, bus, connect, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

it("lets the first of two writers win, and notifies the other", async () => {
  await using t = await startBus();
  const bucket = await openBucket(t.bus, BUCKETS.leases);
  const first = await bucket.write("partition.1", "a", { expect: 0 });
  expect(first).toBeGreaterThan(0);
  expect(await bucket.write("partition.1", "b", { expect: 0 })).toBeUndefined();
  expect(await bucket.remove("partition.1", { expect: 0 })).toBe(false);
  expect(await bucket.get("partition.1")).toEqual({ key: "partition.1", revision: first, value: "a" });
  expect(await bucket.write("partition.1", "c", { expect: first ?? 0 })).toBeGreaterThan(first ?? 0);
});

it("distinguishes a removed entry from an expired one", async () => {
  await using t = await startBus();
  const bucket = await openBucket(t.bus, BUCKETS.leases);
  expect(await bucket.latest()).toEqual([]);
  await bucket.write("planner.old", "", { ttlSeconds: 2 });
  await bucket.write("planner.left", "");
  await bucket.write("partition.3", "x");
  await bucket.remove("planner.left");
  const seen = async () =>
    Object.fromEntries((await bucket.latest()).map(({ key, value, removed }) => [key, removed ?? value]));
  await expect.poll(seen).toEqual({ "planner.old": undefined, "planner.left": true, "partition.3": "x" });
  expect((await bucket.list(["planner.>", "partition.>"])).map(({ key }) => key)).toEqual(["partition.3"]);
  expect(await bucket.get("planner.left")).not.toHaveProperty("value");
  expect(await bucket.get("none")).toBeUndefined();
});

it("does not bring back removed, changed or expired entries when its nats-server crashes", async () => {
  await using t = await startBus();
  const bucket = await openBucket(t.bus, BUCKETS.keys);
  const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
  for (const key of keys) {
    for (const value of ["first", "second"]) await bucket.write(key, value);
    await bucket.write(`lease.${key}`, "alive", { ttlSeconds: 2 });
    if (key !== "k0") await bucket.remove(key);
  }
  const left = async () => (await bucket.latest()).map(({ key, value }) => [key, value]);
  // Wait until the removal is no longer visible: before that, its marker alone prevents the entry's return.
  await expect.poll(left, { interval: 500 }).toEqual([["k0", "second"]]);
  await t.nats.kill();
  await t.nats.restart();
  await expect.poll(() => bucket.latest().catch(() => [])).not.toEqual([]);
  expect((await left()).filter(([, value]) => value !== undefined)).toEqual([["k0", "second"]]);
  expect((await bucket.list([">"])).map(({ key }) => key)).toEqual(["k0"]);
});

it("lists every entry or fails when the connection is lost at any time", async () => {
  await using t = await startBus();
  const bucket = await openBucket(t.bus, BUCKETS.openPlans);
  const keys = Array.from({ length: 4_000 }, (_, index) => `open.1.p${index}`);
  for (let at = 0; at < keys.length; at += 500)
    await Promise.all(keys.slice(at, at + 500).map((key) => bucket.write(key, "7")));
  const ends: unknown[] = [];
  for (const delayMs of [3, 5, 7, 9, 12, 15, 20, 1_000]) {
    const bus = await t.connect();
    const lost = setTimeout(() => void bus.connection.close(), delayMs);
    const listing = openBucket(bus, BUCKETS.openPlans).then((opened) => opened.list(["open.>"]));
    const end = await listing.then(
      ({ length }) => length,
      (error: unknown) => (error instanceof TransientError ? "failed" : error),
    );
    clearTimeout(lost);
    ends.push(end);
  }
  expect(new Set(ends)).toEqual(new Set(["failed", keys.length]));
});

it("uses a deleted bucket once it is provisioned again, and reports an unreachable server", async () => {
  await using t = await startBus();
  const bucket = await openBucket(t.bus, BUCKETS.openPlans);
  await bucket.write("open.1.p1", "7");
  await t.bus.manager.streams.delete(`KV_${BUCKETS.openPlans}`);
  await expect(bucket.write("open.1.p1", "7")).rejects.toThrow(TransientError);
  await provision(t.bus);
  expect(await bucket.latest(["open.>"])).toEqual([]);
  expect(await bucket.write("open.1.p1", "7")).toBe(1);
  await t.nats.kill();
  await expect(bucket.latest()).rejects.toThrow("cannot read OPEN_PLANS");
  await t.nats.restart();
});

it("notices immediately which processes have left, and counts unresponsive ones as present", async () => {
  await using t = await startBus();
  expect(await isPresent(t.bus, "alive.a")).toBe(false);
  const other = await t.connect();
  using _presence = await bePresent(other, "alive.a");
  expect(await isPresent(t.bus, "alive.a")).toBe(true);
  other.connection.subscribe("alive.silent", { callback: () => undefined });
  await other.connection.flush();
  expect(await isPresent(t.bus, "alive.silent")).toBe(true);
  await other.connection.close();
  await expect.poll(() => isPresent(t.bus, "alive.a")).toBe(false);
});

/** A bucket with more entries than one answer of the server can have; `k0` was written last. */
async function fillBucket(bus: Bus): Promise<string[]> {
  const bucket = await openBucket(bus, BUCKETS.endedSessions);
  const keys = Array.from({ length: 1_200 }, (_, index) => `k${index}`);
  for (let at = 0; at < keys.length; at += 200)
    await Promise.all(keys.slice(at, at + 200).map((key) => bucket.write(key, "1")));
  await bucket.write("k0", "2");
  return keys;
}

it("reads the last messages of more subjects than one answer can hold, by wildcard and by name", async () => {
  await using t = await startBus();
  const keys = await fillBucket(t.bus);
  const subjectOf = (key: string): string => `$KV.${BUCKETS.endedSessions}.${key}`;
  for (const subjects of [[subjectOf(">")], keys.map(subjectOf)]) {
    const messages = await readLastOfEach(t.bus, bucketStream(BUCKETS.endedSessions), subjects);
    expect(messages).toHaveLength(keys.length);
    expect(messages.at(-1)?.subject).toBe(subjectOf("k0"));
    expect(messages.at(-1)?.string()).toBe("2");
  }
});

it("reports every entry of a bucket with more entries than one reply can hold", async () => {
  await using t = await startBus();
  const keys = await fillBucket(t.bus);
  const told = new Map<string, string>();
  await using _following = await followBucket(t.bus, {
    bucket: BUCKETS.endedSessions,
    log: createLogger({ name: "test", level: "silent" }),
    onChanges: (changes) => {
      for (const { key, data } of changes) told.set(key, Buffer.from(data).toString());
    },
  });
  expect(told.size).toBe(keys.length);
  expect(told.get("k0")).toBe("2");
});
