// The past plans that a submission receives: they are stored in the plan's first event, for its planner.
import { PlanId } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { createPublish } from "@planwright/shared/bus";
import { afterAll, describe, expect, it } from "vitest";
import { answered, fact, store, succeeded } from "./support/facts.ts";
import { readEvents } from "./support/read-events.ts";
import { startSystem, type TestGateway, TOOLS, TWO_STEPS } from "./support/start-gateway.ts";

const KEYS = { PLANWRIGHT_API_KEYS: "blue:key-blue,dark-blue:key-dark,other:key-other" };
const system = await startSystem({
  tools: TOOLS.map((tool) => (tool.name === "model.write" ? { ...tool, modelTokens: 4_000 } : tool)),
});
const gateway = await system.gateway({ env: KEYS });
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});

const as = (name: string) => ({ authorization: `Bearer key-${name}` });
const blue = as("blue");

const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };
const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 };
const done = { item: 0, attempt: 1, workerId: "w1", startedAt: "2026-01-01T00:00:00.000Z", durationMs: 5 };

/** The past plans that a submission received. */
async function given(from: TestGateway, body: object, headers = blue): Promise<unknown> {
  const { planId } = await from.submit(body, headers);
  const accept = { accept: "application/json" };
  const page = await (await from.get(`/v1/plans/${planId}/events`, { ...headers, ...accept })).json();
  return (page as { events: { event: { data: { pastPlans?: unknown } } }[] }).events[0]?.event.data.pastPlans;
}

/** Drafts and runs a goal: two searches and a text, the first of which may fail. */
async function ran(goal: string, { headers = blue, fails = false } = {}): Promise<string> {
  const { planId } = await gateway.submit({ goal }, headers);
  const step = (id: string, tool: string, dependsOn: string[] = []) => ({ id, tool, dependsOn });
  const planned = (index: number, one: object) =>
    fact(planId, "step.planned", { draft: 1, index, step: one, grant }, `${planId}/planned/${index}`);
  const steps = [step("s1", "docs.search"), step("s2", "model.write", ["s1"])];
  const error = { code: "not_found", message: "no such page" };
  const reason = "the page is gone";
  const answer = { text: reason, status: "failed", sources: [], artifacts: [] };
  const failing = [
    fact(planId, "step.failed", { ...done, stepId: "s1", error, retryable: false }),
    fact(planId, "step.skipped", { stepIds: ["s2"], because: "s1", reason: "needs s1" }),
    fact(planId, "answer.given", { join: 1, answer, usage }),
  ];
  await store(system.bus, [
    fact(planId, "draft.started", {
      draft: 1,
      strategy: "parallel",
      strategyReason: "r",
      workerId: "w",
      seen: 1,
      tools: [],
    }),
    ...steps.map((one, index) => planned(index, one)),
    fact(planId, "plan.sealed", { draft: 1, steps: 2, answerFrom: "s2", usage }),
    ...(fails ? failing : [succeeded(planId, "s1"), succeeded(planId, "s2"), answered(planId)]),
    fact(planId, "plan.ended", { outcome: fails ? "failed" : "succeeded", reason }),
  ]);
  await readEvents(await gateway.get(`/v1/plans/${planId}/events`, headers));
  return planId;
}

describe("a submission that a model will draft", () => {
  const goal = "Compare the prices of coffee at the harbour shops";
  const HOW = "s1 docs.search; s2 model.write after s1";

  it("receives the most similar past plans, how they were planned, and how they ended", async () => {
    expect(await given(gateway, { goal: "Compare something" })).toBeUndefined();
    const failed = await ran("compare the coffee prices of the harbour shops", { fails: true });
    const rated = await ran("Compare the prices of coffee at the market shops");
    await gateway.post(`/v1/plans/${rated}/feedback`, { rating: 2 }, blue);
    await ran("Write a poem about the sea");
    const told = [
      {
        planId: failed,
        goal: "compare the coffee prices of the harbour shops",
        outcome: "failed",
        how: "s1 docs.search (failed: not_found); s2 model.write after s1",
        note: "the page is gone",
        replans: 0,
        edits: 0,
      },
      {
        planId: rated,
        goal: "Compare the prices of coffee at the market shops",
        outcome: "succeeded",
        how: HOW,
        replans: 0,
        edits: 0,
        rating: 2,
      },
    ];
    expect(await given(gateway, { goal })).toEqual(told);
    expect(await given(gateway, { goal: "poem of a sea, to write about" })).toMatchObject([{ how: HOW }]);

    // Plans that left the log are remembered, even by a gateway that starts without data.
    const deps = {
      bus: system.bus,
      publish: createPublish(system.bus),
      archives: createArchiveStore(system.bus),
      now: () => new Date(),
    };
    for (const planId of [failed, rated]) await archivePlan(deps, PlanId.parse(planId));
    await using fresh = await system.gateway({ folder: "fresh", env: KEYS });
    expect(await given(fresh, { goal })).toEqual(told);
  });

  it("receives nothing of another tenant, whatever their names have in common", async () => {
    for (const headers of [as("dark"), as("other")])
      expect(await given(gateway, { goal }, headers)).toBeUndefined();
    await ran("Count the boats of the northern islands", { headers: as("dark") });
    const boats = { goal: "Count the boats of the northern islands" };
    expect(await given(gateway, boats)).toBeUndefined();
    expect(await given(gateway, boats, as("dark"))).toHaveLength(1);
  });

  it.each([
    { what: "that says so", body: { goal, learn: false } },
    { what: "whose plan is written already", body: { ...TWO_STEPS, goal } },
    { what: "of a single call", body: { goal, strategy: "direct" } },
    { what: "that searches its way", body: { goal, strategy: "tree-search" } },
    { what: "that resembles nothing", body: { goal: "Translate this letter into Finnish" } },
    {
      what: "that shares little",
      body: { goal: "Which harbour is the largest of all harbours in the whole world?" },
    },
    { what: "without words", body: { goal: "…" } },
    { what: "written as a query", body: { goal: '") OR owner : "blue" NOT (a* NEAR' } },
  ])("receives nothing when it is one $what", async ({ body }) => {
    expect(await given(gateway, body)).toBeUndefined();
  });

  it("receives nothing where learning is disabled", async () => {
    await using forgetful = await system.gateway({
      folder: "forgetful",
      env: { ...KEYS, LEARN_FROM_PAST_PLANS: "false" },
    });
    expect(await given(forgetful, { goal, learn: true })).toBeUndefined();
  });

  it("receives at most three past plans, each different from the others", async () => {
    for (let index = 0; index < 3; index++) await ran("Count all the lighthouses along the coast");
    expect(await given(gateway, { goal: "Count all the lighthouses along the coast" })).toHaveLength(1);
  });

  it("is not found by its tenant's name", async () => {
    const list = await (await gateway.get("/v1/plans?q=other", as("other"))).json();
    expect(list).toEqual({ plans: [] });
  });
});

describe("a preview", () => {
  const plan = {
    steps: [
      { id: "a", tool: "flow.echo", args: { value: 1 } },
      { id: "b", tool: "model.write", args: { prompt: "{{a.output}}" } },
    ],
  };
  const running = async (from: TestGateway, headers: Record<string, string>) => {
    const shown = await (await from.post("/v1/plans/preview", { goal: "g", plan }, headers)).json();
    return (shown as { running: object }).running;
  };

  it("predicts the duration from the tenant's own earlier runs, each counted once", async () => {
    const key = { PLANWRIGHT_API_KEYS: "lime:key-lime,grey:key-grey" };
    const one = await system.gateway({ env: key, folder: "estimates" });
    const lime = as("lime");
    expect(await running(one, lime)).toMatchObject({ durationMs: null, costUsd: 0, stepsPriced: 1, runs: 0 });

    // A plan that is still open when the gateway stops: its events are read again.
    const { planId } = await one.submit({ goal: "g", plan }, lime);
    const used = { ...usage, inputTokens: 30, costUsd: 0.25 };
    const wrote = { ...done, stepId: "b", durationMs: 400, usage: used, output: { value: "x" } };
    await store(system.bus, [succeeded(planId, "a"), fact(planId, "step.succeeded", wrote)]);
    const known = {
      durationMs: 405,
      costUsd: 0.25,
      inputTokens: 30,
      outputTokens: 1,
      steps: 2,
      stepsTimed: 2,
      stepsPriced: 2,
      runs: 2,
      answered: true,
    };
    await expect.poll(() => running(one, lime)).toEqual(known);
    expect(await running(one, as("grey"))).toMatchObject({ durationMs: null, runs: 0 });
    await one[Symbol.asyncDispose]();

    await using again = await system.gateway({ env: key, folder: "estimates" });
    expect(await running(again, lime)).toEqual(known);
  });
});
