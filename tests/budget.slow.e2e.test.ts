// Budgets are hard: what the model's own server has counted is never more than the plan was given.
import type { PlanView } from "@planwright/plan";
import {
  echo,
  judgementText,
  planPieces,
  type ScriptedCall,
  type ScriptedModel,
  type TestSystem,
} from "@planwright/testkit";
import { beforeAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";
import { PRICES } from "./support/system-environments.ts";

const TEXT = "word ".repeat(80);
const shared = sharedSystem({ alone: ["executor"] });
let model: ScriptedModel;
let system: TestSystem;

beforeAll(() => {
  ({ model, system } = shared);
  model.play({
    plan: () => planPieces({ steps: [write("a", "one text"), write("b", "another text")] }),
    judgement: () => judgementText({ text: "judged", sources: ["a", "b"] }),
    write: (call) => (call.user.includes("held") ? heldText(call) : TEXT),
  });
});

async function* heldText({ hold }: Pick<ScriptedCall, "hold">): AsyncGenerator<string> {
  yield "word ";
  await hold("held");
  yield TEXT;
}

const write = (id: string, prompt: string) => ({ id, tool: "model.write", args: { prompt } });
const counted = (): number => model.counted.inputTokens + model.counted.outputTokens;
const succeeded = ({ steps }: PlanView): string[] =>
  steps.flatMap(({ id, status }) => (status === "succeeded" ? [id] : []));

it.each([
  ["that is smaller than its prompts have bytes", { tokens: 12_000 }],
  ["of three times what it costs in dollars", { usd: 1.8 }],
])("drafts, runs and reviews a plan within a budget %s", async (_what, budget) => {
  const before = counted();
  const { planId } = await system.client.submit({ goal: "two texts", budget });
  const view = await system.client.ended(planId);
  expect(view.status).toBe("succeeded");
  expect(view.usage.inputTokens + view.usage.outputTokens).toBe(counted() - before);
  expect(succeeded(view)).toEqual(["a", "b"]);
});

it("lets a hundred parallel steps use no more tokens together than they have", async () => {
  const before = counted();
  const steps = Array.from({ length: 100 }, (_, index) => write(`s${index}`, `text ${index}`));
  const { planId } = await system.client.submit({
    goal: "many",
    plan: { steps },
    budget: { tokens: 20_000 },
  });
  const view = await system.client.ended(planId);
  const spent = counted() - before;
  expect(spent).toBeLessThanOrEqual(20_000);
  // What is reserved is given back: far more steps have run than their reserves would suffice for.
  expect(succeeded(view).length).toBeGreaterThan(10);
  expect(succeeded(view).length).toBeLessThan(100);
  expect(view).toMatchObject({
    status: "partial",
    answer: { status: "partial", sources: succeeded(view) },
    budget: { exhausted: "tokens", used: { tokens: spent }, reserved: { tokens: 0 } },
  });
  expect(view.reason).toContain("the budget of 20,000 tokens is exhausted");
  expect(view.answer?.text).toContain("word word");
});

it("counts drafts and reviews, and changes nothing while it suffices", async () => {
  const before = counted();
  const { planId } = await system.client.submit({
    goal: "two texts of it",
    strategy: "parallel",
    budget: { tokens: 500_000, usd: 100, seconds: 600, steps: 10 },
  });
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    answer: { text: "judged" },
    budget: { used: { tokens: counted() - before, steps: 2 }, forfeited: { tokens: 0, usd: 0 } },
  });
  expect(view.budget?.used.usd).toBeCloseTo(view.usage.costUsd ?? Number.NaN, 8);
});

it("ends a plan whose draft it does not pay for, before the model is called", async () => {
  const asked = model.requests.count;
  const { planId } = await system.client.submit({
    goal: "too dear",
    strategy: "parallel",
    budget: { tokens: 900 },
  });
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({
    status: "failed",
    answer: { status: "failed" },
    budget: { exhausted: "tokens" },
  });
  expect(model.requests.count).toBe(asked);
});

it("holds in dollars", async () => {
  const before = { ...model.counted };
  const steps = Array.from({ length: 20 }, (_, index) => write(`s${index}`, `text ${index}`));
  const { planId } = await system.client.submit({ goal: "dear", plan: { steps }, budget: { usd: 0.5 } });
  const view = await system.client.ended(planId);
  const [input, output] = [
    model.counted.inputTokens - before.inputTokens,
    model.counted.outputTokens - before.outputTokens,
  ];
  expect((input * PRICES.inputUsdPerMillion + output * PRICES.outputUsdPerMillion) / 1e6).toBeLessThanOrEqual(
    0.5,
  );
  expect(view).toMatchObject({
    status: "partial",
    answer: { status: "partial" },
    budget: { exhausted: "usd" },
  });
});

it("sends no more steps than it has, and ends in time", async () => {
  const steps = Array.from({ length: 5 }, (_, index) => echo(`s${index}`, { value: index }));
  const few = await system.client.submit({ goal: "few", plan: { steps }, budget: { steps: 3 } });
  const slow = await system.client.submit({
    goal: "slow",
    plan: { steps: [echo("a", { value: 1 }), { id: "b", tool: "flow.wait", args: { ms: 600_000 } }] },
    budget: { seconds: 1 },
  });
  const view = await system.client.ended(few.planId);
  expect(succeeded(view)).toHaveLength(3);
  expect(view).toMatchObject({
    budget: { exhausted: "steps", used: { steps: 3 } },
    answer: { status: "partial" },
  });
  const late = await system.client.ended(slow.planId);
  expect(late).toMatchObject({
    budget: { exhausted: "seconds" },
    answer: { status: "partial", sources: ["a"] },
  });
});

it("requests more, and continues with it", async () => {
  const before = counted();
  const steps = ["a", "b", "c"].map((id) => write(id, `text ${id}`));
  const budget = { tokens: 1_000, onExhausted: "ask" };
  const { planId } = await system.client.submit({ goal: "ask", plan: { steps }, budget });
  const pending = async () =>
    (await system.client.view(planId)).approvals.find(({ status }) => status === "pending");
  await expect.poll(pending).toMatchObject({ approvalId: "budget-1", kind: "budget" });
  const decide = async (body: object) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    return (await system.client.fetch(`/v1/plans/${planId}/approvals/budget-1`, init)).status;
  };
  expect(await decide({ decision: "approve", edits: { tokens: 0 } })).toBe(400);
  expect(await decide({ decision: "approve", edits: { dollars: 5 } })).toBe(400);
  expect(await decide({ decision: "approve", edits: { tokens: 40_000 } })).toBe(200);
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { text: "judged" } });
  expect(view.budget).toMatchObject({ limit: { tokens: 41_000 }, used: { tokens: counted() - before } });
});

it("takes what a worker had that died in a model call as used", async () => {
  const before = counted();
  const steps = [write("a", "held until the worker is dead")];
  const { planId } = await system.client.submit({
    goal: "crash",
    plan: { steps },
    budget: { tokens: 14_000 },
  });
  await model.reached("held");
  await system.kill("executor");
  await system.start("executor");
  model.release("held");
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", steps: [{ attempt: 2, status: "succeeded" }] });
  expect(view.steps[0]?.failedAttempts).toMatchObject([{ error: { code: "allowance_forfeited" } }]);
  const { used, forfeited } = view.budget ?? {};
  expect(forfeited?.tokens).toBeGreaterThan(8_000);
  expect(used?.tokens).toBeLessThanOrEqual(14_000);
  // The dead worker's call was counted by the server, and by no other process.
  expect(counted() - before).toBeGreaterThan((used?.tokens ?? 0) - (forfeited?.tokens ?? 0));
  expect(counted() - before).toBeLessThanOrEqual(used?.tokens ?? 0);
});
