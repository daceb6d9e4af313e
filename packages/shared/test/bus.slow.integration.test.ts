// The bus with a real nats-server: storing once, rejecting, and reading back.
import { BARE_GOAL } from "@planwright/plan/testing";
import { PlanEvent, PlanId } from "@planwright/plan";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  type Bus,
  ConflictError,
  connectBus,
  createPublish,
  factSubject,
  flowSubjects,
  planSubjects,
  followLog,
  isUnavailable,
  openRegistry,
  provision,
  readPlan,
  readStored,
  readSubjects,
  STREAMS,
  stepSubject,
  timerSubject,
} from "@planwright/shared/bus";
import { startNats } from "@planwright/testkit";
import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { z } from "zod";

const log = pino({ level: "silent" });
const planId = PlanId.parse("p1");
const submitted = PlanEvent.parse({
  id: "p1/submitted",
  type: "goal.submitted",
  planId,
  at: "2026-01-01T00:00:00Z",
  data: {
    ...BARE_GOAL,
    goal: "g",
    tenant: "local",
  },
});

async function startBus() {
  const stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const bus = stack.use(await connectBus({ url: nats.url, name: "test" }));
  await Promise.all([provision(bus), provision(bus)]);
  return { nats, bus, publish: createPublish(bus), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

it("stores the first of two mutually exclusive events, and recognises a repeat of the first", async () => {
  await using t = await startBus();
  const subject = factSubject(submitted);
  const options = { id: submitted.id, expect: { sequence: 0 } };
  const first = await t.publish(subject, submitted, options);
  expect(first.duplicate).toBe(false);
  expect(await t.publish(subject, submitted, options)).toEqual({ sequence: first.sequence, duplicate: true });
  await expect(t.publish(subject, submitted, { ...options, id: "another" })).rejects.toThrow(ConflictError);
  expect(await readPlan(t.bus, planId)).toMatchObject({ status: "planning", seq: 1 });
});

it("rejects a start only if the plan was paused, resumed or cancelled since", async () => {
  await using t = await startBus();
  await t.publish(factSubject(submitted), submitted, { id: "a" });
  const expect0 = { sequence: 0, subject: flowSubjects(planId) };
  const about = (suffix: string): string => planSubjects(planId).replace(">", suffix);
  await t.publish(about("r.s1.0.1.started"), {}, { id: "b", expect: expect0 });
  // Other events of users do not change the plan.
  await t.publish(about("control.approval.1"), {}, { id: "c" });
  await t.publish(about("r.s2.0.1.started"), {}, { id: "d", expect: expect0 });
  const { sequence } = await t.publish(about("control.flow.paused.1"), {}, { id: "e" });
  await expect(t.publish(about("r.s3.0.1.started"), {}, { id: "f", expect: expect0 })).rejects.toThrow(
    ConflictError,
  );
  await t.publish(about("r.s3.0.1.started"), {}, { id: "f", expect: { ...expect0, sequence } });
});

it("keeps only one work message for an attempt while it is queued", async () => {
  await using t = await startBus();
  const subject = stepSubject({ planId, stepId: "s1", item: 0, attempt: 1, sentAfter: 0, pool: "default" });
  await t.publish(subject, {}, { id: "x", expect: { sequence: 0 } });
  await expect(t.publish(subject, {}, { id: "y", expect: { sequence: 0 } })).rejects.toThrow(ConflictError);
});

it("lets the server write an event at a given time", async () => {
  await using t = await startBus();
  const fired = PlanEvent.parse({
    ...submitted,
    id: "p1/timer/x",
    type: "timer.fired",
    data: { timer: "x" },
  });
  const seen = Promise.withResolvers<PlanEvent>();
  await using follower = await followLog(t.bus, {
    from: 1,
    onEntry: ({ event }) => seen.resolve(event),
    log,
  });
  await follower.caughtUp;
  await t.publish(timerSubject(planId, "x"), fired, {
    id: fired.id,
    schedule: { at: new Date(Date.now() + 200), target: factSubject(fired) },
  });
  expect(await seen.promise).toEqual(fired);
});

it("delivers the log from any position, and continues with later events", async () => {
  await using t = await startBus();
  const other = PlanEvent.parse({ ...submitted, planId: "p2", id: "p2/submitted" });
  await t.publish(factSubject(submitted), submitted, { id: submitted.id });
  const second = await t.publish(factSubject(other), other, { id: other.id });
  const seen: string[] = [];
  const enough = Promise.withResolvers<void>();
  const onEntry = ({ event }: { event: PlanEvent }) => {
    seen.push(event.planId);
    if (seen.length === 2) enough.resolve();
  };
  await using follower = await followLog(t.bus, { from: second.sequence, onEntry, log });
  await follower.caughtUp;
  expect(seen).toEqual(["p2"]);
  const third = PlanEvent.parse({ ...submitted, planId: "p3", id: "p3/submitted" });
  await t.publish("plan.0.p3.d.newer-type", { type: "made.up" }, { id: "unknown" });
  await t.publish(factSubject(third), third, { id: third.id });
  await enough.promise;
  expect(seen).toEqual(["p2", "p3"]);
});

it("continues without a gap or a repeat after the server was killed and restarted", async () => {
  await using t = await startBus();
  const seen: string[] = [];
  const numbered = (index: number): PlanEvent =>
    PlanEvent.parse({ ...submitted, planId: `p${index}`, id: `p${index}/submitted` });
  const publish = async (from: number, to: number): Promise<void> => {
    for (let index = from; index < to; index++) {
      const event = numbered(index);
      await t.publish(factSubject(event), event, { id: event.id });
    }
  };
  await publish(0, 5);
  await using follower = await followLog(t.bus, {
    from: 1,
    onEntry: ({ event }) => seen.push(event.planId),
    log,
  });
  await follower.caughtUp;
  for (const round of [1, 2]) {
    await t.nats.kill();
    await t.nats.restart();
    await publish(round * 20, round * 20 + 20);
    await expect.poll(() => seen.at(-1)).toBe(`p${round * 20 + 19}`);
  }
  const wanted = [0, 1, 2, 3, 4, ...Array.from({ length: 40 }, (_, index) => index + 20)];
  expect(seen).toEqual(wanted.map((index) => `p${index}`));
});

it("stops following while it opens the log again", async () => {
  await using t = await startBus();
  for (const _round of [1, 2, 3]) {
    const follower = await followLog(t.bus, { from: 1, onEntry: () => undefined, log });
    await follower.caughtUp;
    await t.nats.kill();
    const back = untilBack(t.bus);
    await t.nats.restart();
    await back;
    await follower[Symbol.asyncDispose]();
    await expect(follower.finished).resolves.toBeUndefined();
  }
});

/** Resolves after earlier listeners for the reconnection have started to react. */
async function untilBack({ connection }: Bus): Promise<void> {
  for await (const { type } of connection.status()) if (type === "reconnect") return;
}

it("is closed without a server as well, where nothing can be flushed any more", async () => {
  await using t = await startBus();
  const bus = await connectBus({ url: t.nats.url, name: "test" });
  await t.nats.kill();
  await bus[Symbol.asyncDispose]();
  await bus[Symbol.asyncDispose]();
  expect(bus.connection.isClosed()).toBe(true);
  await expect(bus.closed).resolves.toBeUndefined();
  await t.nats.restart();
});

it("does not follow a log on that has lost its end", async () => {
  await using t = await startBus();
  for (const id of ["p1", "p2", "p3"]) {
    const event = PlanEvent.parse({ ...submitted, planId: id, id: `${id}/submitted` });
    await t.publish(factSubject(event), event, { id: event.id });
  }
  const seen: string[] = [];
  const onEntry = ({ event }: { event: PlanEvent }) => void seen.push(event.planId);
  await using follower = await followLog(t.bus, { from: 1, onEntry, log });
  await follower.caughtUp;
  // As if a server came back with an older store.
  await t.bus.manager.streams.delete("PLANS");
  await provision(t.bus);
  const next = PlanEvent.parse({ ...submitted, planId: "p4", id: "p4/submitted" });
  await t.publish(factSubject(next), next, { id: next.id });
  await t.nats.restart();
  await expect(follower.finished).rejects.toThrow("the log was read up to 3 and ends at 1 now");
  expect(seen).toEqual(["p1", "p2", "p3"]);
});

it("distinguishes a server that does not answer from one that rejects the message", async () => {
  await using t = await startBus();
  const fault = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
  expect(isUnavailable(await fault(t.bus.manager.streams.info("NONE")))).toBe(false);
  await t.nats.kill();
  expect(isUnavailable(await fault(t.bus.manager.streams.info("PLANS")))).toBe(true);
  await t.nats.restart();
});

it("reads subjects again when the server has lost the consumer", async () => {
  await using t = await startBus();
  await t.publish(factSubject(submitted), submitted, { id: submitted.id });
  const { consumers } = t.bus.js;
  const get = consumers.get.bind(consumers);
  const lost: string[] = [];
  using _loss = vi.spyOn(consumers, "get").mockImplementation(async (...wanted) => {
    const consumer = await get(...wanted);
    if (lost.length < 2) {
      await consumer.delete();
      lost.push((await consumer.info(true)).name);
    }
    return consumer;
  });
  const read = await readSubjects(t.bus, { from: 1, before: 2, max: 10 });
  expect(read).toEqual({ subjects: [factSubject(submitted)], next: 2 });
  expect(lost).toHaveLength(2);
});

it("keeps artifacts of any size under their names", async () => {
  await using t = await startBus();
  const store = createArtifactStore(t.bus);
  const large = new Uint8Array(9 * 1024 * 1024).fill(7);
  await store.put(planId, "reports/über.md", Buffer.from("one"), "text/markdown");
  await store.put(planId, "reports/über.md", Buffer.from("two"), "text/markdown");
  await store.put(planId, "large.bin", large, "application/octet-stream");
  expect(Buffer.from((await store.get(planId, "reports/über.md"))?.content ?? []).toString()).toBe("two");
  expect((await store.get(planId, "large.bin"))?.content).toEqual(large);
  expect(await store.get(planId, "none")).toBeUndefined();
  expect((await store.list(planId)).map(({ name, bytes }) => [name, bytes])).toEqual([
    ["large.bin", large.byteLength],
    ["reports/über.md", 3],
  ]);
  await expect(store.put(planId, "a\u0000b", large, "x/y")).rejects.toThrow("wanted an artifact name");
});

it("keeps an artifact that is removed and written again with the same content", async () => {
  await using t = await startBus();
  const store = createArtifactStore(t.bus);
  for (const content of [Buffer.from("one"), new Uint8Array(2 * 1024 * 1024).fill(7)]) {
    for (const _ of [1, 2, 3]) {
      await store.put(planId, "report.md", content, "text/markdown");
      const { content: kept = [] } = (await store.get(planId, "report.md")) ?? {};
      expect(Buffer.from(kept).equals(content)).toBe(true);
      await store.remove(planId, "report.md");
      expect(await store.get(planId, "report.md")).toBeUndefined();
    }
  }
});

it("shares a registry between processes", async () => {
  await using t = await startBus();
  const Schema = z.object({ size: z.int() });
  await using mine = await openRegistry(t.bus, { bucket: BUCKETS.tools, Schema, log });
  await mine.put("docs.search", { size: 1 });
  await using theirs = await openRegistry(t.bus, { bucket: BUCKETS.tools, Schema, log });
  expect(theirs.entries().get("docs.search")).toEqual({ size: 1 });
  await mine.put("a b", { size: 2 });
  await theirs.until((entries) => entries.has("a b"), AbortSignal.timeout(60_000));
  await mine.remove("a b");
  await theirs.until((entries) => !entries.has("a b"), AbortSignal.timeout(60_000));
});

it("notifies listeners of every change of a registry, including those of other processes, until they are disposed", async () => {
  await using t = await startBus();
  const Schema = z.object({ size: z.int() });
  await using mine = await openRegistry(t.bus, { bucket: BUCKETS.tools, Schema, log });
  await using theirs = await openRegistry(t.bus, { bucket: BUCKETS.tools, Schema, log });
  const seen: (number | undefined)[] = [];
  const listening = mine.onChange(() => seen.push(mine.entries().get("a")?.size));
  await theirs.put("a", { size: 1 });
  await expect.poll(() => seen.at(-1)).toBe(1);
  await mine.put("a", { size: 2 });
  await expect.poll(() => seen.at(-1)).toBe(2);
  listening[Symbol.dispose]();
  await theirs.put("a", { size: 3 });
  await mine.until((entries) => entries.get("a")?.size === 3, AbortSignal.timeout(60_000));
  expect(seen).not.toContain(3);
});

it("reports that it is waiting for a server, connects when the server is up, and stops when aborted", async () => {
  const lines: string[] = [];
  const heard = pino({}, { write: (line: string) => void lines.push(line) });
  await using nats = await startNats();
  await nats.kill();
  const { host } = new URL(nats.url);
  const stop = new AbortController();
  const url = `nats://name:secret@${host}`;
  const [waiting, stopped] = [
    connectBus({ url, name: "test", log: heard }),
    connectBus({ url, name: "test", signal: stop.signal, log: heard }),
  ];
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[0]).toContain(`"where":"${host}","why":"connect ECONNREFUSED`);
  stop.abort();
  await expect(stopped).rejects.toThrow("aborted");
  await nats.restart();
  await using bus = await waiting;
  expect(bus.connection.getServer()).toBe(host);
  expect(lines).toHaveLength(2);
});

it.each([
  ["the last messages", { multi_last: [planSubjects(planId)] }],
  ["the next messages", { seq: 1, next_by_subj: planSubjects(planId), batch: 1 }],
])("fails to read %s over a closed connection, and leaves no timer that fails later", async (_, query) => {
  await using nats = await startNats();
  const bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
  await bus[Symbol.asyncDispose]();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await expect(async () => readStored(bus, STREAMS.plans, query)).rejects.toThrow(/closed/);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
