// Many watchers of one plan, some of which do not read: everyone else gets every event once, in order.
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { echo } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSocket, type Told } from "./support/connect-socket.ts";
import { store, succeeded, wholeRun } from "./support/facts.ts";
import { readEvents, seqs } from "./support/read-events.ts";
import { startSystem, type TestGateway, TWO_STEPS } from "./support/start-gateway.ts";

/** Long enough for a slow machine to read again before it is disconnected. */
const STALL_MS = 3_000;
const WATCHERS_MAX = 5;

let system: Awaited<ReturnType<typeof startSystem>>;
let gateway: TestGateway;
beforeAll(async () => {
  system = await startSystem();
  const env = { READER_STALL: `${STALL_MS}ms`, WATCHERS_PER_PLAN_MAX: String(WATCHERS_MAX) };
  // This test is about pace: other tests check messages against their schemas.
  gateway = await system.gateway({ env: { ...env, STRICT_RESPONSES: "false" } });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const isEnd = (message: Told) => (message["event"] as { type?: string } | undefined)?.type === "plan.ended";
const seqsOf = (told: readonly Told[]) => told.flatMap(({ type, seq }) => (type === "event" ? [seq] : []));

/** An event stream that is not read until it is resumed. */
async function openUnread(planId: string): Promise<IncomingMessage> {
  const call = get(`${gateway.url}/v1/plans/${planId}/events`, { agent: false });
  const [response] = (await once(call, "response")) as [IncomingMessage];
  response.pause();
  return response;
}

/** The ids in the buffered rest of a disconnected stream. */
async function idsIn(response: IncomingMessage): Promise<number[]> {
  let text = "";
  try {
    for await (const piece of response.setEncoding("utf8")) text += piece;
  } catch {
    // Disconnected in the middle.
  }
  return [...text.matchAll(/^id: (\d+)\ndata: .*\n\n/gm)].map(([, id]) => Number(id));
}

async function watchers(): Promise<number> {
  const figures = await (await gateway.get("/metrics")).text();
  return Number(/^planwright_watchers (\d+)$/m.exec(figures)?.[1]);
}

describe("watchers of one plan", () => {
  it("each get every event once and in order; one too many is asked to retry later", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await using stack = new AsyncDisposableStack();
    const sockets = await Promise.all(oneTo(WATCHERS_MAX).map(() => connectSocket(gateway.url)));
    for (const socket of sockets) stack.use(socket);
    for (const socket of sockets) socket.say({ id: "w", type: "watch", planId });
    await Promise.all(sockets.map((socket) => socket.hear(({ id }) => id === "w")));

    const late = stack.use(await connectSocket(gateway.url));
    late.say({ id: "late", type: "watch", planId });
    expect(await late.hear(({ id }) => id === "late")).toMatchObject({
      type: "error",
      code: "too_many_watchers",
      message: "a plan may have max 5 simultaneous watchers",
      retryAfterSeconds: 5,
    });
    const stream = await gateway.get(`/v1/plans/${planId}/events`);
    expect([stream.status, stream.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await stream.json()).toMatchObject({ code: "too_many_watchers" });

    sockets[0]?.say({ id: "u", type: "unwatch", planId });
    await expect.poll(watchers).toBe(WATCHERS_MAX - 1);
    late.say({ id: "again", type: "watch", planId });
    expect(await late.hear(({ id }) => id === "again")).toMatchObject({ type: "ok" });
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    for (const socket of [late, ...sockets.slice(1)]) {
      await socket.hear(isEnd);
      expect(seqsOf(socket.told)).toEqual(oneTo(7));
    }
  });
});

describe("a client that reads nothing", () => {
  it("is disconnected with the reason, slows no one down, and resumes where it was", async () => {
    const ids = oneTo(1_000).map((index) => `s${index}`);
    const steps = ids.map((id) => echo(id));
    const { planId } = await gateway.submit({ goal: "much", plan: { steps, answerFrom: "s1" } });
    await using idle = await connectSocket(gateway.url);
    await using reader = await connectSocket(gateway.url);
    for (const socket of [idle, reader]) {
      socket.say({ id: 1, type: "watch", planId });
      await socket.hear(({ seq }) => seq === 1);
    }
    idle.socket.pause();
    const unread = await openUnread(planId);
    expect(await watchers()).toBe(3);

    const big = "x".repeat(30_000);
    const storing = store(
      system.bus,
      ids.map((id) => succeeded(planId, id, big)),
    );
    // The socket began to wait first. Its last messages are kept no longer than its grace period.
    await expect.poll(watchers, { timeout: 30_000 }).toBe(2);
    idle.socket.resume();
    expect(await idle.closedWith()).toEqual({
      code: 1013,
      reason: expect.stringContaining("watch after the last seq"),
    });
    await storing;
    await store(system.bus, wholeRun(planId, []));
    await reader.hear(isEnd);
    expect(seqsOf(reader.told)).toEqual(oneTo(1_003));
    const heard = seqsOf(idle.told);
    expect(heard).toEqual(oneTo(heard.length));
    expect(heard.length).toBeLessThan(1_003);
    await using back = await connectSocket(gateway.url);
    back.say({ id: 1, type: "watch", planId, after: heard.length });
    await back.hear(isEnd);
    expect([...heard, ...seqsOf(back.told)]).toEqual(oneTo(1_003));

    await expect.poll(watchers).toBe(0);
    const read = await idsIn(unread);
    expect(read).toEqual(oneTo(read.length));
    expect(read.length).toBeLessThan(1_003);
    const headers = { "last-event-id": String(read.length) };
    const rest = await readEvents(await gateway.get(`/v1/plans/${planId}/events`, headers));
    expect([...read, ...seqs(rest)]).toEqual(oneTo(1_003));
  });
});
