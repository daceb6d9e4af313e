import { BARE_GOAL } from "@planwright/plan/testing";
import { evolve, type KnownPlan, noPlan, type Plan, PlanEvent, PlanId, viewOf } from "@planwright/plan";
import { applyChanges, type JsonChange } from "@planwright/plan/json-changes";
import { createRedactor, NO_REDACTION } from "@planwright/shared/redaction";
import { expect, it } from "vitest";
import { createViewFeeds, type ViewNews } from "./view-feeds.ts";

const planId = PlanId.parse("p");
const AT = "2026-01-01T00:00:00.000Z";
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };
const RUN = { item: 0, attempt: 1, workerId: "w1" };
const event = (type: PlanEvent["type"], data: object) =>
  PlanEvent.parse({ id: `${type}/${JSON.stringify(data)}`, type, planId, at: AT, data });
const planned = (index: number, id: string) =>
  event("step.planned", { draft: 1, index, step: { id, tool: "flow.echo", dependsOn: [] }, grant: GRANT });
const ran = (stepId: string) => [
  event("step.started", { ...RUN, stepId }),
  event("step.succeeded", {
    ...RUN,
    stepId,
    output: { value: stepId },
    artifacts: [],
    startedAt: AT,
    durationMs: 5,
  }),
];
const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 };
const FACTS = [
  event("goal.submitted", {
    ...BARE_GOAL,
    goal: "compare",
    tenant: "default",
    maxReplans: 0,
    trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: true },
  }),
  event("draft.started", {
    draft: 1,
    strategy: "parallel",
    strategyReason: "",
    workerId: "w1",
    seen: 1,
    tools: [],
  }),
  planned(0, "a"),
  planned(1, "b"),
  event("plan.sealed", { draft: 1, steps: 2, usage }),
  ...ran("a"),
  ...ran("b"),
  event("answer.given", { join: 1, answer: { text: "A", status: "success", sources: ["a"], artifacts: [] } }),
  event("plan.ended", { outcome: "succeeded", reason: "answered" }),
];

/** The plan after each of its events, starting with the first. */
const PLANS = FACTS.reduce<Plan[]>((plans, fact) => [...plans, evolve(plans.at(-1) ?? noPlan, fact)], []).map(
  (plan) => plan as KnownPlan,
);
const at = (seq: number): KnownPlan => {
  const plan = PLANS.find((candidate) => candidate.seq === seq);
  if (plan === undefined) throw new Error(`the plan has no fact ${seq}`);
  return plan;
};

/** Making a view takes `costMs`. */
function stage({ costMs = 0 } = {}) {
  const time = { ms: 0, made: 0 };
  const feeds = createViewFeeds({
    viewOf: async (plan) => {
      time.ms += costMs;
      time.made += 1;
      return viewOf(plan, 0);
    },
    clock: () => time.ms,
    spent: () => time.ms,
  });
  return { feeds, time };
}

/** The final view of a reader that applies the changes. */
function follow(view: unknown, news: readonly ViewNews[]): unknown {
  return news.reduce<unknown>((seen, one) => {
    const value: unknown = JSON.parse(one.json);
    return one.kind === "view" ? value : applyChanges(seen, value as readonly JsonChange[]);
  }, view);
}

it("leads every reader, from any position, to the plan's current view", async () => {
  const { feeds, time } = stage();
  using feed = feeds.join(planId, NO_REDACTION.all);
  for (const [index, plan] of PLANS.entries()) {
    time.ms += 1_000;
    const now = viewOf(plan, 0);
    for (const reader of PLANS.slice(0, index + 1)) {
      const seen = follow(viewOf(reader, 0), await feed.since(reader.seq, plan));
      expect(seen).toEqual(JSON.parse(JSON.stringify(now)));
    }
  }
  expect(time.made).toBe(PLANS.length);
});

it("sends the changes instead of the whole view", async () => {
  const { feeds, time } = stage();
  using feed = feeds.join(planId, NO_REDACTION.all);
  expect(await feed.since(5, at(5))).toEqual([]);
  time.ms += 1_000;
  const [news] = await feed.since(5, at(6));
  expect(news).toMatchObject({ kind: "changes", after: 5, seq: 6 });
  expect(news?.json).toContain('[["steps",0,"workerId"],"w1"]');
  expect(news?.json).not.toContain("flow.echo");
});

it("makes a view once for all simultaneous requests, and no more often than its cost allows", async () => {
  const { feeds, time } = stage({ costMs: 10 });
  using first = feeds.join(planId, NO_REDACTION.all);
  using second = feeds.join(planId, NO_REDACTION.all);
  await Promise.all([first.since(5, at(5)), second.since(5, at(5))]);
  expect(time.made).toBe(1);
  expect(first.waitMs).toBe(40);
  time.ms += 39;
  expect(await first.since(5, at(6))).toEqual([]);
  time.ms += 1;
  expect(first.waitMs).toBe(0);
  expect(await first.since(5, at(7))).toMatchObject([{ after: 5, seq: 7 }]);
  expect(await second.since(5, at(7))).toMatchObject([{ after: 5, seq: 7 }]);
  expect(time.made).toBe(2);
});

it("divides its share of the time among the plans that change", async () => {
  const { feeds, time } = stage({ costMs: 10 });
  const ids = ["p", "q", "r"].map((id) => PlanId.parse(id));
  using busy = new DisposableStack();
  const [first, second, third] = ids.map((id) => busy.use(feeds.join(id, NO_REDACTION.all)));
  await first?.since(5, at(5));
  expect(first?.waitMs).toBe(40);
  await second?.since(5, at(5));
  expect(second?.waitMs).toBe(90);
  await third?.since(5, at(5));
  expect(third?.waitMs).toBe(140);
  // The others are idle by now.
  time.ms += 1_000;
  await first?.since(5, at(6));
  expect(first?.waitMs).toBe(40);
});

it("sends the whole view to a reader that is between two views, or behind the kept changes", async () => {
  const { feeds, time } = stage();
  using feed = feeds.join(planId, NO_REDACTION.all);
  await feed.since(3, at(3));
  time.ms += 1_000;
  expect(await feed.since(4, at(6))).toMatchObject([{ kind: "view", seq: 6 }]);
  expect(await feed.since(0, at(6))).toMatchObject([{ kind: "view", seq: 6 }]);
});

it("leads readers with hidden values from one redacted view to the next, and shares no view with others", async () => {
  const { feeds, time } = stage();
  const find = function* (text: string) {
    for (const { index } of text.matchAll(/compare|A/g)) yield { start: index, end: index + 1 };
  };
  const redactor = createRedactor([{ name: "c", replacement: "[hidden]", find }], { clock: () => 0 });
  using hiding = feeds.join(planId, redactor);
  using showing = feeds.join(planId, NO_REDACTION.all);
  expect(feeds.count).toBe(2);
  let [hidden, shown]: unknown[] = [];
  for (const [index, plan] of PLANS.entries()) {
    time.ms += 1_000;
    hidden = follow(hidden, await hiding.since(index, plan));
    shown = follow(shown, await showing.since(index, plan));
    expect(hidden).toMatchObject({ goal: "[hidden]ompare" });
    expect(shown).toEqual(JSON.parse(JSON.stringify(viewOf(plan, 0))));
  }
  expect(hidden).toMatchObject({ answer: { text: "[hidden]" } });
});

it("forgets a plan with its last reader", () => {
  const { feeds } = stage();
  const [first, second] = [feeds.join(planId, NO_REDACTION.all), feeds.join(planId, NO_REDACTION.all)];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(feeds.count).toBe(1);
  second[Symbol.dispose]();
  expect(feeds.count).toBe(0);
});
