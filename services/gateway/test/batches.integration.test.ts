// Events that a writer has stored in one message: watchers get each separately, with its own number, and can resume after any of
// them.
import { connect, type Socket } from "node:net";
import type { PlanEvent, PlanId } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { appendEvents, createPublish, decisionSubject, readPlanMessages } from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { expect, it } from "vitest";
import { connectSocket, type Told } from "./support/connect-socket.ts";
import { answered, ended, succeeded } from "./support/facts.ts";
import { readEvents, seqs } from "./support/read-events.ts";
import { sharedGateway } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const STEPS = ["a", "b", "c", "d", "e", "f"];
const LAST = 1 + STEPS.length + 2;
const from = (first: number) => Array.from({ length: LAST + 1 - first }, (_, index) => first + index);

async function submitted(): Promise<PlanId> {
  const plan = { steps: STEPS.map((id) => echo(id)), answerFrom: "f" };
  const { planId } = await gateway.submit({ goal: "batches", plan });
  return planId as PlanId;
}

/** The event as a worker of the pool `default` sends it. */
function inPool(event: PlanEvent): PlanEvent {
  return { ...event, data: { ...event.data, pool: "default" } } as PlanEvent;
}

/** All events of the plan, in two messages. */
async function run(planId: PlanId): Promise<void> {
  const publish = createPublish(system.bus);
  await appendEvents(
    publish,
    STEPS.map((step) => inPool(succeeded(planId, step))),
  );
  await appendEvents(publish, [answered(planId), ended(planId)], { subjectOf: decisionSubject });
  expect((await Array.fromAsync(readPlanMessages(system.bus, planId))).length).toBe(3);
}

async function resumedEverywhere({ get }: Pick<typeof gateway, "get">, planId: PlanId): Promise<number[][]> {
  const rests: number[][] = [];
  for (let last = 0; last < LAST; last++) {
    const response = await get(`/v1/plans/${planId}/events`, { "last-event-id": String(last) });
    rests.push(seqs(await readEvents(response)));
  }
  return rests;
}

it("misses nothing and repeats nothing for a stream that resumes after any event of a batch", async () => {
  const planId = await submitted();
  await run(planId);
  const wanted = from(1).map((first) => from(first));
  expect(await resumedEverywhere(gateway, planId)).toEqual(wanted);
  // A gateway with none of it in memory reads the log, and then the archive.
  await (await system.gateway({ folder: "batches" }))[Symbol.asyncDispose]();
  await using again = await system.gateway({ folder: "batches" });
  expect(await resumedEverywhere(again, planId)).toEqual(wanted);
  const { bus } = system;
  const deps = { bus, publish: createPublish(bus), archives: createArchiveStore(bus), now: () => new Date() };
  await archivePlan(deps, planId);
  await using later = await system.gateway({ folder: "batches" });
  expect(await resumedEverywhere(later, planId)).toEqual(wanted);
});

it("misses nothing and repeats nothing for a socket that resumes after any event of a batch", async () => {
  const planId = await submitted();
  await run(planId);
  for (let last = 0; last < LAST; last++) {
    await using client = await connectSocket(gateway.url);
    client.say({ id: "w", type: "watch", planId, after: last });
    await client.hear((message: Told) => message["seq"] === LAST);
    const told = client.told.flatMap(({ seq }) => (typeof seq === "number" ? [seq] : []));
    expect(told).toEqual(from(last + 1));
  }
});

it("sends the events of a batch to a stream in one write", async () => {
  const planId = await submitted();
  const response = await gateway.get(`/v1/plans/${planId}/events`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader?.read())?.value ?? "";
  let first = "";
  while (!first.includes("id: 1\n")) first += await next();
  await run(planId);
  const ids = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids(await next()).slice(0, STEPS.length)).toEqual(from(2).slice(0, STEPS.length));
  await reader?.cancel();
});

it("sends the events of a batch to a socket in one write, each as a message", async () => {
  const planId = await submitted();
  const pieces: Buffer[] = [];
  const createConnection = (options: { port: number; host: string }): Socket => {
    const socket = connect(options);
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    return socket;
  };
  await using client = await connectSocket(gateway.url, {
    createConnection: createConnection as typeof connect,
  });
  client.say({ id: "w", type: "watch", planId, after: 0 });
  await client.hear((message: Told) => message["seq"] === 1);
  pieces.length = 0;
  await run(planId);
  await client.hear((message: Told) => message["seq"] === LAST);
  const counts = pieces.map((piece) => piece.toString("latin1").split('{"type":"event"').length - 1);
  expect(counts[0]).toBeGreaterThanOrEqual(STEPS.length);
  expect(client.told.filter(({ type }) => type === "event").length).toBe(LAST);
});
