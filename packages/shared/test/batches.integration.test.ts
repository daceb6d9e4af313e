// Batches of events in a real nats-server: stored atomically, read by all readers of the log, and archived.
import {
  CancelRequested,
  evolve,
  LogReading,
  noPlan,
  type Plan,
  type PlanEvent,
  PlanId,
} from "@planwright/plan";
import { archivePlan, createArchiveStore, eventsIn } from "@planwright/shared/archive";
import {
  appendEvents,
  type Bus,
  connectBus,
  createPublish,
  decisionSubject,
  decisionSubjects,
  entriesOf,
  factSubject,
  followLog,
  type LogEntry,
  provision,
  type Publish,
  readPlan,
  readPlanEvents,
  readPlanMessages,
  STREAMS,
  type UnknownEntry,
} from "@planwright/shared/bus";
import { finishedPlan, startNats, type TestNats } from "@planwright/testkit";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";

const log = pino({ level: "silent" });
let nats: TestNats;
let bus: Bus;
let publish: Publish;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
  publish = createPublish(bus);
});
afterAll(async () => {
  await bus?.[Symbol.asyncDispose]();
  await nats?.[Symbol.asyncDispose]();
});

/** A plan of three steps: their outcomes are one batch, its answer and its end another. */
async function batchedPlan(id: string): Promise<{ planId: PlanId; events: PlanEvent[] }> {
  const planId = PlanId.parse(id);
  const events = finishedPlan(id, { steps: 3 }).map((event) =>
    event.type === "step.succeeded" ? { ...event, data: { ...event.data, pool: "default" } } : event,
  );
  const [goal, ...rest] = events;
  if (goal === undefined) throw new Error("no goal");
  const reading = new LogReading();
  await appendEvents(publish, [goal]);
  reading.add(factSubject(goal));
  const outcomes = rest.slice(0, 3).map((event) => ({ ...event, after: reading.digest }));
  await appendEvents(publish, outcomes);
  for (const _outcome of outcomes) reading.add(factSubject(outcomes[2] ?? goal));
  const end = rest.slice(3).map((event) => ({ ...event, after: reading.digest }));
  const fence = { sequence: 0, subject: decisionSubjects(planId) };
  await appendEvents(publish, end, { fence, subjectOf: decisionSubject });
  return { planId, events: [goal, ...outcomes, ...end] };
}

const foldOf = (events: readonly PlanEvent[]) => events.reduce<Plan>(evolve, noPlan);

it("stores a batch atomically and only once, however often it is sent", async () => {
  const { planId, events } = await batchedPlan("once");
  const outcomes = events.slice(1, 4);
  expect((await appendEvents(publish, outcomes)).status).toBe("duplicate");
  // A late worker sends fewer of them, so the last one's subject has a different message.
  expect(await appendEvents(publish, outcomes.slice(1))).toEqual({ status: "lost" });
  const messages = await Array.fromAsync(readPlanMessages(bus, planId));
  expect(messages.map(({ subject }) => subject.split(".").slice(3).join("."))).toEqual([
    "control.submitted",
    "w.default.s3.0.1.done",
    "d.plan-ended",
  ]);
});

it("delivers a batch to all processes, including its writer, and also a batch that another process stored first", async () => {
  await using other = await connectBus({ url: nats.url, name: "other" });
  const [own, others]: [LogEntry[], LogEntry[]] = [[], []];
  const { last_seq: before } = (await bus.manager.streams.info(STREAMS.plans)).state;
  const follow = (of: Bus, entries: LogEntry[]) =>
    followLog(of, { from: before + 1, log, onEntry: (entry) => void entries.push(entry) });
  await using _ownFollower = await follow(bus, own);
  await using _otherFollower = await follow(other, others);
  const { planId } = await batchedPlan("own");
  const cancelled = (by: string) => CancelRequested.create({ planId, at: new Date() }, { reason: "", by });
  await appendEvents(createPublish(other), [cancelled("ann")]);
  expect(await appendEvents(publish, [cancelled("bob")])).toMatchObject({ status: "duplicate" });
  await batchedPlan("own-too");
  await expect.poll(() => [own.length, others.length]).toEqual([13, 13]);
  expect(own).toEqual(others);
  const requests = own.filter(({ event }) => event.type === "cancel.requested");
  expect(requests).toMatchObject([{ event: { data: { by: "ann" } } }]);
});

it("reads a batch as its events, both when reading a plan and when following the log", async () => {
  const { planId, events } = await batchedPlan("read");
  const read = await Array.fromAsync(readPlanEvents(bus, planId));
  expect(read.map(({ event }) => event)).toEqual(events);
  expect(read.map(({ isLast }) => isLast)).toEqual([true, false, false, true, false, true]);
  expect(new Set(read.slice(1, 4).map(({ sequence }) => sequence)).size).toBe(1);
  expect(await readPlan(bus, planId)).toEqual(foldOf(events));
  const followed: LogEntry[] = [];
  const onEntry = (entry: LogEntry): void => void (entry.event.planId === planId && followed.push(entry));
  await using follower = await followLog(bus, { from: 1, log, onEntry });
  await follower.caughtUp;
  expect(followed).toEqual(read.map(({ trace: _trace, ...entry }) => entry));
  expect(follower.position).toBe(followed.at(-1)?.sequence);
});

it("archives a batch unchanged, and reads its events from the archive", async () => {
  const { planId, events } = await batchedPlan("kept");
  const archives = createArchiveStore(bus);
  await archivePlan({ bus, publish, archives, now: () => new Date() }, planId);
  const archived = await Array.fromAsync(archives.read(planId));
  expect(archived.length).toBe(3);
  expect(archived.flatMap(eventsIn)).toEqual(events);
});

it("does not archive a plan with a missing batch, which later events reveal", async () => {
  const { planId } = await batchedPlan("torn");
  const [, outcomes] = await Array.fromAsync(readPlanMessages(bus, planId));
  await bus.manager.streams.deleteMessage(STREAMS.plans, outcomes?.seq ?? 0);
  const deps = { bus, publish, archives: createArchiveStore(bus), now: () => new Date() };
  await expect(archivePlan(deps, planId)).rejects.toMatchObject({ code: "plan_not_whole" });
});

it("reads the known events of a batch that also has one of a newer version, and counts each in the digest of the log", async () => {
  const { planId, events } = await batchedPlan("newer");
  const newer = { ...events[1], type: "step.celebrated" };
  const subject = factSubject({ ...events[3], planId } as PlanEvent).replace(".s3.", ".s4.");
  const body = { batch: 1, events: [events[1], newer] };
  await publish(subject, body, { id: "newer/batch" });
  const unknown: UnknownEntry[] = [];
  const read = await Array.fromAsync(readPlanEvents(bus, planId, { onUnknown: (one) => unknown.push(one) }));
  expect(read.map(({ event }) => event)).toEqual([...events, events[1]]);
  expect(unknown).toEqual([
    { subject, sequence: expect.any(Number), isLast: true, fault: expect.anything() },
  ]);
});

it("reads an unparsable batch as one unknown entry", () => {
  const place = { sequence: 1, subject: "plan.1.p1.d.plan-ended", storedAtMs: 0, headers: undefined };
  for (const json of [() => ({ batch: 9, events: [] }), () => JSON.parse("{") as unknown]) {
    expect(entriesOf({ ...place, json })).toMatchObject([{ sequence: 1, isLast: true }]);
  }
});
