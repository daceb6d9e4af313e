// Metrics over plans with different strategies and outcomes. The expected values were counted by hand from the events.
import { BARE_GOAL } from "@planwright/plan/testing";
import { type PlanEvent, PlanId } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { createPublish } from "@planwright/shared/bus";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ended, fact, started, store, succeeded, wholeRun } from "./support/facts.ts";
import { readEvents } from "./support/read-events.ts";
import { startSystem, type TestGateway, TWO_STEPS } from "./support/start-gateway.ts";

const KEYS = { PLANWRIGHT_API_KEYS: "ann:key-a,bob:key-b" };
const system = await startSystem();
const gateway = await system.gateway({ folder: "kpis", env: KEYS });
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});

const as = (name: string) => ({ authorization: `Bearer key-${name}` });
const ann = as("a");
const bob = as("b");
const USAGE = { modelCalls: 2, inputTokens: 100, outputTokens: 20, costUsd: 0.25 };
const SUBMITTED_AT = "2026-01-05T10:00:00.000Z";
const later = (ms: number, event: PlanEvent): PlanEvent => ({
  ...event,
  at: new Date(Date.parse(SUBMITTED_AT) + ms).toISOString(),
});

type Told = { readonly all: Record<string, unknown>; readonly byStrategy: readonly { strategy: string }[] };

async function kpis(from: TestGateway, query = "", headers = ann): Promise<Told> {
  return (await (await from.get(`/v1/metrics${query}`, headers)).json()) as Told;
}

/** Stores a plan as its gateway would have at that time: with the real clock, its metrics would differ on each run. */
async function goal(planId: string, tenant: string, more: object = {}): Promise<void> {
  const data = {
    ...BARE_GOAL,
    goal: `goal of ${planId}`,
    tenant,
    ...more,
  };
  await store(system.bus, [later(0, fact(planId, "goal.submitted", data))]);
}

const plan = TWO_STEPS.plan;
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };
const grants = { "flow.echo": grant };
const draft = (planId: string, strategy: string) => [
  fact(planId, "draft.started", {
    draft: 1,
    strategy,
    strategyReason: "r",
    workerId: "w",
    seen: 1,
    tools: [],
  }),
  fact(planId, "step.planned", { draft: 1, index: 0, step: plan.steps[0], grant }),
  later(400, fact(planId, "plan.sealed", { draft: 1, steps: 1, answerFrom: "a", usage: USAGE })),
];
const feedback = (planId: string, number: number, rating: number) =>
  fact(planId, "feedback.given", { number, rating, by: "ann" }, `${planId}/feedback/${number}`);

/**
 * Ann's plans: one predefined, one that `auto` made parallel, one that failed, one that was cancelled. Bob's plans: one that
 * succeeded, one that is partial, one that was refused.
 */
async function tellAll(): Promise<void> {
  await goal("whole", "ann", { plan, grants });
  await store(system.bus, [
    ...wholeRun("whole", ["a", "b"]).slice(0, -1),
    later(1_000, ended("whole")),
    feedback("whole", 1, 2),
    feedback("whole", 2, 5),
  ]);
  await goal("drafted", "ann");
  await store(system.bus, [
    ...draft("drafted", "parallel"),
    started("drafted", "a"),
    succeeded("drafted", "a"),
    answered("drafted"),
    later(2_000, ended("drafted")),
  ]);
  await goal("broken", "ann", { strategy: "sequential" });
  const failure = {
    stepId: "a",
    item: 0,
    attempt: 1,
    workerId: "w1",
    startedAt: SUBMITTED_AT,
    durationMs: 5,
    error: { code: "e", message: "boom" },
    retryable: false,
  };
  await store(system.bus, [
    ...draft("broken", "sequential"),
    started("broken", "a"),
    fact("broken", "step.failed", failure),
    fact("broken", "answer.given", {
      join: 1,
      answer: { text: "no", status: "failed", sources: [], artifacts: [] },
      usage: USAGE,
    }),
    later(3_600_000, ended("broken", "failed")),
  ]);
  await goal("dropped", "ann", { plan, grants });
  const asked = { reason: "not needed", by: "ann" };
  await store(system.bus, [
    later(5_000, fact("dropped", "cancel.requested", asked)),
    later(86_400_000, ended("dropped", "cancelled")),
  ]);
  await goal("of-bob", "bob", { plan, grants });
  await store(system.bus, [...wholeRun("of-bob", ["a", "b"]).slice(0, -1), later(9_000, ended("of-bob"))]);
  await goal("lacking", "bob", { plan, grants });
  await store(system.bus, [
    ...wholeRun("lacking", ["a", "b"]).slice(0, -1),
    later(9_000, ended("lacking", "partial")),
  ]);
  await goal("refused", "bob", { plan, grants });
  const refusal = { text: "not here", status: "unsupported_intent", sources: [], artifacts: [] };
  await store(system.bus, [
    ...wholeRun("refused", ["a", "b"]).slice(0, -2),
    fact("refused", "answer.given", { answer: refusal }),
    later(9_000, ended("refused")),
  ]);
  const child = { planId: "whole", stepId: "a", item: 0, attempt: 1, depth: 1 };
  await goal("child", "ann", { plan, grants, parent: child });
  await store(system.bus, [...wholeRun("child", ["a", "b"]).slice(0, -1), later(9_000, ended("child"))]);
  // Each stream ends with its plan, once the gateway has applied that.
  for (const [planId, headers] of [
    ["whole", ann],
    ["child", ann],
    ["of-bob", bob],
    ["lacking", bob],
    ["refused", bob],
  ] as const)
    await readEvents(await gateway.get(`/v1/plans/${planId}/events`, headers));
}
beforeAll(tellAll);

const ALL = {
  plans: 4,
  succeeded: 2,
  partial: 0,
  refused: 0,
  failed: 1,
  cancelled: 1,
  successRate: 2 / 3,
  unaidedRate: 2 / 3,
  timeToCompletionMs: { mean: 1_500, p50: 1_000, p90: 2_000, p95: 2_000, p99: 2_000 },
  // Two of the predefined plan, one that was drafted, one that failed; no step of the cancelled plan ever ran.
  steps: { ended: 4, failed: 1, failureRate: 0.25 },
  replanning: { revisions: 0, perPlan: 0 },
  interventions: { decisions: 0, planEdits: 0, argumentEdits: 0, forks: 0, editsPerPlan: 0 },
  effects: { idempotent: 0, once: 0, perPlan: 0 },
  toolCalls: { made: 4, needed: 4, ratio: 1 },
  // Two drafts of two calls each, and a synthesis of two; the minimum is one call for each draft and one for the synthesis.
  modelCalls: { made: 6, needed: 3, ratio: 2 },
  tokens: { input: 300, output: 60, perPlan: 90 },
  cost: { usd: 0.75, plansUnknown: 0, perPlan: 0.1875 },
  planning: { plans: 2, meanMs: 400, share: 800 / 3_602_000 },
  satisfaction: { rated: 1, mean: 5 },
};

describe("the metrics of a tenant's plans", () => {
  it("match the counts made by hand: in total, by strategy, and of one strategy", async () => {
    const told = await kpis(gateway);
    expect(await (await gateway.get("/v1/kpis", ann)).json()).toEqual({ ...told, to: expect.any(String) });
    expect(told.all).toEqual(ALL);
    expect(told.byStrategy).toEqual([
      expect.objectContaining({ strategy: "parallel", plans: 1, succeeded: 1, successRate: 1 }),
      expect.objectContaining({ strategy: "sequential", plans: 1, failed: 1, successRate: 0 }),
      expect.objectContaining({ strategy: "submitted", plans: 2, cancelled: 1, successRate: 1 }),
    ]);
    const { all, ...rest } = await kpis(gateway, "?strategy=parallel");
    expect(all).toMatchObject({
      plans: 1,
      planning: { meanMs: 400, share: 0.2 },
      modelCalls: { made: 2, needed: 1 },
    });
    expect(rest).toMatchObject({ strategy: "parallel", byStrategy: [{ plans: 1 }] });
  });

  it("include nothing of other tenants", async () => {
    const told = await kpis(gateway, "", bob);
    expect(told.all).toMatchObject({
      plans: 3,
      succeeded: 1,
      partial: 1,
      refused: 1,
      successRate: 0.5,
      timeToCompletionMs: { mean: 9_000 },
      satisfaction: { rated: 0 },
    });
    expect(told.byStrategy).toHaveLength(1);
  });

  it("are reported by tool, those with the most failed steps first", async () => {
    const told = (await kpis(gateway)) as unknown as { byTool: object[] };
    expect(told.byTool).toEqual([
      {
        tool: "flow.echo",
        steps: 4,
        failed: 1,
        failureRate: 0.25,
        retries: 0,
        durationMs: { mean: 5, max: 5 },
      },
    ]);
    const other = (await kpis(gateway, "?strategy=parallel&from=2026-01-05", bob)) as unknown as object;
    expect(other).toMatchObject({ byTool: [], all: { plans: 0 } });
  });

  it("name the slowest single steps, with their plans, on request", async () => {
    const slow = (planId: string, stepId: string, failed = false) => ({
      planId,
      goal: `goal of ${planId}`,
      stepId,
      tool: "flow.echo",
      durationMs: 5,
      failed,
    });
    expect(await kpis(gateway, "?slowest=3")).toMatchObject({
      slowestSteps: [slow("broken", "a", true), slow("drafted", "a"), slow("whole", "a")],
    });
    expect(await kpis(gateway, "?slowest=20&strategy=submitted&to=2026-01-06")).toMatchObject({
      slowestSteps: [slow("whole", "a"), slow("whole", "b")],
    });
    expect(await kpis(gateway, "?slowest=1&from=2027-01-01&to=2027-01-02")).toMatchObject({
      slowestSteps: [],
    });
    expect(await kpis(gateway)).not.toHaveProperty("slowestSteps");
  });

  it("are compared with the preceding period of the same length", async () => {
    const told = await kpis(gateway, "?from=2026-01-05T11:00:00Z&to=2026-01-05T12:00:00Z&compare=previous");
    expect(told).toMatchObject({
      all: { plans: 1, failed: 1 },
      previous: {
        from: "2026-01-05T10:00:00.000Z",
        to: "2026-01-05T11:00:00.000Z",
        plans: 2,
        succeeded: 2,
        successRate: 1,
      },
    });
    expect(await kpis(gateway, "?last=hour&to=2026-01-05T12:00:00Z&compare=previous")).toEqual(told);
    expect(await kpis(gateway)).not.toHaveProperty("previous");
  });

  it("use the periods that fit the plans of the range", async () => {
    const month = await kpis(gateway, "?last=month&to=2026-01-05T11:30:00Z&period=auto");
    expect(month).toMatchObject({
      from: "2025-12-06T11:30:00.000Z",
      period: "ten-minutes",
      all: { plans: 3 },
    });
    const { byPeriod } = month as unknown as { byPeriod: { from: string; plans: number }[] };
    expect(byPeriod[0]?.from).toBe("2026-01-05T09:30:00.000Z");
    expect(byPeriod.map(({ plans }) => plans)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0]);
    expect(await kpis(gateway, "?to=2026-01-05T10:20:00Z&period=auto")).toMatchObject({ period: "minute" });
    expect(await kpis(gateway, "?last=day&to=2020-01-01&period=auto")).toMatchObject({ period: "hour" });
  });

  it("lead to the plans that they count: by their end, outcome and tools", async () => {
    const listed = async (query: string, headers = ann) => {
      const page = (await (await gateway.get(`/v1/plans?${query}`, headers)).json()) as {
        plans: { planId: string }[];
      };
      return page.plans.map(({ planId }) => planId);
    };
    const day = "endedSince=2026-01-05T00:00:00Z&endedBefore=2026-01-06T00:00:00Z&subPlans=none";
    expect(await listed(day)).toEqual(["broken", "drafted", "whole"]);
    expect(await listed(`${day}&outcome=failed`)).toEqual(["broken"]);
    expect(await listed("failedTool=flow.echo")).toEqual(["broken"]);
    expect(await listed(`${day}&tool=flow.echo&outcome=succeeded`)).toEqual(["drafted", "whole"]);
    expect(await listed("tool=flow.echo&endedBefore=2026-01-05T10:00:02Z")).toEqual(["whole"]);
    expect(await listed("tool=http.get")).toEqual([]);
    expect(await listed("outcome=refused", bob)).toEqual(["refused"]);
    expect(await listed("outcome=succeeded", bob)).toEqual(["of-bob"]);
  });

  it("count a plan in the period in which it ended, and list every period of the range, empty ones included", async () => {
    const day = await kpis(gateway, "?from=2026-01-05&to=2026-01-08&period=day");
    const shape = { from: "2026-01-05T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z", period: "day" };
    expect(day).toMatchObject({ ...shape, all: { plans: 4 } });
    expect(day).toMatchObject({
      byPeriod: [
        { from: "2026-01-05T00:00:00.000Z", to: "2026-01-06T00:00:00.000Z", plans: 3, cancelled: 0 },
        { plans: 1, cancelled: 1 },
        { plans: 0, successRate: null, timeToCompletionMs: { p50: null } },
      ],
    });
    const hours = await kpis(
      gateway,
      "?from=2026-01-05T10:30:00%2B01:00&to=2026-01-05T11:00:00Z&period=hour",
    );
    expect(hours).toMatchObject({
      all: { plans: 2 },
      byPeriod: [
        { from: "2026-01-05T09:30:00.000Z", to: "2026-01-05T10:00:00.000Z", plans: 0 },
        { from: "2026-01-05T10:00:00.000Z", to: "2026-01-05T11:00:00.000Z", plans: 2 },
      ],
    });
    // The end of the failed plan is the exclusive end of the range above.
    expect(await kpis(gateway, "?from=2026-01-05T11:00:00Z&to=2026-01-06")).toMatchObject({
      all: { plans: 1 },
    });
    const weeks = (await kpis(gateway, "?period=week")) as unknown as { byPeriod: unknown[] };
    expect(weeks.byPeriod).toHaveLength(26);
    expect(await kpis(gateway, "?from=2027-01-01&to=2027-01-02")).toMatchObject({
      all: { plans: 0 },
      byStrategy: [],
    });
  });

  it.each([
    ["?from=yesterday", "from: wanted a date or a time, such as 2026-01-31"],
    ["?to=2026-02-30", "to: wanted a date or a time"],
    ["?from=2026-01-02&to=2026-01-02", "from: wanted a time before `to`"],
    ["?period=second", "period: "],
    ["?from=2026-01-01&last=day", "last: wanted either `from` or `last`"],
    [
      "?compare=previous",
      "compare: wanted `from` or `last`: otherwise there is no earlier period to compare with",
    ],
    ["?last=year", "last: "],
    [
      "?from=2020-01-01&to=2026-01-01&period=hour",
      "period: wanted at most 1000 periods between from and to, got 52608",
    ],
    ["?strategy=auto", "strategy: "],
    ["?slowest=21", "slowest: "],
    ["?perod=day", "perod"],
  ])("are refused for %s", async (query, message) => {
    const response = await gateway.get(`/v1/metrics${query}`, ann);
    const problem = (await response.json()) as { detail: string };
    expect(problem).toMatchObject({ status: 400, code: "invalid_request" });
    expect(problem.detail).toContain(message);
  });

  it("are reported to Prometheus by strategy and outcome, of all tenants together", async () => {
    const text = await (await gateway.get("/metrics", ann)).text();
    const lines = text.split("\n").filter((line) => line.includes("strategy="));
    expect(lines).toEqual(
      expect.arrayContaining([
        'planwright_plans_ended_total{strategy="submitted",outcome="succeeded"} 2',
        'planwright_plans_ended_total{strategy="submitted",outcome="partial"} 1',
        'planwright_plans_ended_total{strategy="submitted",outcome="refused"} 1',
        'planwright_plans_ended_total{strategy="submitted",outcome="cancelled"} 1',
        'planwright_plan_completion_seconds_bucket{strategy="submitted",le="1"} 1',
        'planwright_plan_completion_seconds_bucket{strategy="submitted",le="10"} 2',
        'planwright_plan_completion_seconds_bucket{strategy="submitted",le="+Inf"} 2',
        'planwright_plan_completion_seconds_sum{strategy="submitted"} 10',
        'planwright_plan_completion_seconds_count{strategy="submitted"} 2',
        'planwright_plan_steps_failed_total{strategy="sequential"} 1',
        'planwright_planning_seconds_total{strategy="parallel"} 0.4',
        'planwright_planned_seconds_total{strategy="parallel"} 2',
        'planwright_model_calls_total{strategy="sequential"} 4',
        'planwright_model_calls_needed_total{strategy="sequential"} 2',
        'planwright_tokens_total{strategy="parallel",kind="input"} 100',
        'planwright_human_edits_total{strategy="parallel",kind="arguments"} 0',
        'planwright_cost_usd_total{strategy="sequential"} 0.5',
        'planwright_plans_rated{strategy="submitted"} 1',
        'planwright_plan_rating_points{strategy="submitted"} 5',
      ]),
    );
    expect(lines.join("\n")).not.toMatch(/"(?:whole|of-bob|ann|bob)"/);
  });

  it("are the same from a gateway that starts without data, before and after the plans left the log", async () => {
    await using early = await system.gateway({ folder: "early", env: KEYS });
    expect(await kpis(early)).toMatchObject({ all: ALL });
    const deps = {
      bus: system.bus,
      publish: createPublish(system.bus),
      archives: createArchiveStore(system.bus),
      now: () => new Date(),
    };
    const before = await kpis(gateway, "?to=2026-02-01&from=2026-01-01&period=week");
    for (const planId of ["whole", "drafted", "broken", "dropped", "child"])
      await archivePlan(deps, PlanId.parse(planId));
    await using late = await system.gateway({ folder: "late", env: KEYS });
    for (const one of [gateway, early, late]) {
      expect(await kpis(one, "?to=2026-02-01&from=2026-01-01&period=week")).toEqual(before);
    }
    // Feedback given now is stored after the plan's tombstone, and also reaches gateways that never had the plan in memory.
    await store(system.bus, [feedback("whole", 3, 1)]);
    for (const one of [gateway, early, late]) {
      await expect.poll(async () => (await kpis(one)).all["satisfaction"]).toEqual({ rated: 1, mean: 1 });
      const metrics = await (await one.get("/metrics", ann)).text();
      expect(metrics).toContain('planwright_plan_rating_points{strategy="submitted"} 1\n');
      expect(metrics).toContain('planwright_plans_ended_total{strategy="submitted",outcome="succeeded"} 2\n');
    }
  });
});
