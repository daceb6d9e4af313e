// Large plans, large outputs, steps that fail for good, and a model that is not there.
import { echo, judgementText } from "@planwright/testkit";
import { expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem();

it("reports what is missing when a step fails permanently, and keeps the results of the others", async () => {
  shared.model.play({
    judgement: () => judgementText({ text: "The quick one found 7.", sources: ["quick"] }),
  });
  const slow = {
    id: "slow",
    tool: "flow.wait",
    args: { ms: 5_000 },
    timeoutMs: 100,
    retry: { maxAttempts: 2, backoffMs: 50 },
  };
  const steps = [
    echo("quick", { value: 7 }),
    slow,
    echo("after", { value: 1, dependsOn: ["slow"] }),
    echo("other", { value: 2 }),
  ];
  const { planId } = await shared.system.client.submit({ goal: "partly", plan: { steps }, maxReplans: 0 });
  const view = await shared.system.client.ended(planId);
  expect(view.steps.map(({ id, status, attempt }) => [id, status, attempt])).toEqual([
    ["quick", "succeeded", 1],
    ["slow", "failed", 2],
    ["after", "skipped", 0],
    ["other", "succeeded", 1],
  ]);
  expect(view.steps[1]).toMatchObject({ error: { code: "timeout" }, failedAttempts: [{ attempt: 1 }] });
  expect(view.answer?.status).toBe("partial");
  expect(view.answer?.text).toContain("The quick one found 7.");
  expect(view.answer?.text).toContain("slow");
});

it("ends a plan with the reason when no model can be reached", async () => {
  shared.model.play({
    plan: { status: 401, body: { error: { message: "bad key" } } },
  });
  const { planId } = await shared.system.client.submit({ goal: "needs a model and a plan for its tools" });
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({ status: "failed", answer: { status: "failed" } });
  expect(view.answer?.text).toMatch(/could not be planned.*401|bad key/);
});

it.concurrent("answers with the results of the steps and the reason, when the model's server refuses the synthesis", async () => {
  const refused = { status: 401, body: { error: { message: "no such key" } } };
  shared.model.play({ judgement: refused });
  const steps = [echo("a", { value: "first part" }), echo("b", { value: "second part" })];
  const { planId } = await shared.system.client.submit({ goal: "put together", plan: { steps } });
  const { status, answer } = await shared.system.client.ended(planId);
  expect([status, answer?.status, answer?.sources]).toEqual(["partial", "partial", ["a", "b"]]);
  expect(answer?.text).toMatch(/No model reviewed these results: .*401/);
  for (const part of ["first part", "second part"]) expect(answer?.text).toContain(part);
});

it.concurrent("runs a plan of 1,000 steps, wide and then deep", async () => {
  const wide = Array.from({ length: 899 }, (_, index) => echo(`w${index}`, { value: index }));
  const deep = Array.from({ length: 100 }, (_, index) =>
    echo(`d${index}`, { value: index, dependsOn: [index === 0 ? "w0" : `d${index - 1}`] }),
  );
  const join = echo("join", { value: "all", dependsOn: [...wide.map(({ id }) => id), "d99"] });
  const { planId } = await shared.system.client.submit({
    goal: "many",
    plan: { steps: [...wide, ...deep, join] },
  });
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", progress: { done: 1_000, total: 1_000, percent: 100 } });
  expect(view.steps.every(({ status }) => status === "succeeded")).toBe(true);
});

it.concurrent("keeps a large output as an artifact that later steps refer into", async () => {
  const rows = Array.from({ length: 4_000 }, (_, index) => ({ index, text: `row number ${index}` }));
  const steps = [
    echo("large", { value: { rows } }),
    echo("one", { value: { $ref: "large.output.rows[3999].text" } }),
    echo("text", { value: "found: {{large.output.rows[7].text}}" }),
    { id: "both", tool: "flow.echo", args: { value: [{ $ref: "one.output" }, { $ref: "text.output" }] } },
  ];
  const { planId } = await shared.system.client.submit({
    goal: "large",
    plan: { steps, answerFrom: "both" },
  });
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    answer: { data: ["row number 3999", "found: row number 7"] },
  });
  const output = view.steps[0]?.output;
  if (output === undefined || !("artifact" in output)) throw new Error("the large output is not an artifact");
  const response = await shared.system.client.fetch(
    `/v1/plans/${planId}/artifacts/${encodeURIComponent(output.artifact.name)}`,
  );
  expect(await response.json()).toEqual({ rows });
});

it.concurrent("does not let one plan disturb another", async () => {
  const plans = Array.from({ length: 20 }, (_, index) => [
    echo("a", { value: index }),
    { id: "b", tool: "flow.echo", args: { value: { $ref: "a.output" } } },
  ]);
  const views = await Promise.all(
    plans.map(async (steps, index) => {
      const { planId } = await shared.system.client.submit({ goal: `plan ${index}`, plan: { steps } });
      return shared.system.client.ended(planId);
    }),
  );
  expect(views.map(({ answer }) => answer?.data)).toEqual(plans.map((_, index) => index));
});
