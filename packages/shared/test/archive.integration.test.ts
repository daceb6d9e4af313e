// The archive with a real nats-server: it returns what was stored, even with concurrent writers.
import { PlanId } from "@planwright/plan";
import { type ArchivedMessage, bodyOf, createArchiveStore } from "@planwright/shared/archive";
import {
  archiveSubjects,
  type Bus,
  ConflictError,
  connectBus,
  provision,
  STREAMS,
} from "@planwright/shared/bus";
import { startNats, type TestNats } from "@planwright/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";

let nats: TestNats;
let bus: Bus;
beforeAll(async () => {
  nats = await startNats({ maxPayloadBytes: 1024 * 1024 });
  bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
});
afterAll(async () => {
  await bus?.[Symbol.asyncDispose]();
  await nats?.[Symbol.asyncDispose]();
});

function message(sequence: number, body = `{"n":${sequence}}`): ArchivedMessage {
  const headers = { "Nats-Msg-Id": [`m${sequence}`], many: ["a", "b"] };
  return {
    sequence,
    time: "2026-01-01T00:00:00.000000001Z",
    subject: `plan.1.p.r.s${sequence}`,
    headers,
    body,
  };
}

/** Incompressible messages of half a megabyte. */
const large = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => message(from + index, randomBytes(380_000).toString("base64")));

async function* given(messages: readonly ArchivedMessage[]) {
  yield* messages;
}

async function stored(planId: PlanId, from = 1): Promise<ArchivedMessage[]> {
  return Array.fromAsync(createArchiveStore(bus).read(planId, { from }));
}

async function subjects(planId: PlanId): Promise<string[]> {
  const { state } = await bus.manager.streams.info(STREAMS.archive, {
    subjects_filter: archiveSubjects(planId),
  });
  return Object.keys(state.subjects ?? {});
}

it("returns every message unchanged, from any position", async () => {
  const planId = PlanId.parse("small");
  const archives = createArchiveStore(bus);
  const binary = { ...message(9), body: Buffer.from([0xff, 0]).toString("base64"), base64: true as const };
  const messages = [message(3), message(7, "line\nbreaks\u2028and ü"), binary];
  expect(await archives.put(planId, given(messages))).toMatchObject({
    first: 3,
    last: 9,
    messages: 3,
    parts: [],
  });
  expect(await stored(planId)).toEqual(messages);
  expect(await stored(planId, 4)).toEqual(messages.slice(1));
  expect(bodyOf(binary)).toEqual(Buffer.from([0xff, 0]));
  expect(await subjects(planId)).toHaveLength(1);
  expect(await archives.head(PlanId.parse("unknown"))).toBeUndefined();
  expect(await stored(PlanId.parse("unknown"))).toEqual([]);
});

it("stores a plan of many megabytes in parts, and reads only the requested ones", async () => {
  const planId = PlanId.parse("large");
  const messages = large(12);
  const { parts } = await createArchiveStore(bus).put(planId, given(messages));
  expect(parts.length).toBeGreaterThan(3);
  expect(await stored(planId)).toEqual(messages);
  await bus.manager.streams.purge(STREAMS.archive, {
    filter: (await subjects(planId)).find((one) => one.endsWith(parts[0]?.digest ?? "?")) ?? "?",
  });
  expect(await stored(planId, 12)).toEqual(messages.slice(11));
  await expect(stored(planId)).rejects.toThrow("part 1 of");
  await expect(createArchiveStore(bus).check(planId)).rejects.toMatchObject({ code: "archive_damaged" });
});

it("lets one of two writers win, and keeps the winner's messages", async () => {
  const planId = PlanId.parse("raced");
  const [one, two] = [large(5), large(6)];
  const archives = createArchiveStore(bus);
  const results = await Promise.allSettled([
    archives.put(planId, given(one)),
    archives.put(planId, given(two)),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: expect.any(ConflictError),
  });
  const won = results[0].status === "fulfilled" ? one : two;
  await archives.check(planId);
  expect(await stored(planId)).toEqual(won);
});

it("replaces an object completely, and removes all of the old one", async () => {
  const planId = PlanId.parse("replaced");
  const archives = createArchiveStore(bus);
  const old = await archives.put(planId, given(large(5)));
  const more = large(3, 10);
  const head = await archives.put(planId, given(more), { replaces: old });
  expect(await stored(planId)).toEqual(more);
  expect(await subjects(planId)).toHaveLength(head.parts.length + 1);
  await expect(archives.put(planId, given([message(1)]), { replaces: old })).rejects.toThrow(ConflictError);
  await archives.remove(planId, { upTo: old });
  expect(await stored(planId)).toEqual(more);
  await archives.remove(planId, { upTo: head });
  expect(await subjects(planId)).toEqual([]);
});

it("archives nothing when the messages cannot be read to the end", async () => {
  const planId = PlanId.parse("torn");
  const archives = createArchiveStore(bus);
  const torn = async function* () {
    yield* large(3);
    throw new Error("the connection was lost");
  };
  await expect(archives.put(planId, torn())).rejects.toThrow("the connection was lost");
  expect(await archives.head(planId)).toBeUndefined();
  await expect(archives.put(planId, given([]))).rejects.toThrow("got none");
});
