// Plans move from the log to the archive, completely and once, whatever dies or writes in between; with a real nats-server.
import { LogReading, evolve, noPlan, type Plan, PlanEvent, PlanId } from "@planwright/plan";
import { type ArchivedMessage, archivePlan, bodyOf, createArchiveStore } from "@planwright/shared/archive";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  ConflictError,
  connectBus,
  createPublish,
  factSubject,
  planSubjects,
  provision,
  type Publish,
  readPlanMessages,
  STREAMS,
  submissionSubject,
  timerSubject,
  timerSubjects,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { finishedPlan, openPlanLog, startNats } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDispatcher } from "../src/dispatch/start-dispatcher.ts";
import { dispatchDeps } from "./support/dispatch-bench.ts";
import { createArchiver, type RetentionSettings } from "../src/retention/create-archiver.ts";

const log = createLogger({ name: "test", level: process.env["LOG_LEVEL"] ?? "silent" });
const DAY_MS = 86_400_000;
const WEEKLY: RetentionSettings = { endedAfterMs: 7 * DAY_MS, streamBytes: 0, archivesAfterMs: 0 };
const NEVER_ENDING = new AbortController().signal;

async function setUp() {
  const stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const bus = stack.use(await connectBus({ url: nats.url, name: "test" }));
  await provision(bus);
  const publish = createPublish(bus);
  const archives = createArchiveStore(bus);
  const planLog = openPlanLog(bus);
  const finish = async (id: string, options = {}) => {
    const reading = new LogReading();
    for (const event of finishedPlan(id, options))
      reading.add(await planLog.put({ ...event, after: reading.digest }));
    return PlanId.parse(id);
  };
  const inLog = async (planId: PlanId) => {
    const types: string[] = [];
    for await (const message of readPlanMessages(bus, planId))
      types.push(PlanEvent.parse(message.json()).type);
    return types;
  };
  /** Runs a round of an archiver whose clock is `days` ahead. */
  const round = (days: number, settings: Partial<RetentionSettings> = {}) => {
    const now = () => new Date(Date.now() + days * DAY_MS);
    const all = { ...WEEKLY, ...settings };
    return createArchiver({ bus, publish, settings: all, now, log }).round(NEVER_ENDING);
  };
  const archived = (planId: PlanId) => Array.fromAsync(archives.read(planId));
  const deps = { bus, publish, archives, now: () => new Date() };
  const dispose = () => stack.disposeAsync();
  return {
    nats,
    bus,
    publish,
    archives,
    planLog,
    finish,
    inLog,
    round,
    archived,
    deps,
    [Symbol.asyncDispose]: dispose,
  };
}

const ONLY_TOMBSTONE = ["plan.archived"];

/** The same connection, with another way of removing messages from a stream. */
function withPurge(bus: Bus, purge: Bus["manager"]["streams"]["purge"]): Bus {
  const streams = Object.assign(Object.create(bus.manager.streams), { purge });
  return { ...bus, manager: Object.assign(Object.create(bus.manager), { streams }) };
}

function typesOf(messages: readonly ArchivedMessage[]): string[] {
  return messages.map((message) => PlanEvent.parse(JSON.parse(bodyOf(message).toString())).type);
}

function foldOf(messages: readonly ArchivedMessage[]): Plan {
  return messages
    .map((message) => PlanEvent.parse(JSON.parse(bodyOf(message).toString())))
    .reduce<Plan>(evolve, noPlan);
}

function lateResult(planId: PlanId): PlanEvent {
  const run = {
    stepId: "s1",
    item: 0,
    attempt: 2,
    workerId: "slept",
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
  };
  const event = { id: `${planId}/s1/0/2/done`, type: "step.succeeded", planId, at: "2026-01-01T00:00:00Z" };
  return PlanEvent.parse({ ...event, data: { ...run, output: { value: "late" } } });
}

it("moves plans that ended long enough ago, with everything the stream holds of them, and nothing else", async () => {
  await using t = await setUp();
  const old = await t.finish("old", { steps: 3, goal: "an old goal", metadata: { team: "x" } });
  const open = PlanId.parse("open");
  const [submitted] = finishedPlan("open");
  if (submitted !== undefined) await t.planLog.put(submitted, { traceparent: "00-x" });
  await t.publish(
    timerSubject(old, "retry-x"),
    { fired: true },
    {
      id: "timer",
      schedule: { at: new Date(Date.now() + DAY_MS), target: `${planSubjects(old).slice(0, -1)}t.retry-x` },
    },
  );
  const artifacts = createArtifactStore(t.bus);
  await artifacts.put(old, "a.txt", Buffer.from("kept"), "text/plain");
  const before = await Array.fromAsync(readPlanMessages(t.bus, old));

  await t.round(6.9);
  expect(await t.inLog(old)).toHaveLength(6);
  await t.round(7.1);
  expect(await t.inLog(old)).toEqual(ONLY_TOMBSTONE);
  expect(await t.inLog(open)).toEqual(["goal.submitted"]);
  const kept = await t.archived(old);
  expect(kept.map(({ sequence, subject, time }) => ({ sequence, subject, time }))).toEqual(
    before.map(({ seq: sequence, subject, timestamp: time }) => ({ sequence, subject, time })),
  );
  expect(kept.map((message) => bodyOf(message))).toEqual(before.map(({ data }) => Buffer.from(data)));
  expect(kept.map(({ headers }) => headers["Nats-Msg-Id"])).toEqual(
    before.map(({ header }) => header.values("Nats-Msg-Id")),
  );
  const { state } = await t.bus.manager.streams.info(STREAMS.plans, { subjects_filter: timerSubjects(old) });
  expect(state.subjects ?? {}).toEqual({});
  expect((await artifacts.get(old, "a.txt"))?.bytes).toBe(4);
  const [tombstone] = await Array.fromAsync(readPlanMessages(t.bus, old));
  expect(tombstone?.json()).toMatchObject({
    data: {
      firstSequence: before[0]?.seq,
      lastSequence: before.at(-1)?.seq,
      outline: { goal: "an old goal", metadata: { team: "x" }, status: "succeeded", seq: 6, total: 3 },
    },
  });
  await t.round(8);
  expect(await t.inLog(old)).toEqual(ONLY_TOMBSTONE);
});

it("keeps the submission's subject taken", async () => {
  await using t = await setUp();
  const planId = await t.finish("keyed");
  await t.round(8);
  const [again] = finishedPlan("keyed");
  await expect(
    t.publish(submissionSubject(planId), again, { id: "again", expect: { sequence: 0 } }),
  ).rejects.toThrow(ConflictError);
});

it("shrinks a log that is too large, oldest first, but keeps plans that have just ended", async () => {
  await using t = await setUp();
  const ids = [];
  for (let index = 0; index < 40; index++)
    ids.push(await t.finish(`p${index}`, { goal: "x".repeat(10_000) }));
  const bytes = async () => (await t.bus.manager.streams.info(STREAMS.plans)).state.bytes;
  const settings = { endedAfterMs: 0, streamBytes: 100_000 };
  await t.round(0, settings);
  expect(await t.inLog(ids[0] ?? PlanId.parse("?"))).toHaveLength(4);
  await t.round(0.01, { endedAfterMs: 0, streamBytes: 0 });
  await t.round(0.01, { endedAfterMs: 0, streamBytes: (await bytes()) + 1 });
  expect(await t.inLog(ids[0] ?? PlanId.parse("?"))).toHaveLength(4);
  await t.round(0.01, settings);
  for (const planId of ids) expect(await t.inLog(planId)).toEqual(ONLY_TOMBSTONE);
});

it("loses and duplicates nothing when it dies before or after any of its steps (ARCHIVE-1, ARCHIVE-2)", async () => {
  await using t = await setUp();
  const steps = ["put", "purge timers", "publish", "purge plan"];
  for (const [index, at] of steps.flatMap((step) => [`before ${step}`, `after ${step}`]).entries()) {
    const planId = await t.finish(`p${index}`, { steps: 2 });
    const before = (await Array.fromAsync(readPlanMessages(t.bus, planId))).map(({ seq }) => seq);
    const crash = (point: string) => {
      if (point === at) throw new Error("died");
    };
    const dying = async <Result>(step: string, work: () => Promise<Result>) => {
      crash(`before ${step}`);
      const result = await work();
      crash(`after ${step}`);
      return result;
    };
    const purge: typeof t.bus.manager.streams.purge = (stream, options) =>
      dying(
        options && "filter" in options && options.filter?.startsWith("timer") ? "purge timers" : "purge plan",
        () => t.bus.manager.streams.purge(stream, options),
      );
    const bus = withPurge(t.bus, purge);
    const publish: Publish = (...args) => dying("publish", () => t.publish(...args));
    const put: typeof t.archives.put = (...args) => dying("put", () => t.archives.put(...args));
    await expect(
      archivePlan({ ...t.deps, bus, publish, archives: { ...t.archives, put } }, planId),
    ).rejects.toThrow("died");

    const held = new Set([
      ...(await Array.fromAsync(readPlanMessages(t.bus, planId))).map(({ seq }) => seq),
      ...(await t.archived(planId)).map(({ sequence }) => sequence),
    ]);
    expect(
      before.filter((sequence) => !held.has(sequence)),
      at,
    ).toEqual([]);
    await archivePlan(t.deps, planId);
    expect(
      (await t.archived(planId)).map(({ sequence }) => sequence),
      at,
    ).toEqual(before);
    expect(await t.inLog(planId), at).toEqual(ONLY_TOMBSTONE);
  }
});

it("includes events that are written while it reads, and much later ones (ARCHIVE-1)", async () => {
  await using t = await setUp();
  const planId = await t.finish("raced");
  let writes = 0;
  const publish: Publish = async (...args) => {
    if (writes++ === 0) await t.planLog.put(lateResult(planId));
    return t.publish(...args);
  };
  await archivePlan({ ...t.deps, publish }, planId);
  const whole = ["goal.submitted", "step.succeeded", "answer.given", "plan.ended", "step.succeeded"];
  expect(typesOf(await t.archived(planId))).toEqual(whole);
  expect(await t.inLog(planId)).toEqual(ONLY_TOMBSTONE);

  const cancelled = {
    id: "late",
    type: "cancel.requested",
    planId,
    at: "2026-01-01T00:00:00Z",
    data: { reason: "r", by: "b" },
  };
  const late = PlanEvent.parse(cancelled);
  await t.publish(factSubject(late), late, { id: late.id });
  await t.round(0);
  expect(typesOf(await t.archived(planId))).toEqual([...whole, "cancel.requested"]);
  expect(await t.inLog(planId)).toEqual(ONLY_TOMBSTONE);
  expect(foldOf(await t.archived(planId))).toMatchObject({ status: "succeeded", seq: 4 });
});

it("does no harm when two archivers handle the same plans, or when nats-server dies meanwhile (ARCHIVE-2)", async () => {
  await using t = await setUp();
  const ids: PlanId[] = [];
  for (let index = 0; index < 60; index++) ids.push(await t.finish(`p${index}`, { steps: 2 }));
  const rounds = Promise.allSettled([t.round(8), t.round(8)]);
  await expect.poll(async () => (await t.archived(ids[5] ?? PlanId.parse("?"))).length).toBe(5);
  await t.nats.kill();
  await t.nats.restart();
  await rounds;
  await Promise.all([t.round(8), t.round(8)]);
  for (const planId of ids) {
    await t.archives.check(planId);
    expect(await t.inLog(planId)).toEqual(ONLY_TOMBSTONE);
    expect(foldOf(await t.archived(planId))).toMatchObject({ status: "succeeded", seq: 5 });
  }
});

it("does not touch a plan whose log has a gap, and continues with the others (ARCHIVE-3)", async () => {
  await using t = await setUp();
  const ids = [];
  for (const [id, lost] of [
    ["beheaded", 0],
    ["gap", 1],
  ] as const) {
    const planId = await t.finish(id, { steps: 2 });
    const messages = await Array.fromAsync(readPlanMessages(t.bus, planId));
    await t.bus.manager.streams.deleteMessage(STREAMS.plans, messages[lost]?.seq ?? 0);
    ids.push(planId);
  }
  const fine = await t.finish("fine");
  await t.round(8);
  for (const planId of ids) {
    expect(await t.inLog(planId)).toHaveLength(4);
    expect(await t.archived(planId)).toEqual([]);
  }
  expect(await t.inLog(fine)).toEqual(ONLY_TOMBSTONE);
});

it("deletes archived plans and their files when they expire, which frees their keys", async () => {
  await using t = await setUp();
  const planId = await t.finish("forgotten");
  const artifacts = createArtifactStore(t.bus);
  await artifacts.put(planId, "small.txt", Buffer.from("x"), "text/plain");
  await artifacts.put(planId, "large.bin", Buffer.alloc(9 * 1024 * 1024), "application/octet-stream");
  await t.round(8);
  await t.round(20, { archivesAfterMs: 30 * DAY_MS });
  expect(await artifacts.list(planId)).toHaveLength(2);
  await t.round(40, { archivesAfterMs: 30 * DAY_MS });
  expect(await artifacts.list(planId)).toEqual([]);
  expect(await t.archived(planId)).toEqual([]);
  expect(await t.inLog(planId)).toEqual([]);
  const [again] = finishedPlan("forgotten");
  await t.publish(submissionSubject(planId), again, { id: "again", expect: { sequence: 0 } });
  await t.round(50, { archivesAfterMs: 30 * DAY_MS });
  expect(await t.inLog(planId)).toEqual(["goal.submitted"]);
});

it("makes a dispatcher forget a plan whose end left the log before it was read", async () => {
  await using t = await setUp();
  const planId = await t.finish("torn");
  const [, ...rest] = await Array.fromAsync(readPlanMessages(t.bus, planId));
  const purge: typeof t.bus.manager.streams.purge = async (stream, options) => {
    const isPlan = options !== undefined && "filter" in options && options.filter === planSubjects(planId);
    if (!isPlan) return t.bus.manager.streams.purge(stream, options);
    for (const { seq } of rest) await t.bus.manager.streams.deleteMessage(stream, seq);
    return { success: true, purged: rest.length };
  };
  await archivePlan({ ...t.deps, bus: withPurge(t.bus, purge) }, planId);
  expect(await t.inLog(planId)).toEqual(["goal.submitted", "plan.archived"]);

  const dispatching = { ...dispatchDeps(t.bus), plannerId: "p", log };
  await using dispatcher = await startDispatcher(dispatching);
  expect(dispatcher.owns(0)).toBe(true);
  const [open] = finishedPlan("open");
  if (open !== undefined) await t.planLog.put(open);
  const work = async () => {
    const { state } = await t.bus.manager.streams.info(STREAMS.work, { subjects_filter: ">" });
    return Object.keys(state.subjects ?? {});
  };
  await expect.poll(work).toEqual([expect.stringContaining(".open.s1.")]);
});
