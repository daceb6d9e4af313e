// Drafting with a real nats-server and a scripted model: what the plan's log contains, and when.
import { startTelemetry } from "@planwright/shared/telemetry";
import { echo, planPieces, planText, startOtlpReceiver } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { abandonmentIn, plannedIds, startDraftBench } from "./support/draft-bench.ts";

it("records each step while the model is still writing the next", async () => {
  const steps = [echo("s1"), echo("s2"), echo("s3", { value: { $ref: "s1.output" } })];
  await using bench = await startDraftBench({
    plan: (call) =>
      planPieces({ steps, answerFrom: "s3" }, (id) => (id === "s3" ? call.hold("last") : undefined)),
  });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1", "s2"]);
  await bench.model.reached("last");
  expect((await bench.plan(planId)).steps.get("s2" as never)?.state.status).toBe("running");
  bench.model.release("last");
  const end = await bench.ended(planId);
  expect(end).toMatchObject({ type: "plan.sealed", data: { draft: 1, steps: 3, answerFrom: "s3" } });
  expect(plannedIds(await bench.events(planId))).toEqual(["s1", "s2", "s3"]);
  expect((await bench.plan(planId)).usage).toMatchObject({ modelCalls: 1 });
});

it("plans a step that precedes its dependency as soon as that is planned", async () => {
  const steps = [
    echo("last", { value: { $ref: "mid.output" } }),
    echo("mid", { value: "{{first.output}}" }),
    echo("first"),
  ];
  await using bench = await startDraftBench({ plan: planText({ steps }) });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  expect((await bench.ended(planId)).type).toBe("plan.sealed");
  expect(plannedIds(await bench.events(planId))).toEqual(["first", "mid", "last"]);
});

it("requests one repair with the issues when the draft has faults, then fails", async () => {
  const bad = {
    steps: [
      echo("s1"),
      { id: "s2", tool: "docs.search", args: { query: 5 } },
      echo("s3", { value: { $ref: "s9.output" } }),
    ],
  };
  await using bench = await startDraftBench({ plan: [planText(bad), planText(bad)] });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  const first = abandonmentIn(await bench.ended(planId, 1));
  expect(first).toMatchObject({ cause: "invalid", retryable: true });
  expect(first.issues.map(({ stepId, field }) => [stepId, field])).toEqual([
    ["s2", "args.query"],
    ["s3", "args.value"],
  ]);
  expect(plannedIds(await bench.events(planId))).toEqual(["s1"]);

  await bench.dispatch(planId);
  const second = abandonmentIn(await bench.ended(planId, 2));
  expect(second.cause).toBe("invalid");
  expect(bench.model.count("plan")).toBe(2);
  const [, repeated] = bench.model.calls("plan");
  expect(JSON.stringify(repeated?.request)).toContain("<issues>");
  expect(JSON.stringify(repeated?.request)).toContain("s9.output");
  const plan = await bench.plan(planId);
  expect(plan.conclusion).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("step s2 args.query"),
  });
});

it("requests one repair when a draft has more steps than planSize allows, and states the bounds each time", async () => {
  const few = { steps: [echo("s1"), echo("s2", { value: { $ref: "s1.output" } })] };
  const many = { steps: [...few.steps, echo("s3"), echo("s4")] };
  await using bench = await startDraftBench({ plan: [planText(many), planText(few)] });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1", { planSize: { min: 2, max: 3 } });
  await bench.dispatch(planId);
  expect(abandonmentIn(await bench.ended(planId, 1)).issues).toEqual([
    { code: "too_many_steps", field: "steps", message: "wanted 2 to 3 steps (planSize), got 4" },
  ]);
  await bench.dispatch(planId);
  expect(await bench.ended(planId, 2)).toMatchObject({ type: "plan.sealed", data: { steps: 2 } });
  const sent = bench.model.calls("plan").map(({ request }) => JSON.stringify(request.messages.at(-1)));
  for (const text of sent) expect(text).toContain(String.raw`<plan_size>\n{\"min\":2,\"max\":3}`);
  expect(sent[1]).toContain("wanted 2 to 3 steps (planSize), got 4");
});

it("keeps the finished steps of an abandoned draft, and never uses an id for two contents", async () => {
  await using bench = await startDraftBench({
    plan: [
      (call) =>
        planPieces({ steps: [echo("s1"), echo("s2"), { id: "s3", tool: "no.tool" }] }, (id) =>
          id === "s3" ? call.hold("bad") : undefined,
        ),
      planText({
        steps: [echo("s1", { value: "other" }), echo("s2"), echo("s3", { value: { $ref: "s2.output" } })],
      }),
    ],
  });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1", "s2"]);
  await bench.succeed(planId, "s2", "two");
  bench.model.release("bad");
  await bench.ended(planId, 1);
  await bench.dispatch(planId);
  expect((await bench.ended(planId, 2)).type).toBe("plan.sealed");
  expect(plannedIds(await bench.events(planId), 2)).toEqual(["s1-d2", "s3"]);
  const { steps } = await bench.plan(planId);
  const status = (id: string) => steps.get(id as never)?.state.status;
  expect([status("s1"), status("s1-d2"), status("s2"), status("s3")]).toEqual([
    "cancelled",
    "running",
    "succeeded",
    "running",
  ]);
  const [, second] = bench.model.calls("plan");
  expect(JSON.stringify(second?.request)).toContain("<results>");
});

it("reads a numbered list when the model writes no JSON", async () => {
  const list =
    'Sure:\n1. Look (tool: docs.search, query: "x")\n\n2. Echo (tool: flow.echo, value: "y") [after 1]';
  await using bench = await startDraftBench({ plan: list });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  expect(await bench.ended(planId)).toMatchObject({ type: "plan.sealed", data: { steps: 2 } });
  const { steps } = await bench.plan(planId);
  expect(Array.from(steps.values(), ({ step }) => [step.tool, step.dependsOn])).toEqual([
    ["docs.search", []],
    ["flow.echo", ["s1"]],
  ]);
});

it.each([
  ["an empty plan", planText({ steps: [] }), "no_steps"],
  ["prose", "I would rather talk about the weather.", "malformed"],
  ["a refusal", { refusal: "I cannot plan that" }, "refused"],
  [
    "a reply that is cut off",
    { text: planText({ steps: [echo("s1")] }).slice(0, -20), finishReason: "length" as const },
    "truncated",
  ],
])("treats %s as an invalid draft", async (_name, reply, code) => {
  await using bench = await startDraftBench({ plan: reply });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  const { cause, issues, usage, retryable } = abandonmentIn(await bench.ended(planId));
  expect([cause, retryable, usage.modelCalls]).toEqual(["invalid", true, 1]);
  expect(issues.map((issue) => issue.code)).toEqual([code]);
});

it.each([
  [503, { unavailable: true }],
  [401, {}],
])("ends the plan when the model answers %i, without a further draft", async (status, outage) => {
  await using bench = await startDraftBench({ plan: { status } });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  const abandoned = abandonmentIn(await bench.ended(planId));
  const failed = { cause: "model_failed", retryable: false, usage: { modelCalls: 0 } };
  expect(abandoned).toMatchObject({ ...failed, ...outage });
  expect((await bench.plan(planId)).conclusion?.outcome).toBe("failed");
  expect(bench.model.count("plan")).toBe(1);
});

it("reports the failure of a stream that breaks after its first step, and drops that step", async () => {
  const [head = "", first = ""] = await Array.fromAsync(planPieces({ steps: [echo("s1")] }));
  async function* broken(hold: () => Promise<void>) {
    yield head;
    yield `${first},{"id":`;
    await hold();
  }
  await using bench = await startDraftBench({
    plan: (call) => ({ text: broken(() => call.hold("middle")), split: "pieces", ending: "reset" }),
  });
  await using _planner = await bench.planner("planner-1", { triesMax: 2 });
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1"]);
  bench.model.release("middle");
  const { cause, retryable, usage } = abandonmentIn(await bench.ended(planId));
  expect([cause, retryable, usage.modelCalls, usage.costUsd]).toEqual(["model_failed", true, 1, null]);
  const plan = await bench.plan(planId);
  expect([...plan.steps.values()].map(({ state }) => state.status)).toEqual(["cancelled"]);
  // The next draft has one call less.
  expect(plan.drafting.tries).toMatchObject({ calls: 1, callsMax: 2 });
});

it("chains the steps of a sequential plan, except those that are already chained", async () => {
  const steps = [echo("a"), echo("b"), echo("c", { value: { $ref: "b.output" } })];
  await using bench = await startDraftBench({ plan: planText({ steps }) });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1", { strategy: "sequential" });
  await bench.dispatch(planId);
  await bench.ended(planId);
  const plan = await bench.plan(planId);
  expect([...plan.steps.values()].map(({ step }) => step.dependsOn)).toEqual([[], ["a"], []]);
  expect(plan.drafting).toMatchObject({
    strategy: "sequential",
    strategyReason: "requested by the submission",
  });
});

it.each([
  ["direct", "do it"],
  ["auto", "Hello there!"],
] as const)("makes no drafting call when %s is routed to one call", async (strategy, goal) => {
  await using bench = await startDraftBench({});
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1", { strategy, goal, constraints: ["in verse"] });
  await bench.dispatch(planId);
  expect(await bench.ended(planId)).toMatchObject({
    type: "plan.sealed",
    data: { answerFrom: "answer", usage: { modelCalls: 0 } },
  });
  const plan = await bench.plan(planId);
  expect([...plan.steps.values()].map(({ step }) => [step.tool, step.args])).toEqual([
    ["model.write", { prompt: `${goal}\n\nFollow these rules:\n- in verse` }],
  ]);
  expect(plan.drafting.strategy).toBe("direct");
  expect(bench.model.requests.entries).toHaveLength(0);
});

it("offers only the tools that the plan may use, and none with high risk", async () => {
  const steps = [
    { id: "s1", tool: "mail.send", args: { to: "x" } },
    echo("s2"),
    { id: "s3", tool: "model.write", args: { prompt: "p" } },
  ];
  await using bench = await startDraftBench({ plan: planText({ steps }) });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1", { tools: ["flow.echo", "mail.send"] });
  await bench.dispatch(planId);
  const { issues } = abandonmentIn(await bench.ended(planId));
  expect(issues.map(({ stepId, code }) => [stepId, code])).toEqual([
    ["s1", "unknown_tool"],
    ["s3", "unknown_tool"],
  ]);
  const request = JSON.stringify(bench.model.calls("plan")[0]?.request);
  expect(request).toContain("flow.echo, for tests");
  for (const other of ["mail.send, for tests", "model.write, for tests", '"enum":["mail.send"]']) {
    expect(request).not.toContain(other);
  }
});

it("shows the model the data that the plan may use, once it is described", async () => {
  await using bench = await startDraftBench({
    plan: (call) => planText({ steps: [echo("s1", { value: call.blocks.get("data") })] }),
  });
  await using _planner = await bench.planner();
  const file = { fileName: "f.csv", artifact: "a", bytes: 1, sha256: "0" };
  const source = (name: string) => ({ name, tenant: null, kind: "csv" as const, files: [file] });
  await bench.sources.put("sales", source("sales"));
  await bench.sources.put("secret", source("secret"));
  const planId = await bench.submit("p1", { sources: ["sales"] });
  await bench.dispatch(planId);
  const column = { name: "region", type: "text" as const, samples: ["North", null] };
  await bench.sources.put("sales", {
    ...source("sales"),
    tables: [{ name: "sales", rows: 2, columns: [column] }],
  });
  await bench.ended(planId);
  const { steps } = await bench.plan(planId);
  const [entry] = [...steps.values()];
  const { value } = z.object({ value: z.string() }).parse(entry?.step.args);
  expect(JSON.parse(value)).toEqual([
    { source: "sales", kind: "csv", tables: [{ name: "sales", rows: 2, columns: [column] }] },
  ]);
});

it("revises a plan: keeps results, drops failures, adds new steps, and gives the reason", async () => {
  await using bench = await startDraftBench({
    plan: [
      planText({ steps: [echo("s1"), echo("s2")] }),
      planText({
        steps: [echo("s3", { value: { $ref: "s1.output" } }), echo("s1", { value: "other" }), echo("s4")],
        answerFrom: "s4",
      }),
    ],
  });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await bench.ended(planId, 1);
  await bench.succeed(planId, "s1", "one");
  await bench.fail(planId, "s2");
  const answer = { text: "half", status: "partial", sources: ["s1"], artifacts: [] };
  const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 };
  await bench.tell(planId, "revision.requested", {
    join: 1,
    reason: "the second page is missing",
    answer,
    usage,
  });
  await bench.dispatch(planId);
  expect(await bench.ended(planId, 2)).toMatchObject({
    type: "plan.revised",
    data: {
      revision: 1,
      reason: "the second page is missing",
      kept: ["s1"],
      dropped: ["s2"],
      added: ["s3", "s1-d2", "s4"],
      answerFrom: "s4",
    },
  });
  const [, second] = bench.model.calls("plan");
  const request = JSON.stringify(second?.request);
  for (const shown of ["the second page is missing", "no such page", '\\"output\\":\\"one\\"']) {
    expect(request).toContain(shown);
  }
});

it("puts its spans below the work that requested the draft", async () => {
  await using receiver = await startOtlpReceiver();
  await using bench = await startDraftBench({ plan: planText({ steps: [echo("s1")] }) });
  await using telemetry = startTelemetry({ service: "planner", endpoint: receiver.url });
  await using planner = await bench.planner("p", { telemetry });
  const planId = await bench.submit("p1");
  const { trace } = (await bench.plan(planId)).goal;
  await bench.dispatch(planId);
  await bench.ended(planId);
  await planner[Symbol.asyncDispose]();
  await telemetry.flush();
  const named = (name: string) => receiver.spans.find((span) => span.name === name);
  // On a busy machine they may arrive after flushing has been abandoned.
  await expect.poll(() => named("process work.plan")).toBeDefined();
  const [work, plan, chat] = ["process work.plan", "plan", "chat scripted"].map(named);
  expect([work?.parentSpanId, plan?.parentSpanId, chat?.parentSpanId]).toEqual([
    trace.spanId,
    work?.spanId,
    plan?.spanId,
  ]);
  expect(plan?.attributes).toMatchObject({
    "gen_ai.operation.name": "plan",
    "gen_ai.agent.name": "planner",
    "plan.id": planId,
    "plan.draft.outcome": "complete",
  });
});

it("requests the model's confidence where approvals depend on it, and starts nothing meanwhile", async () => {
  const steps = [echo("s1", { value: 1, confidence: 0.9 }), echo("s2", { value: 2, confidence: 0.2 })];
  await using bench = await startDraftBench({ plan: JSON.stringify({ steps, confidence: 0.6 }) });
  await using _planner = await bench.planner();
  const sure = await bench.submit("sure", { approval: { confidenceBelow: 0.5 } });
  await bench.dispatch(sure);
  expect(await bench.ended(sure)).toMatchObject({ type: "plan.sealed", data: { confidence: 0.6 } });
  const { steps: known } = await bench.plan(sure);
  expect([...known.values()].map(({ state }) => state.status)).toEqual(["running", "awaiting-approval"]);
  const [call] = bench.model.calls("plan");
  expect(JSON.stringify(call?.request)).toContain("how sure you are");

  const unsure = await bench.submit("unsure", { approval: { confidenceBelow: 0.7 } });
  await bench.dispatch(unsure);
  await bench.ended(unsure);
  expect(await bench.plan(unsure)).toMatchObject({ status: "awaiting-approval", inFlight: 0 });

  const free = await bench.submit("free");
  await bench.dispatch(free);
  await bench.ended(free);
  expect(JSON.stringify(bench.model.calls("plan")[2]?.request)).not.toContain("how sure you are");
});
