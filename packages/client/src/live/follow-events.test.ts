import { ConnectionError, isProblem, type NumberedEvent, Planwright } from "../index.ts";
import { expect, it } from "vitest";
import { type Respond, sendProblem, startServer } from "../testing/start-server.ts";

const EVENTS = 12;
const text = (seq: number): string => {
  const type = seq === EVENTS ? "plan.ended" : "step.started";
  return `id: ${seq}\ndata: ${JSON.stringify({ type, at: "2026-01-01T00:00:00Z" })}\n\n`;
};
const open = (response: Parameters<Respond>[0]) =>
  response.writeHead(200, { "content-type": "text/event-stream" });
const after = ({ headers }: Parameters<Respond>[1]): number => Number(headers["last-event-id"]);
const EVERY = Array.from({ length: EVENTS }, (_, index) => index + 1);

async function follow(
  baseUrl: string,
  options: Parameters<Planwright["plans"]["events"]>[1] = {},
): Promise<number[]> {
  const seen: NumberedEvent[] = await Array.fromAsync(
    new Planwright({ baseUrl }).plans.events("p1", options),
  );
  return seen.map(({ seq }) => seq);
}

it("yields each event once, in order, when the server breaks the connection at every event (FOLLOW-1)", async () => {
  await using server = await startServer((response, request, count) => {
    const next = after(request) + 1;
    if (count % 5 === 1) return void response.destroy();
    if (count % 5 === 2) return sendProblem(response, 503, { code: "not_ready" });
    // One event, those that the client already has, and half of the next one.
    open(response).write(
      `retry: 1\n\n${text(Math.max(1, next - 1))}${text(next)}${text(next + 1).slice(0, 9)}`,
    );
    if (next === EVENTS) response.end();
    else setImmediate(() => response.destroy());
  });
  expect(await follow(server.baseUrl)).toEqual(EVERY);
}, 120_000);

it("requests a missing event again, and never yields past the gap (FOLLOW-1)", async () => {
  await using server = await startServer((response, request, count) => {
    const seqs = EVERY.filter((seq) => seq > after(request) && (count > 0 || seq !== 7));
    open(response).end(seqs.map(text).join(""));
  });
  expect(await follow(server.baseUrl)).toEqual(EVERY);
  expect(server.received.map(after)).toEqual([0, 6]);
});

it("continues after the last known event, and ends when there are no more", async () => {
  await using server = await startServer((response, request) => {
    if (after(request) >= EVENTS) response.writeHead(204).end();
    else open(response).end(EVERY.slice(after(request)).map(text).join(""));
  });
  expect(await follow(server.baseUrl, { after: EVENTS - 2 })).toEqual([EVENTS - 1, EVENTS]);
  expect(await follow(server.baseUrl, { after: EVENTS })).toEqual([]);
  expect(server.received).toHaveLength(2);
});

it("throws refusals, and an error for unreadable data", async () => {
  await using missing = await startServer((response) =>
    sendProblem(response, 404, { code: "plan_not_found" }),
  );
  const refusal = await follow(missing.baseUrl).catch((error: unknown) => error);
  expect(isProblem(refusal, "plan_not_found")).toBe(true);
  await using broken = await startServer((response) => open(response).end("id: 1\ndata: {nonsense\n\n"));
  await expect(follow(broken.baseUrl)).rejects.toMatchObject({ code: "unexpected_response" });
});

it("stops following a server that sends nothing new for `awayMs` (FOLLOW-3)", async () => {
  await using server = await startServer((response) => open(response).end(": still here\n\n"));
  await expect(follow(server.baseUrl, { awayMs: 600 })).rejects.toBeInstanceOf(ConnectionError);
  expect(server.received.length).toBeGreaterThan(1);
});

it("ends when the signal aborts, and closes the connection (FOLLOW-3)", async () => {
  let closed = 0;
  await using server = await startServer((response) => {
    response.on("close", () => (closed += 1));
    open(response).write(text(1));
  });
  const leaving = new AbortController();
  const reason = new Error("enough");
  const following = follow(server.baseUrl, { signal: leaving.signal });
  await expect.poll(() => server.received.length).toBe(1);
  leaving.abort(reason);
  await expect(following).rejects.toBe(reason);
  for await (const { seq } of new Planwright({ baseUrl: server.baseUrl }).plans.events("p1"))
    if (seq === 1) break;
  await expect.poll(() => closed).toBe(2);
});

it("reads no faster than the consumer takes events (FOLLOW-2)", async () => {
  let written = 0;
  const data = "x".repeat(64 * 1024);
  await using server = await startServer((response) => {
    open(response);
    const more = (): void => {
      while (written < 2_000) {
        written += 1;
        const type = written === 2_000 ? "plan.ended" : "step.started";
        if (!response.write(`id: ${written}\ndata: ${JSON.stringify({ type, data })}\n\n`)) {
          return void response.once("drain", more);
        }
      }
      response.end();
    };
    more();
  });
  const events = new Planwright({ baseUrl: server.baseUrl }).plans.events("p1");
  await events.next();
  let before = -1;
  // Until the buffers on both sides are full.
  await expect.poll(() => before === (before = written), { interval: 200 }).toBe(true);
  expect(written).toBeLessThan(1_000);
  let last = 0;
  for await (const { seq } of events) last = seq;
  expect(last).toBe(2_000);
});
