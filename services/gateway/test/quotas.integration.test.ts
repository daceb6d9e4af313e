// Quotas of tenants and keys, through every call that starts a plan; the test plays the other services.
import { PlanEvent } from "@planwright/plan";
import { echo } from "@planwright/testkit";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMcp } from "./support/connect-mcp.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { started, store, succeeded, wholeRun } from "./support/facts.ts";
import { startSystem, type TestGateway, type TestSystem } from "./support/start-gateway.ts";

const DAY_S = 86_400;
const KEYS =
  "acme/ann:ann-key,acme/bob:bob-key,single:single-key,busy:busy-key,spending:spending-key,free:free-key,free/batch:batch-key";
const POLICY = {
  quotas: { openPlans: 3 },
  quotasPerKey: { openPlans: 2 },
  tenants: {
    single: { quotas: { openPlans: 1 }, quotasPerKey: {} },
    busy: { quotas: { submissionsPerMinute: 2 }, quotasPerKey: {} },
    spending: { quotas: { tokensPerDay: 100, usdPerMonth: 50 }, quotasPerKey: {} },
    free: { quotas: {}, quotasPerKey: {}, maxPriority: { "free/batch": "low", "*": "normal" } },
  },
};
const ONE = { goal: "one step", plan: { steps: [echo("a")], answerFrom: "a" } };
const as = (who: string, key?: string) => ({
  authorization: `Bearer ${who}-key`,
  ...(key === undefined ? {} : { "idempotency-key": key }),
});

type Refusal = { readonly code: string; readonly detail: string; readonly retryAfterSeconds: number };

let system: TestSystem;
let gateway: TestGateway;
let policy: string;

const open = (folder: string) =>
  system.gateway({ folder, env: { PLANWRIGHT_API_KEYS: KEYS, PLANWRIGHT_POLICY: policy } });

beforeAll(async () => {
  system = await startSystem();
  policy = path.join(system.folder, "policy.json");
  await writeFile(policy, JSON.stringify(POLICY));
  gateway = await open("quotas");
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

const submit = (who: string, key?: string) => gateway.post("/v1/plans", ONE, as(who, key));

/** The previous plan has ended; the gateway learns of it a moment later. */
async function untilAccepted(who: string): Promise<Response> {
  let answer: Response | undefined;
  await expect
    .poll(async () => {
      answer = await submit(who);
      return answer.status;
    })
    .toBe(202);
  return answer ?? Promise.reject(new Error("no answer"));
}

async function accepted(response: Promise<Response>): Promise<string> {
  const answer = await response;
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { planId: string }).planId;
}

async function refused(response: Response | Promise<Response>): Promise<Refusal> {
  const answer = await response;
  const refusal = (await answer.json()) as Refusal;
  expect([answer.status, refusal.code]).toEqual([429, "quota_reached"]);
  expect(answer.headers.get("retry-after")).toBe(String(refusal.retryAfterSeconds));
  return refusal;
}

const quotas = async (who: string, of = gateway) =>
  ((await (await of.get("/v1/quotas", as(who))).json()) as { quotas: object[] }).quotas;

it("limits the open plans of a key and of its tenant, until one ends", async () => {
  const answers = await Promise.all(["1", "2", "3", "4"].map((key) => submit("ann", key)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    202, 202, 429, 429,
  ]);
  expect(await refused(submit("ann"))).toMatchObject({
    detail: expect.stringMatching(
      /^the quota of the key acme\/ann is reached: 2 of 2 open plans; nothing was stored/,
    ) as string,
    retryAfterSeconds: 5,
  });
  await accepted(submit("bob"));
  expect((await refused(submit("bob"))).detail).toContain("the tenant acme is reached: 3 of 3 open plans");
  await accepted(submit("free"));
  expect(await quotas("bob")).toEqual([
    { of: "tenant", name: "openPlans", limit: 3, used: 3 },
    { of: "key", name: "openPlans", limit: 2, used: 1 },
  ]);
  expect(await quotas("free")).toEqual([]);

  // Accepted plans stay accepted, and free their place when they end.
  const first = answers.findIndex(({ status }) => status === 202);
  const planId = await accepted(submit("ann", String(first + 1)));
  await store(system.bus, wholeRun(planId, ["a"]));
  await accepted(untilAccepted("ann"));
  await refused(submit("bob"));
});

it("applies to forks and re-runs as well", async () => {
  const origin = await accepted(submit("single", "origin"));
  await store(system.bus, wholeRun(origin, ["a"]));
  await accepted(untilAccepted("single"));
  const [rerun, fork] = [`/v1/plans/${origin}/rerun`, `/v1/plans/${origin}/fork`];
  const again = await refused(gateway.post(rerun, {}, as("single")));
  const forked = await refused(gateway.post(fork, { fromStep: "a" }, as("single")));
  for (const { detail } of [again, forked]) expect(detail).toContain("1 of 1 open plans");
});

it("limits the submissions per minute", async () => {
  // Two per clock minute, which may end in between.
  const answers = [];
  for (let count = 0; count < 5; count += 1) answers.push(await submit("busy"));
  const refusal = answers.find(({ status }) => status === 429);
  const { detail, retryAfterSeconds } = await refused(
    refusal ?? Promise.reject(new Error("none was refused")),
  );
  expect(detail).toContain("2 of 2 submissions a minute");
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
});

describe("model usage", () => {
  /** Records that the step's model has just used this many tokens. */
  async function use(planId: string, tokens: number, costUsd: number): Promise<void> {
    const usage = { modelCalls: 1, inputTokens: tokens - 10, outputTokens: 10, costUsd };
    const told = succeeded(planId, "a");
    const at = new Date().toISOString();
    const fact = PlanEvent.parse({ ...told, at, data: { ...told.data, usage } });
    await store(system.bus, [started(planId, "a"), fact]);
  }

  it("is limited by day and month, even after a restart and for previews, without ending running plans", async () => {
    const running = await accepted(submit("spending", "running"));
    await use(running, 60, 1.5);
    await expect
      .poll(() => quotas("spending"))
      .toMatchObject([
        { name: "tokensPerDay", used: 60, limit: 100 },
        { name: "usdPerMonth", used: 1.5, limit: 50 },
      ]);
    const second = await accepted(submit("spending", "second"));
    await use(second, 40, 0.5);
    await expect.poll(async () => (await submit("spending")).status).toBe(429);
    const refusal = await refused(submit("spending"));
    expect(refusal.detail).toContain("100 of 100 tokens a day");
    expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(DAY_S);

    await gateway[Symbol.asyncDispose]();
    gateway = await open("quotas");
    await expect.poll(() => quotas("spending")).toMatchObject([{ used: 100 }, { used: 2 }]);
    await refused(submit("spending"));
    const draft = { goal: "what may be done?" };
    await refused(gateway.post("/v1/plans/preview", draft, as("spending")));
    expect((await gateway.post("/v1/plans/preview", ONE, as("spending"))).status).toBe(200);
    expect(await accepted(submit("spending", "running"))).toBe(running);
  });

  it("is refused over the WebSocket and over MCP with the same text", async () => {
    await using socket = await connectSocket(gateway.url, { headers: as("spending") });
    socket.say({ id: "1", type: "submit", body: ONE });
    expect(await socket.hear((message) => message["id"] === "1")).toMatchObject({
      type: "error",
      code: "quota_reached",
      retryAfterSeconds: expect.any(Number) as number,
    });
    await using mcp = await connectMcp(gateway.url, "spending-key");
    const answer = mcp.call("plan_submit", { goal: "one step", plan: ONE.plan });
    await expect(answer).rejects.toThrow(/100 of 100 tokens a day/);
  });

  it("still counts when the plan is deleted, and refusals are counted", async () => {
    const planId = await accepted(submit("spending", "running"));
    await gateway.post(`/v1/plans/${planId}/cancel`, {}, as("spending"));
    await gateway.delete(`/v1/plans/${planId}`, as("spending"));
    expect(await quotas("spending")).toMatchObject([{ used: 100 }, { used: 2 }]);
    await refused(submit("spending"));
    const metrics = await (await gateway.get("/metrics", as("free"))).text();
    expect(metrics).toMatch(/^planwright_quota_refusals_total\{quota="tokensPerDay"\} [1-9]/m);
  });
});

describe("the priority of a plan", () => {
  const submitAs = (who: string, priority?: string) =>
    gateway.post("/v1/plans", { ...ONE, ...(priority === undefined ? {} : { priority }) }, as(who));
  const priorityOf = async (answer: Response): Promise<unknown> => {
    const { planId } = (await answer.json()) as { planId: string };
    const view = await gateway.get(`/v1/plans/${planId}`, as("free"));
    return ((await view.json()) as { priority?: string }).priority;
  };

  it("is the maximum of the key, when the submission has none", async () => {
    expect(await priorityOf(await submitAs("batch"))).toBe("low");
    expect(await priorityOf(await submitAs("free"))).toBeUndefined();
    expect(await priorityOf(await submitAs("free", "low"))).toBe("low");
  });

  it("is refused above that, with the allowed value", async () => {
    const refused = await submitAs("batch", "high");
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: "denied_by_policy",
      detail: "priority: the policy allows free/batch plans max low, got high",
    });
    expect((await submitAs("free", "high")).status).toBe(403);
    expect((await submitAs("free", "urgent")).status).toBe(400);
  });
});
