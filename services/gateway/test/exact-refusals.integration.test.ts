// The exact text of every refusal of a request's parts: clients and their users read these texts.
//
// The responses are in the file `golden/refusals.txt`. After changing a text on purpose, rewrite it with `npm test --
// exact-refusals --update`.
import { afterAll, expect, it } from "vitest";
import { store, wholeRun } from "./support/facts.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { sharedGateway, TWO_STEPS } from "./support/start-gateway.ts";

const GOLDEN = new URL("./golden/refusals.txt", import.meta.url).pathname;

const { system, gateway } = await sharedGateway();
const socket = await connectSocket(gateway.url);
afterAll(() => socket[Symbol.asyncDispose]());

/** A plan's id is derived from its Idempotency-Key, so it is the same in every run. */
const { planId } = await gateway.submit(TWO_STEPS, { "idempotency-key": "ended" });
await store(system.bus, wholeRun(planId, ["a", "b"]));

type Sent = { readonly body?: unknown; readonly headers?: Record<string, string> };
const ID = "no-such-plan";
const LONG = "x".repeat(3_000);

const REQUESTS: readonly (readonly [call: string, sent?: Sent])[] = [
  // Paths.
  [`GET /v1/plans/${ID}`],
  ["GET /v1/plans/no%20id"],
  [`GET /v1/plans/${ID}/events`],
  [`GET /v1/plans/${ID}/trace`],
  [`GET /v1/plans/${ID}/submission`],
  [`GET /v1/plans/${ID}/continuity.md`],
  [`GET /v1/plans/${ID}/artifacts`],
  [`GET /v1/plans/${ID}/artifacts/a.txt`],
  [`GET /v1/plans/${planId}/artifacts/a.txt`],
  [`GET /v1/plans/${planId}/artifacts/`],
  [`POST /v1/plans/${ID}/cancel`],
  [`POST /v1/plans/${ID}/pause`],
  [`POST /v1/plans/${ID}/resume`],
  [`POST /v1/plans/${ID}/rerun`],
  [`POST /v1/plans/${planId}/cancel`],
  [`POST /v1/plans/${planId}/pause`],
  [`POST /v1/plans/${planId}/resume`],
  [`POST /v1/plans/${planId}/approvals/${"y".repeat(129)}`, { body: { decision: "approve" } }],
  [`POST /v1/plans/${planId}/approvals/none`, { body: { decision: "approve" } }],
  ["GET /v1/dead-letters/none"],
  ["POST /v1/dead-letters/none/redrive"],
  ["DELETE /v1/dead-letters/none"],
  ["GET /v1/nothing"],
  ["PUT /v1/plans"],
  ["GET /v1/ws"],

  // Queries.
  [`GET /v1/plans/${planId}?seq=0`],
  [`GET /v1/plans/${planId}?seq=x`],
  [`GET /v1/plans/${planId}?seq=1.5`],
  [`GET /v1/plans/${planId}?seq=99999`],
  [`GET /v1/plans/${planId}?at=1`],
  [`GET /v1/plans/${planId}/events?after=-1`],
  [`GET /v1/plans/${planId}/events?after=x`],
  [`GET /v1/plans/${planId}/events?limit=0`],
  [`GET /v1/plans/${planId}/events?limit=10001`],
  [`GET /v1/plans/${planId}/events?after=1&after=2`],
  ["GET /v1/plans?status=odd"],
  ["GET /v1/plans?strategy=auto"],
  ["GET /v1/plans?since=yesterday"],
  ["GET /v1/plans?needs=time"],
  ["GET /v1/plans?parent=a.b"],
  [`GET /v1/plans?q=${"z".repeat(501)}`],
  ["GET /v1/plans?limit=0"],
  ["GET /v1/plans?limit=201"],
  ["GET /v1/plans?limit=many&status=odd"],
  ["GET /v1/plans?cursor=none"],
  [`GET /v1/plans?cursor=${"z".repeat(301)}`],
  ["GET /v1/plans?sort=price"],
  ["GET /v1/plans?order=up"],
  ["GET /v1/plans/counts"],
  ["GET /v1/plans/counts?of=status%3Dodd"],
  [`GET /v1/plans/counts?of=${"z".repeat(1_001)}`],
  [`GET /v1/plans/counts?${"of=&".repeat(41)}`],
  ["GET /v1/approvals?limit=0"],
  ["GET /v1/approvals?limit=x"],
  ["GET /v1/metrics?from=x"],
  ["GET /v1/metrics?period=month"],
  ["GET /v1/metrics?strategy=auto"],
  ["GET /v1/metrics?since=2026-01-01"],
  ["GET /v1/metrics?from=2026-01-02&to=2026-01-01"],
  ["GET /v1/dead-letters?limit=0"],
  ["GET /v1/dead-letters?limit=x"],
  ["GET /v1/dead-letters?cursor=x"],
  [`GET /v1/dead-letters?cursor=${"1".repeat(33)}`],
  [`GET /v1/dead-letters?group=${"g".repeat(65)}`],
  [`GET /v1/dead-letters?planId=${"p".repeat(129)}`],

  // Headers.
  ["POST /v1/plans", { body: { goal: "g" }, headers: { "idempotency-key": "a b" } }],
  ["POST /v1/plans", { body: { goal: "g" }, headers: { "idempotency-key": "k".repeat(256) } }],
  [`POST /v1/plans/${planId}/rerun`, { body: {}, headers: { "idempotency-key": "a b" } }],
  [`POST /v1/plans/${planId}/fork`, { body: { fromStep: "a" }, headers: { "idempotency-key": "a b" } }],
  [`GET /v1/plans/${planId}/events`, { headers: { "last-event-id": "x" } }],
  [`GET /v1/plans/${planId}/events`, { headers: { "last-event-id": "-1" } }],

  // Bodies.
  ["POST /v1/plans"],
  ["POST /v1/plans", { body: "" }],
  ["POST /v1/plans", { body: "{" }],
  ["POST /v1/plans", { body: "null" }],
  ["POST /v1/plans", { body: [] }],
  ["POST /v1/plans", { body: {} }],
  ["POST /v1/plans", { body: { goal: " " } }],
  ["POST /v1/plans", { body: { goal: 1, gaol: 2, maxReplans: 1.5 } }],
  ["POST /v1/plans", { body: { goal: "g", data: ["1"] } }],
  ["POST /v1/plans", { body: { goal: "g", data: ["nowhere"] } }],
  ["POST /v1/plans", { body: { goal: "g", tools: ["a b"] } }],
  ["POST /v1/plans", { body: { goal: "g", tools: ["no.tool"] } }],
  ["POST /v1/plans", { body: { goal: "g", metadata: { a: "\0" } } }],
  ["POST /v1/plans", { body: '{"goal":"g","metadata":{"__proto__":1}}' }],
  ["POST /v1/plans", { body: { goal: "g", plan: { steps: [] } } }],
  ["POST /v1/plans", { body: { goal: "g", plan: { steps: [{ id: "a", tool: "flow.eco" }] } } }],
  ["POST /v1/plans", { body: { goal: "g", startAt: "2999-01-01T00:00:00Z" } }],
  ["POST /v1/plans", { body: { goal: "g", strategy: "summarize" } }],
  ["POST /v1/plans", { body: { goal: "g", budget: { tokens: -1 } } }],
  ["POST /v1/plans", { body: { goal: "g", approval: { risk: "all" } } }],
  ["POST /v1/plans/preview"],
  ["POST /v1/plans/preview", { body: { goal: 1 } }],
  ["POST /v1/plans/preview", { body: { goal: "g", plan: { steps: [] } } }],
  ["POST /v1/plans/check"],
  ["POST /v1/plans/check", { body: {} }],
  ["POST /v1/plans/check", { body: [] }],
  [`POST /v1/plans/${planId}/cancel`, { body: { reason: " " } }],
  [`POST /v1/plans/${planId}/cancel`, { body: { reason: LONG } }],
  [`POST /v1/plans/${planId}/cancel`, { body: { why: "x" } }],
  [`POST /v1/plans/${planId}/cancel`, { body: [] }],
  [`POST /v1/plans/${planId}/cancel`, { body: "null" }],
  [`POST /v1/plans/${planId}/pause`, { body: { why: "x" } }],
  [`POST /v1/plans/${planId}/pause`, { body: "1" }],
  [`POST /v1/plans/${planId}/resume`, { body: { reason: "x" } }],
  [`POST /v1/plans/${planId}/resume`, { body: "true" }],
  [`POST /v1/plans/${planId}/rerun`, { body: { goal: "x" } }],
  [`POST /v1/plans/${planId}/rerun`, { body: { edits: { gaol: "x" } } }],
  [`POST /v1/plans/${planId}/rerun`, { body: { edits: { goal: 1 } } }],
  [`POST /v1/plans/${planId}/rerun`, { body: { edits: { goal: null } } }],
  [`POST /v1/plans/${planId}/rerun`, { body: { edits: { plan: { steps: [] } } } }],
  [`POST /v1/plans/${planId}/rerun`, { body: [] }],
  [`POST /v1/plans/${planId}/fork`],
  [`POST /v1/plans/${planId}/fork`, { body: {} }],
  [`POST /v1/plans/${planId}/fork`, { body: { fromStep: "a.b" } }],
  [`POST /v1/plans/${planId}/fork`, { body: { fromStep: "z" } }],
  [`POST /v1/plans/${planId}/fork`, { body: { fromStep: "a", edits: [] } }],
  [`POST /v1/plans/${planId}/feedback`],
  [`POST /v1/plans/${planId}/feedback`, { body: {} }],
  [`POST /v1/plans/${planId}/feedback`, { body: { rating: 6 } }],
  [`POST /v1/plans/${planId}/feedback`, { body: { rating: 3, comment: " " } }],
  [`POST /v1/plans/${planId}/feedback`, { body: { rating: 3, by: 1 } }],
  [`POST /v1/plans/${planId}/approvals/none`],
  [`POST /v1/plans/${planId}/approvals/none`, { body: {} }],
  [`POST /v1/plans/${planId}/approvals/none`, { body: { decision: "maybe" } }],
  [`POST /v1/plans/${planId}/approvals/none`, { body: { decision: "approve", edits: 1, reason: "" } }],
  ["POST /v1/dead-letters/redrive"],
  ["POST /v1/dead-letters/redrive", { body: {} }],
  ["POST /v1/dead-letters/redrive", { body: { all: false } }],
  ["POST /v1/dead-letters/redrive", { body: { group: "g", all: true } }],
  ["POST /v1/dead-letters/discard", { body: { group: 1 } }],
  ["POST /v1/data"],
  ["POST /v1/data", { body: {} }],
  ["POST /v1/data", { body: { name: "1", fromConfig: "x" } }],
  ["POST /v1/data", { body: { name: "a", fromConfig: "" } }],
  ["POST /v1/data", { body: { name: "a", fromConfig: "none" } }],
  ["POST /v1/data", { body: "a,b\n", headers: { "content-type": "text/csv" } }],
  ["POST /v1/data?name=1", { body: "a,b\n", headers: { "content-type": "text/csv" } }],
  ["POST /v1/data?name=a", { body: "", headers: { "content-type": "text/csv" } }],
  ["POST /v1/data?name=a", { body: "# A guide\n", headers: { "content-type": "text/markdown" } }],
  ["POST /v1/data?name=a", { body: "a,b\n", headers: { "content-type": "application/vnd.sqlite3" } }],
  ["POST /otlp/v1/traces", { body: "{}", headers: { "content-type": "text/plain" } }],
  ["POST /otlp/v1/traces", { body: "{", headers: { "content-type": "application/json" } }],
];

const MESSAGES: readonly unknown[] = [
  {},
  [],
  "{",
  { id: 1 },
  { id: 1, type: "shout" },
  { id: 1, type: "submit" },
  { id: 1, type: "submit", body: {} },
  { id: 1, type: "submit", body: { goal: "g" }, idempotencyKey: "a b" },
  { id: 1, type: "watch" },
  { id: 1, type: "watch", planId: ID },
  { id: 1, type: "watch", planId: ID, after: -1 },
  { id: 1, type: "watch", planId: ID, as: "film" },
  { id: 1, type: "unwatch", planId: 1 },
  { id: 1, type: "cancel", planId: ID, reason: "" },
  { id: 1, type: "pause", planId: ID },
  { id: 1, type: "resume", planId: ID, reason: "x" },
  { id: 1, type: "approve", planId: ID },
  { id: 1, type: "approve", planId: planId, approvalId: "none" },
  { id: 1, type: "answer", planId: planId, approvalId: "none" },
  { id: { a: 1 }, type: "watch", planId: ID },
  { id: 1, type: "watch", planId: ID, more: 1 },
];

it("words every refusal of a request, and of a message, as clients know it", async () => {
  await expect.poll(async () => (await gateway.get(`/v1/plans/${planId}`)).text()).toContain('"ended":true');
  const refusals: string[] = [];
  for (const [call, sent = {}] of REQUESTS) {
    const problem = await refusalOf(call, sent);
    refusals.push(`${call}${sent.body === undefined ? "" : ` ${shown(sent)}`}`, `  ${problem}`);
  }
  for (const message of MESSAGES) {
    const heard = socket.told.length;
    socket.say(typeof message === "string" ? message : JSON.stringify(message));
    await expect.poll(() => socket.told.length).toBe(heard + 1);
    refusals.push(`message ${JSON.stringify(message)}`, `  ${JSON.stringify(socket.told.at(-1))}`);
  }
  await expect(`${refusals.join("\n")}\n`).toMatchFileSnapshot(GOLDEN);
});

async function refusalOf(call: string, { body, headers = {} }: Sent): Promise<string> {
  const [method = "", path = ""] = call.split(" ");
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type = text === undefined ? {} : { "content-type": "application/json" };
  const init = { method, headers: { ...type, ...headers } };
  // As bytes, so that only these headers declare the type.
  const sent = text === undefined ? {} : { body: new TextEncoder().encode(text) };
  const response = await fetch(gateway.url + path, { ...init, ...sent });
  expect([call, response.headers.get("content-type")]).toEqual([
    call,
    "application/problem+json; charset=utf-8",
  ]);
  return response.text();
}

function shown({ body, headers }: Sent): string {
  return JSON.stringify(headers === undefined ? { body } : { headers, body }).replaceAll(LONG, "LONG");
}
