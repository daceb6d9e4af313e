// The WebSocket protocol: every message is answered or refused, and events arrive once each, in order.
import { applyChanges, type JsonChange } from "@planwright/plan/json-changes";
import { echo } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { connectSocket, refusedWith, type Told } from "./support/connect-socket.ts";
import { started, store, succeeded, wholeRun } from "./support/facts.ts";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const { system, gateway } = await sharedGateway();

const isEvent = (message: Told) => message.type === "event";
const isEnd = (message: Told) => (message["event"] as { type?: string } | undefined)?.type === "plan.ended";
const answerTo = (id: unknown) => (message: Told) => message["id"] === id;
const eventsOf = (told: readonly Told[], planId: unknown) =>
  told.filter((message) => isEvent(message) && message["planId"] === planId).map((message) => message["seq"]);
const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe("a WebSocket", () => {
  it("submits, and watches from the first event to the last", async () => {
    await using client = await connectSocket(gateway.url);
    client.say({ id: "1", type: "submit", body: TWO_STEPS, watch: true });
    const accepted = await client.hear(answerTo("1"));
    expect(accepted).toEqual({
      type: "accepted",
      id: "1",
      planId: expect.any(String),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await store(system.bus, wholeRun(String(accepted["planId"]), ["a", "b"]));
    await client.hear(isEnd);
    expect(client.told[0]).toBe(accepted);
    expect(eventsOf(client.told, accepted["planId"])).toEqual(oneTo(7));
    expect(client.told[1]).toMatchObject({ type: "event", seq: 1, event: { type: "goal.submitted" } });
  });

  it("gets the same response for a key and body that were sent over HTTP", async () => {
    const first = await gateway.submit({ goal: "both ways" }, { "idempotency-key": "ws-1" });
    await using client = await connectSocket(gateway.url);
    client.say({ id: 7, type: "submit", body: { goal: "both ways" }, idempotencyKey: "ws-1" });
    expect(await client.hear(answerTo(7))).toEqual({ type: "accepted", id: 7, ...first });
    client.say({ id: 8, type: "submit", body: { goal: "other" }, idempotencyKey: "ws-1" });
    expect(await client.hear(answerTo(8))).toMatchObject({ type: "error", code: "idempotency_key_reused" });
  });

  it("continues after the last known event, and starts over on request", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, [started(planId, "a"), succeeded(planId, "a")]);
    await using client = await connectSocket(gateway.url);
    client.say({ id: "w", type: "watch", planId, after: 2 });
    await client.hear((message) => message["seq"] === 3);
    expect(client.told[0]).toEqual({ type: "ok", id: "w" });
    expect(eventsOf(client.told, planId)).toEqual([3]);
    client.say({ id: "w2", type: "watch", planId, after: 1, as: "facts" });
    // `facts` is the old name of `events`.
    await client.hear(answerTo("w2"));
    await store(system.bus, wholeRun(planId, ["a", "b"]).slice(2));
    await client.hear(isEnd);
    expect(eventsOf(client.told, planId)).toEqual([3, 2, 3, 4, 5, 6, 7]);
  });

  it("sends the changes of the view, from any view the client has up to the final one", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const view = async () => (await gateway.get(`/v1/plans/${planId}`)).json() as Promise<object>;
    const early = { seq: 0, ...(await view()) };
    await using client = await connectSocket(gateway.url);
    client.say({ id: "v", type: "watch", planId, after: early.seq, as: "view" });
    await client.hear(answerTo("v"));
    const facts = wholeRun(planId, ["a", "b"]);
    for (const fact of facts) await store(system.bus, [fact]);
    await client.hear((message) => JSON.stringify(message).includes('"outcome"'));
    const seen = client.told.slice(1).reduce<unknown>((view, message) => {
      if (message["type"] === "resync") return message["plan"];
      return applyChanges(view, message["changes"] as readonly JsonChange[]);
    }, early);
    expect(seen).toEqual(await view());
    expect(client.told.filter(isEvent)).toEqual([]);

    client.say({ id: "late", type: "watch", planId, after: 2, as: "view" });
    expect(await client.hear(({ type }) => type === "resync")).toMatchObject({ plan: { planId, seq: 7 } });
  });

  it("leaves no watch behind when its connection ends", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const watchers = async () =>
      Number(/^planwright_watchers (\d+)/m.exec(await (await gateway.get("/metrics")).text())?.[1]);
    const before = await watchers();
    const client = await connectSocket(gateway.url);
    client.say({ id: "w", type: "watch", planId });
    await client.hear(isEvent);
    await expect.poll(watchers).toBe(before + 1);
    await client[Symbol.asyncDispose]();
    await expect.poll(watchers).toBe(before);
  });

  it("receives nothing more after unwatch", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await using client = await connectSocket(gateway.url);
    client.say({ id: "w", type: "watch", planId });
    await client.hear(isEvent);
    client.say({ id: "u", type: "unwatch", planId });
    expect(await client.hear(answerTo("u"))).toEqual({ type: "ok", id: "u" });
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    await using other = await connectSocket(gateway.url);
    other.say({ id: "w", type: "watch", planId });
    await other.hear(isEnd);
    expect(eventsOf(client.told, planId)).toEqual([1]);
  });

  it("cancels", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await using client = await connectSocket(gateway.url);
    client.say({ id: "c", type: "cancel", planId });
    expect(await client.hear(answerTo("c"))).toEqual({ type: "ok", id: "c" });
    expect(await (await gateway.get(`/v1/plans/${planId}`)).json()).toMatchObject({ status: "cancelled" });
  });

  it("watches many plans simultaneously without mixing them up", async () => {
    await using client = await connectSocket(gateway.url);
    const ids = oneTo(30);
    for (const id of ids) client.say({ id, type: "submit", body: TWO_STEPS, watch: true });
    const accepted = await Promise.all(ids.map((id) => client.hear(answerTo(id))));
    const plans = accepted.map(({ planId }) => String(planId));
    await Promise.all(plans.map((planId) => store(system.bus, wholeRun(planId, ["a", "b"]))));
    for (const planId of plans)
      await client.hear((message) => isEnd(message) && message["planId"] === planId);
    for (const planId of plans) expect(eventsOf(client.told, planId)).toEqual(oneTo(7));
  });
});

describe("a message that is refused", () => {
  const REFUSED: readonly [string, object | string | Buffer, object][] = [
    ["is no JSON", "{", { code: "malformed_json" }],
    ["is binary", Buffer.from("{}"), { code: "invalid_request" }],
    ["is no object", "[1]", { code: "invalid_request" }],
    ["has an unknown type", { id: "x", type: "dance" }, { id: "x", code: "invalid_request" }],
    ["has no id", { type: "watch", planId: "p" }, { code: "invalid_request" }],
    [
      "has an unknown field",
      { id: "x", type: "unwatch", planId: "p", y: 1 },
      { id: "x", code: "invalid_request" },
    ],
    ["counts from before the start", { id: "x", type: "watch", planId: "p", after: -1 }, { id: "x" }],
    [
      "asks for an unknown plan",
      { id: "x", type: "watch", planId: "nope" },
      { id: "x", code: "plan_not_found" },
    ],
    [
      "cancels an unknown plan",
      { id: "x", type: "cancel", planId: "a.b" },
      { id: "x", code: "plan_not_found" },
    ],
    [
      "decides an approval of an unknown plan",
      { id: "x", type: "approve", planId: "p", approvalId: "a" },
      { id: "x", code: "plan_not_found" },
    ],
    [
      "submits a faulty plan",
      { id: "x", type: "submit", body: { goal: "g", plan: { steps: [{ id: "a", tool: "no.such" }] } } },
      { id: "x", code: "invalid_plan", issues: [{ stepId: "a", field: "tool" }] },
    ],
  ];

  it.each(REFUSED)("because it %s leaves the connection open", async (_, message, expected) => {
    await using client = await connectSocket(gateway.url);
    client.say(message);
    expect(await client.hear(({ type }) => type === "error")).toMatchObject({
      type: "error",
      message: expect.any(String),
      ...expected,
    });
    client.say({ id: "after", type: "unwatch", planId: "p" });
    await client.hear(answerTo("after"));
  });

  it("because it is too large ends the connection with the matching code", async () => {
    await using client = await connectSocket(gateway.url);
    client.say(`"${"x".repeat(5 * 1024 * 1024)}"`);
    expect(await client.closed()).toBe(1009);
  });
});

describe("opening a WebSocket", () => {
  it("is refused to pages of other sites", async () => {
    expect(await refusedWith(gateway.url, { origin: "https://evil.example" })).toBe(403);
    expect(await refusedWith(gateway.url, { origin: "null" })).toBe(403);
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect(await refusedWith(gateway.url, { origin: gateway.url, headers })).toBe(403);
    await using own = await connectSocket(gateway.url, { origin: gateway.url });
    expect(own.socket.protocol).toBe("planwright.v1");
  });

  it("is refused under an unknown host name, as DNS rebinding would use", async () => {
    expect(await refusedWith(gateway.url, { headers: { host: "evil.example" } })).toBe(403);
  });

  it("needs a key when there are keys, in a header or as a subprotocol", async () => {
    await using keyed = await system.gateway({
      folder: "keyed",
      env: { PLANWRIGHT_API_KEYS: "ada:secret-1,bob:secret-2" },
    });
    const { planId } = await keyed.submit(TWO_STEPS, { authorization: "Bearer secret-1" });
    const bearer = (key: string) => `bearer.${Buffer.from(key).toString("base64url")}`;
    expect(await refusedWith(keyed.url, {})).toBe(401);
    expect(await refusedWith(keyed.url, { protocols: ["planwright.v1", bearer("secret-9")] })).toBe(401);
    await using ada = await connectSocket(keyed.url, { protocols: ["planwright.v1", bearer("secret-1")] });
    expect(ada.socket.protocol).toBe("planwright.v1");
    ada.say({ id: 1, type: "watch", planId });
    await ada.hear(isEvent);
    await using bob = await connectSocket(keyed.url, { headers: { authorization: "Bearer secret-2" } });
    bob.say({ id: 1, type: "watch", planId });
    expect(await bob.hear(answerTo(1))).toMatchObject({ code: "plan_not_found" });
  });

  it("without an upgrade gets a response that explains what is required", async () => {
    const response = await gateway.get("/v1/ws");
    expect(response.status).toBe(426);
  });
});

it("a stopping gateway notifies its sockets, and ends its streams", async () => {
  const other = await system.gateway({ folder: "stopping" });
  const { planId } = await other.submit(TWO_STEPS);
  await using client = await connectSocket(other.url);
  client.say({ id: 1, type: "watch", planId });
  await client.hear(isEvent);
  const response = await other.get(`/v1/plans/${planId}/events`);
  await other[Symbol.asyncDispose]();
  expect(await client.closed()).toBe(1001);
  expect(await response.text()).toContain("goal.submitted");
});

it("a client that never reads slows no one down, and its buffer stays bounded", async () => {
  const big = "x".repeat(30_000);
  const ids = oneTo(400).map((index) => `s${index}`);
  const steps = ids.map((id) => echo(id));
  const { planId } = await gateway.submit({ goal: "much", plan: { steps, answerFrom: "s1" } });
  await using idle = await connectSocket(gateway.url);
  await using reader = await connectSocket(gateway.url);
  idle.say({ id: 1, type: "watch", planId });
  await idle.hear(isEvent);
  idle.socket.pause();
  reader.say({ id: 1, type: "watch", planId });
  const outcomes = ids.map((id) => succeeded(planId, id, big));
  await store(system.bus, [...outcomes, ...wholeRun(planId, [])]);
  await reader.hear(isEnd);
  // When it reads again at last, it still gets every event, in order.
  idle.socket.resume();
  await idle.hear(isEnd);
  expect(eventsOf(idle.told, planId)).toEqual(oneTo(403));
});
