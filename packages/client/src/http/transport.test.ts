import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import {
  ConnectionError,
  isProblem,
  Planwright,
  ProblemError,
  type RequestOptions,
  RequestTimeoutError,
  UnexpectedResponseError,
} from "../index.ts";
import { sendJson, sendProblem, startServer } from "../testing/start-server.ts";

const ACCEPTED = { planId: "p1", traceId: "a".repeat(32) };
const failed = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

it("retries a submission with the same Idempotency-Key after any failure", async () => {
  await using server = await startServer((response, _request, count) => {
    if (count === 0) response.destroy();
    else if (count === 1) sendProblem(response, 503, { code: "not_ready" });
    else sendJson(response, ACCEPTED, 202);
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  expect(await client.plans.submit({ goal: "g" })).toEqual(ACCEPTED);
  const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{36}$/);
  await client.plans.submit({ goal: "g" });
  expect(server.received.at(-1)?.headers["idempotency-key"]).not.toBe(keys[0]);
  await client.plans.submit({ goal: "g" }, { idempotencyKey: "mine" });
  expect(server.received.at(-1)?.headers["idempotency-key"]).toBe("mine");
});

it("retries a non-idempotent call only when the gateway did nothing", async () => {
  await using server = await startServer((response, { url }, count) => {
    if (url.pathname.endsWith("/approvals/lost")) response.destroy();
    else if (count < 2) sendProblem(response, 429, { code: "rate_limited", retryAfterSeconds: 0 });
    else sendJson(response, {});
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  await client.plans.approvals.approve("p1", "a1");
  expect(server.received).toHaveLength(3);
  expect(await failed(client.plans.approvals.approve("p1", "lost"))).toBeInstanceOf(ConnectionError);
  expect(server.received).toHaveLength(4);
});

it("stops after the maximum number of retries, and when it would have to wait too long", async () => {
  await using server = await startServer((response, { url }) => {
    if (url.pathname === "/v1/tools") return sendProblem(response, 500, { code: "internal" });
    sendProblem(response, 503, { code: "store_full", retryAfterSeconds: 3_600 });
  });
  const client = new Planwright({ baseUrl: server.baseUrl, maxRetries: 1 });
  expect(await failed(client.tools.list())).toMatchObject({ code: "internal", attempts: 2 });
  expect(await failed(client.workers.list())).toMatchObject({ retryAfterSeconds: 3_600, attempts: 1 });
  expect(await failed(client.tools.list({ maxRetries: 0 }))).toMatchObject({ attempts: 1 });
});

it("throws refusals with their code and every error in the request", async () => {
  const issues = [{ stepId: "s1", field: "args.url", message: "wanted a URL" }];
  await using server = await startServer((response) =>
    response
      .writeHead(422, { "content-type": "application/problem+json", "retry-after": "7" })
      .end(JSON.stringify({ title: "Invalid plan", code: "invalid_plan", detail: "2 faults", issues })),
  );
  const error = await failed(new Planwright({ baseUrl: server.baseUrl }).plans.submit({ goal: "g" }));
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({
    status: 422,
    code: "invalid_plan",
    message: "2 faults",
    issues,
    retryAfterSeconds: 7,
  });
  expect(isProblem(error, "invalid_plan", "plan_ended")).toBe(true);
  expect(isProblem(error, "plan_ended")).toBe(false);
  expect(isProblem(new Error("x"))).toBe(false);
});

it("reports which server answered if it is not a gateway", async () => {
  await using server = await startServer((response, { url }) => {
    if (url.pathname === "/v1/tools") response.writeHead(404).end("<html>Not here");
    else response.writeHead(200).end("hello");
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  const html = await failed(client.tools.list());
  expect(html).toBeInstanceOf(UnexpectedResponseError);
  expect(html).toMatchObject({
    status: 404,
    message: expect.stringContaining("is not a Planwright gateway"),
  });
  expect(await failed(client.workers.list())).toMatchObject({ message: expect.stringContaining("hello") });
});

it("reports why no server answers", async () => {
  const { baseUrl } = await startServer(() => undefined).then(async (server) => {
    await server[Symbol.asyncDispose]();
    return server;
  });
  const error = await failed(new Planwright({ baseUrl, maxRetries: 0 }).tools.list());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({
    code: "unreachable",
    message: expect.stringMatching(/no gateway answers at .*ECONNREFUSED/),
  });
});

it("ends a call without a response in time, and one whose body does not end", async () => {
  await using server = await startServer((response, { url }) => {
    if (url.pathname === "/v1/tools") response.writeHead(200).write("{");
  });
  const client = new Planwright({ baseUrl: server.baseUrl, timeoutMs: 50, maxRetries: 0 });
  expect(await failed(client.workers.list())).toBeInstanceOf(RequestTimeoutError);
  expect(await failed(client.tools.list())).toMatchObject({ code: "timeout", timeoutMs: 50 });
});

it("ends when the caller's signal aborts, during a request and between two", async () => {
  await using server = await startServer((response, { url }) => {
    if (url.pathname === "/v1/workers")
      sendProblem(response, 503, { code: "overloaded", retryAfterSeconds: 30 });
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  const calls = [
    (options: RequestOptions) => client.tools.list(options),
    (options: RequestOptions) => client.workers.list(options),
  ];
  for (const call of calls) {
    const leaving = new AbortController();
    const reason = new Error("enough");
    const before = server.received.length;
    const called = failed(call({ signal: leaving.signal }));
    await expect.poll(() => server.received.length).toBe(before + 1);
    await pause(20);
    leaving.abort(reason);
    expect(await called).toBe(reason);
  }
  expect(await failed(client.tools.list({ signal: AbortSignal.abort(new Error("before")) }))).toMatchObject({
    message: "before",
  });
  expect(server.received).toHaveLength(2);
});

it("warns once when the gateway has another version", async () => {
  await using server = await startServer((response) =>
    response.writeHead(200, { "planwright-version": "9.9.9" }).end("{}"),
  );
  const told: unknown[] = [];
  const client = new Planwright({
    baseUrl: server.baseUrl,
    onVersionMismatch: (versions) => told.push(versions),
  });
  await client.tools.list();
  await client.tools.list();
  expect(told).toEqual([{ client: "0.1.0", gateway: "9.9.9" }]);
  expect(client.gatewayVersion).toBe("9.9.9");
});

it("sends the key, and requests another one if the gateway refuses it", async () => {
  await using server = await startServer((response, { headers }) => {
    if (headers.authorization === "Bearer right") sendJson(response, { tools: [] });
    else sendProblem(response, 401, { code: "unauthorized" });
  });
  let apiKey: string | undefined;
  const refused: (string | undefined)[] = [];
  const client = new Planwright({
    baseUrl: server.baseUrl,
    apiKey: () => apiKey,
    onUnauthorized: (key) => {
      refused.push(key);
      apiKey = key === undefined ? "wrong" : "right";
      return Promise.resolve(true);
    },
  });
  expect(await client.tools.list()).toEqual({ tools: [] });
  expect(refused).toEqual([undefined, "wrong"]);
  const fixed = new Planwright({ baseUrl: server.baseUrl, apiKey: "wrong" });
  expect(isProblem(await failed(fixed.tools.list()), "unauthorized")).toBe(true);
});

it("treats a dead letter as discarded when an earlier attempt discarded it", async () => {
  await using server = await startServer((response, _request, count) => {
    if (count === 0) response.destroy();
    else sendProblem(response, 404, { code: "dead_letter_not_found" });
  });
  const client = new Planwright({ baseUrl: server.baseUrl });
  await client.deadLetters.discard("17");
  expect(isProblem(await failed(client.deadLetters.discard("17")), "dead_letter_not_found")).toBe(true);
});

it("reads pages one after another, and stops when a cursor points to itself", async () => {
  await using server = await startServer((response, { url }) => {
    const cursor = Number(url.searchParams.get("cursor") ?? 0);
    sendJson(response, { plans: [{ planId: `p${cursor}` }], nextCursor: String(Math.min(3, cursor + 1)) });
  });
  const { plans } = new Planwright({ baseUrl: server.baseUrl });
  const ids: string[] = [];
  for await (const { planId } of plans.list({ limit: 1 })) ids.push(planId);
  expect(ids).toEqual(["p0", "p1", "p2", "p3"]);
  expect((await plans.list({ cursor: "2" }).firstPage()).plans).toMatchObject([{ planId: "p2" }]);
});
