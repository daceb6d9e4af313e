import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { CliError, EXIT } from "../exit-codes.ts";
import { followEvents, type NumberedEvent } from "./follow-events.ts";

/** A gateway that answers each connection as it is told, the last one always the same; with what it was asked. */
async function gateway(...answers: ((response: http.ServerResponse) => void)[]) {
  const asked: (string | undefined)[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.headers["last-event-id"]?.toString());
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url, asked, [Symbol.asyncDispose]: stop };
}

const fact = (seq: number, type: string): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ type, at: "2026-01-01T00:00:00Z" })}\n\n`;

const open = (response: http.ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" });

async function follow(url: string, signal = new AbortController().signal): Promise<NumberedEvent[]> {
  return Array.fromAsync(followEvents({ url, headers: {}, after: 0, signal }));
}

it("takes up again where a connection broke off, whatever it broke off in", async () => {
  await using server = await gateway(
    (response) => {
      open(response).write(`${fact(1, "goal.submitted")}${fact(2, "step.started")}id: 3\nda`);
      setImmediate(() => response.destroy());
    },
    (response) => response.destroy(),
    (response) =>
      response.writeHead(503).end('{"title": "The system is still starting", "code": "not_ready"}'),
    (response) => open(response).end(fact(3, "step.succeeded")),
    (response) => open(response).end(fact(4, "plan.ended")),
  );
  const told = await follow(server.url);
  expect(told.map(({ seq, event }) => [seq, event.type])).toEqual([
    [1, "goal.submitted"],
    [2, "step.started"],
    [3, "step.succeeded"],
    [4, "plan.ended"],
  ]);
  expect(server.asked).toEqual(["0", "2", "2", "2", "3"]);
});

it("ends where nothing more will come, and where it is refused", async () => {
  await using over = await gateway((response) => response.writeHead(204).end());
  expect(await follow(over.url)).toMatchObject([{ event: { type: "plan.ended" } }]);
  await using closed = await gateway((response) =>
    response.writeHead(404).end('{"title": "There is none", "code": "plan_not_found"}'),
  );
  const refused = await follow(closed.url).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CliError);
  expect(refused).toMatchObject({
    exitCode: EXIT.refused,
    message: expect.stringContaining("plan_not_found"),
  });
});

it("lets go when it is told to", async () => {
  await using server = await gateway((response) => open(response).write(fact(1, "goal.submitted")));
  const leaving = new AbortController();
  const reason = new Error("enough");
  const following = follow(server.url, leaving.signal);
  await expect.poll(() => server.asked.length).toBe(1);
  leaving.abort(reason);
  await expect(following).rejects.toBe(reason);
});
