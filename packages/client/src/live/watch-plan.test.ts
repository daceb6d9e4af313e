import type { PlanView } from "@planwright/api";
import { changesBetween } from "@planwright/plan/json-changes";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { isProblem, Planwright, type PlanwrightOptions } from "../index.ts";

const LAST = 8;
/** The view after each event; its second step never changes. */
const VIEWS = Array.from({ length: LAST + 1 }, (_, seq) => ({
  planId: "p1",
  seq,
  ended: seq === LAST,
  status: seq === LAST ? "succeeded" : "running",
  steps: [
    { id: "a", attempts: seq },
    { id: "b", output: { rows: [1, 2, 3] } },
  ],
}));
const changes = (after: number, seq: number) =>
  JSON.stringify({
    type: "changes",
    planId: "p1",
    after,
    seq,
    changes: changesBetween(VIEWS[after], VIEWS[seq]),
  });

type Message = {
  readonly id: string;
  readonly type: string;
  readonly planId: string;
  readonly after: number;
  readonly idempotencyKey?: string;
};
type Gateway = {
  /** The current plan. */
  seq: number;
  readonly watched: Message[];
  readonly authorization: Set<string | undefined>;
  readonly protocols: string[];
  closed: number;
};

/** A gateway with one plan that answers the WebSocket's messages from a script. */
async function startGateway(onMessage: (socket: WebSocket, message: Message, gateway: Gateway) => void) {
  const gateway: Gateway = { seq: 0, watched: [], authorization: new Set(), protocols: [], closed: 0 };
  const server = http.createServer(({ url = "", headers }, response) => {
    gateway.authorization.add(headers.authorization);
    if (url.endsWith("/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      gateway.seq = Math.min(LAST, Number(headers["last-event-id"]) + 2);
      for (let seq = Number(headers["last-event-id"]) + 1; seq <= gateway.seq; seq += 1) {
        const type = seq === LAST ? "plan.ended" : "step.started";
        response.write(`id: ${seq}\ndata: ${JSON.stringify({ type })}\n\n`);
      }
      return void response.end();
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(VIEWS[gateway.seq]));
  });
  const sockets = new WebSocketServer({ server, path: "/v1/ws", handleProtocols: () => "planwright.v1" });
  sockets.on("connection", (socket, request) => {
    gateway.protocols.push(request.headers["sec-websocket-protocol"] ?? "");
    socket.on("close", () => (gateway.closed += 1));
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      if (message.type === "watch") gateway.watched.push(message);
      onMessage(socket, message, gateway);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    gateway,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function snapshotsOf(options: PlanwrightOptions): Promise<PlanView[]> {
  return Array.fromAsync(new Planwright(options).plans.watch("p1"));
}

it("makes snapshots that share unchanged parts, when the gateway cuts the connection at every change (LIVE-3, WATCH-1, WATCH-2)", async () => {
  await using server = await startGateway((socket, { type, after, id }, gateway) => {
    if (type !== "watch" || after >= LAST) return;
    gateway.seq = after + 1;
    socket.send(JSON.stringify({ type: "ok", id }));
    // Events that the client already has, then new ones; the whole view in between.
    if (after > 0) socket.send(changes(after - 1, after));
    if (after === 4) socket.send(JSON.stringify({ type: "resync", planId: "p1", plan: VIEWS[5] }));
    else socket.send(changes(after, after + 1));
    setImmediate(() => socket.terminate());
  });
  const snapshots = await snapshotsOf({ baseUrl: server.baseUrl, apiKey: "secret/+" });
  expect(snapshots).toEqual(VIEWS);
  expect(new Set(snapshots.map(({ steps }) => steps[1])).size).toBe(1);
  expect(new Set(snapshots.map(({ steps }) => steps[0])).size).toBe(VIEWS.length);
  expect(server.gateway.watched.map(({ after }) => after)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect([...server.gateway.authorization]).toEqual(["Bearer secret/+"]);
  const [, carrier = ""] = server.gateway.protocols[0]?.split(/, ?/) ?? [];
  expect(Buffer.from(carrier.replace("bearer.", ""), "base64url").toString()).toBe("secret/+");
}, 60_000);

it("reads the plan when it receives changes to another view (LIVE-3)", async () => {
  await using server = await startGateway((socket, { type, after }, gateway) => {
    if (type !== "watch") return;
    if (after === 0) {
      gateway.seq = 5;
      socket.send(changes(3, 5));
    } else if (after === 5) socket.send(changes(5, LAST));
  });
  const snapshots = await snapshotsOf({ baseUrl: server.baseUrl });
  expect(snapshots).toEqual([VIEWS[0], VIEWS[5], VIEWS[LAST]]);
});

it("gives a slow reader only the newest view (WATCH-3)", async () => {
  await using server = await startGateway((socket, { type }) => {
    if (type !== "watch") return;
    for (let seq = 1; seq <= LAST; seq += 1) socket.send(changes(seq - 1, seq));
  });
  const watching = new Planwright({ baseUrl: server.baseUrl }).plans.watch("p1");
  await watching.next();
  const next = watching.next();
  expect((await next).value).toMatchObject({ planId: "p1" });
  await expect.poll(() => server.gateway.watched.length).toBe(1);
  const rest = await Array.fromAsync(watching);
  expect(rest.length).toBeLessThan(LAST);
});

it("keeps its connection when a change arrives while the reader is busy and the plan is already ahead", async () => {
  let send: (after: number, seq: number) => void = () => undefined;
  await using server = await startGateway((socket, { type }) => {
    if (type !== "watch") return;
    send = (after, seq) => socket.send(changes(after, seq));
    send(0, 1);
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  const watching = client.plans.watch("p1");
  await watching.next();
  expect(await watching.next()).toMatchObject({ value: { seq: 1 } });
  server.gateway.seq = 3;
  let isThere = false;
  // Called after the client's own viewer, which joined first.
  client.live.watchView("p1", 1, { onChanges: () => (isThere = true), onView: () => undefined });
  send(1, 2);
  await expect.poll(() => isThere).toBe(true);
  expect(await watching.next()).toMatchObject({ value: { seq: 2 } });
  const next = watching.next();
  send(2, LAST);
  expect(await next).toMatchObject({ value: { seq: LAST } });
  expect(server.gateway.protocols).toHaveLength(1);
});

it("follows the plan's events where there is no WebSocket", async () => {
  await using server = await startGateway(() => undefined);
  const snapshots = await snapshotsOf({ baseUrl: server.baseUrl, WebSocket: null });
  expect(snapshots.at(-1)).toEqual(VIEWS[LAST]);
  expect(snapshots.map(({ seq }) => seq)).toEqual(snapshots.map(({ seq }) => seq).toSorted((a, b) => a - b));
  expect(new Set(snapshots.map(({ steps }) => steps[1])).size).toBe(1);
  expect(server.gateway.watched).toEqual([]);
  const { live } = new Planwright({ baseUrl: server.baseUrl, WebSocket: null });
  await expect(live.submit({ goal: "g" })).rejects.toThrow("this runtime has no WebSocket: use Node 22");
});

it("throws permanent refusals of the gateway, and the signal's reason", async () => {
  await using server = await startGateway((socket, { id }) =>
    socket.send(JSON.stringify({ type: "error", id, code: "plan_not_found", message: "there is none" })),
  );
  const refusal = await snapshotsOf({ baseUrl: server.baseUrl }).catch((error: unknown) => error);
  expect(isProblem(refusal, "plan_not_found")).toBe(true);
  await using silent = await startGateway(() => undefined);
  const leaving = new AbortController();
  const reason = new Error("enough");
  const watching = new Planwright({ baseUrl: silent.baseUrl }).plans.watch("p1", { signal: leaving.signal });
  await watching.next();
  const next = watching.next().catch((error: unknown) => error);
  await expect.poll(() => silent.gateway.watched.length).toBe(1);
  leaving.abort(reason);
  expect(await next).toBe(reason);
});

it("closes the connection when nothing is watched anymore (LIVE-4)", async () => {
  await using server = await startGateway(() => undefined);
  const client = new Planwright({ baseUrl: server.baseUrl });
  const stop = client.live.watch("p1", 0, { onEvent: () => undefined, onBehind: () => undefined });
  await expect.poll(() => client.live.connection.get()).toBe("open");
  stop();
  await expect.poll(() => server.gateway.closed).toBe(1);
  expect(client.live.connection.get()).toBe("idle");
});

it("submits over the WebSocket, resubmits with the same key after a broken connection, and receives each event once (LIVE-1)", async () => {
  const keys: unknown[] = [];
  await using server = await startGateway((socket, { id, type, planId, after, idempotencyKey }) => {
    const event = (seq: number) =>
      socket.send(JSON.stringify({ type: "event", planId: "p1", seq, event: { type: "step.started" } }));
    if (type === "submit") {
      keys.push(idempotencyKey);
      if (keys.length === 1) return socket.terminate();
      socket.send(JSON.stringify({ type: "accepted", id, planId: "p1", traceId: "t" }));
      event(1);
      event(2);
      setImmediate(() => socket.terminate());
    } else if (type === "watch" && planId === "p1") for (const seq of [2, 3]) if (seq >= after) event(seq);
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  const heard: number[] = [];
  const listener = { onEvent: ({ seq }: { seq: number }) => heard.push(seq), onBehind: () => heard.push(-1) };
  const { planId, stop } = await client.live.submit({ goal: "g" }, { listener });
  expect(planId).toBe("p1");
  await expect.poll(() => heard).toEqual([1, 2, 3]);
  expect(new Set(keys).size).toBe(1);
  expect(server.gateway.watched.map(({ after }) => after)).toEqual([2]);
  stop();
  await expect.poll(() => client.live.connection.get()).toBe("idle");
});
