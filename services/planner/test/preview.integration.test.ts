// Previews: the plan that a submission would get, without any trace in the log.
import { BARE_GOAL } from "@planwright/plan/testing";
import { STREAMS } from "@planwright/shared/bus";
import { echo, planText } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDraftBench } from "./support/draft-bench.ts";

type Bench = Awaited<ReturnType<typeof startDraftBench>>;

async function preview(bench: Bench, request: string | object): Promise<Record<string, unknown>> {
  const payload =
    typeof request === "string"
      ? request
      : JSON.stringify({ tenant: "t", approval: BARE_GOAL.approval, ...request });
  const message = await bench.bus.connection.request("rpc.plan.preview", payload, { timeout: 60_000 });
  return message.json<Record<string, unknown>>();
}

it("responds with the plan, its strategy and its cost, and stores nothing", async () => {
  const steps = [echo("s1"), echo("s2", { value: { $ref: "s1.output" } })];
  await using bench = await startDraftBench({ plan: planText({ steps, answerFrom: "s2" }) });
  await using _planner = await bench.planner();
  const reply = await preview(bench, { goal: "look at the sales", strategy: "parallel", constraints: [] });
  expect(reply).toMatchObject({
    plan: { steps: [{ id: "s1" }, { id: "s2", args: { value: { $ref: "s1.output" } } }], answerFrom: "s2" },
    issues: [],
    usage: { modelCalls: 1 },
    strategy: "parallel",
  });
  expect((await bench.bus.manager.streams.info(STREAMS.plans)).state.messages).toBe(0);
});

it("repairs a draft once, as a plan would, and then names its faults", async () => {
  const bad = planText({ steps: [{ id: "s1", tool: "no.tool" }] });
  await using bench = await startDraftBench({ plan: [bad, planText({ steps: [echo("s1")] }), bad] });
  await using _planner = await bench.planner();
  const repaired = await preview(bench, { goal: "look" });
  expect(repaired).toMatchObject({ plan: { steps: [{ id: "s1" }] }, issues: [], usage: { modelCalls: 2 } });
  const hopeless = await preview(bench, { goal: "look" });
  expect(hopeless).toMatchObject({ plan: null, issues: [{ stepId: "s1", code: "unknown_tool" }] });
});

it("refuses invalid requests, and reports when the model cannot be used", async () => {
  await using bench = await startDraftBench({ plan: { status: 401 } });
  await using _planner = await bench.planner();
  for (const malformed of ["{", "{}", { goal: "" }, { goal: "x", strategy: "magic" }]) {
    expect(await preview(bench, malformed)).toMatchObject({ plan: null, error: { code: "invalid_request" } });
  }
  expect(await preview(bench, { goal: "look" })).toMatchObject({
    plan: null,
    error: { code: "model_failed" },
  });
});

it("respects the tools that the submission allows", async () => {
  await using bench = await startDraftBench({
    plan: planText({ steps: [{ id: "s1", tool: "docs.search", args: { query: "x" } }] }),
  });
  await using _planner = await bench.planner();
  const reply = await preview(bench, { goal: "look", tools: ["flow.echo"] });
  expect(reply).toMatchObject({ plan: null, issues: [{ code: "unknown_tool" }] });
});
