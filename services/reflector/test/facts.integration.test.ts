// Extraction of facts with a real nats-server and a scripted model: what is recorded of an output, and which model sees it.
import { PlanId, StepId, viewOf } from "@planwright/plan";
import { createPublish, factsSubject } from "@planwright/shared/bus";
import { modelJob } from "@planwright/shared/jobs";
import { judgementText } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { extractFacts } from "../src/handlers/extract-facts.ts";
import { startJoinBench, TRACE } from "./support/join-bench.ts";

const patch = (more: object = {}): string =>
  JSON.stringify({
    facts: [{ key: "Error Type", value: "pkg/client_error.go:12", confidence: 0.9, source: "hit 1" }],
    openQuestions: ["Who returns it?"],
    answeredQuestions: [],
    replacePlan: null,
    ...more,
  });

const DEEP = "deep inside the raw output";

describe("an output that is kept as an artifact", () => {
  it("is read only by the extraction of facts; reviewers see the facts", async () => {
    await using bench = await startJoinBench({
      state_patch: patch(),
      judgement: judgementText({ text: "it is there", sources: ["a"] }),
    });
    await using _reflector = await bench.reflector();
    const hits = [...Array.from({ length: 200 }, (_, index) => `hit ${index}`), DEEP];
    const name = "outputs/a-0-1.json";
    const content = Buffer.from(JSON.stringify({ hits }));
    const artifact = await bench.artifacts.put(PlanId.parse("p1"), name, content, "application/json");
    const output = { artifact, preview: '{"hits":["hit 0"]}' };
    const planId = await bench.settled("p1", { a: { output } }, { facts: "large" });
    await bench.dispatch(planId);
    const plan = await bench.looked(planId);
    const view = viewOf(plan, 0);
    expect(view.facts).toMatchObject([
      {
        key: "error_type",
        value: "pkg/client_error.go:12",
        confidence: 0.9,
        stepId: "a",
        artifact: name,
        source: "hit 1",
      },
    ]);
    expect(view.openQuestions).toMatchObject([{ question: "Who returns it?", stepId: "a" }]);
    expect(view.usage.modelCalls).toBe(1);
    await bench.dispatch(planId);
    await bench.outcome(planId);
    const [seen] = bench.model.calls("state_patch").map(({ request }) => JSON.stringify(request));
    const [judged] = bench.model.calls("judgement").map(({ request }) => JSON.stringify(request));
    expect(seen).toContain(DEEP);
    expect(judged).not.toContain(DEEP);
    for (const shown of ["hit 0", "error_type", "pkg/client_error.go:12", "Who returns it?"]) {
      expect(judged).toContain(shown);
    }
  });
});

it.each([
  ["prose", "I found nothing.", "wanted the state patch as JSON"],
  ["a refusal", { refusal: "no" }, "the model declined: no"],
  ["a server that refuses", { status: 400, body: { error: { message: "bad" } } }, "bad"],
] as const)(
  "records that no facts could be extracted from an output, and continues: %s",
  async (_what, reply, fault) => {
    await using bench = await startJoinBench({ state_patch: reply });
    await using _reflector = await bench.reflector();
    const planId = await bench.settled("p1", { a: { output: { value: 1 } } }, { facts: "all" });
    await bench.dispatch(planId);
    const plan = await bench.looked(planId);
    expect(plan.joining.phase).toBe("requested");
    const recorded = await bench.recorded(planId, "a");
    expect(recorded.data.facts).toEqual([]);
    expect(recorded.data.fault).toContain(fault);
  },
);

it("cuts long values, and drops unnamed ones", async () => {
  const facts = [
    { key: " ", value: "x", confidence: 1, source: null },
    { key: "k".repeat(500), value: "v".repeat(5_000), confidence: 7, source: null },
  ];
  await using bench = await startJoinBench({ state_patch: patch({ facts }) });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: { output: { value: 1 } } }, { facts: "all" });
  await bench.dispatch(planId);
  await bench.looked(planId);
  const { data } = await bench.recorded(planId, "a");
  expect(data.facts).toEqual([{ key: "k".repeat(128), value: "v".repeat(2_000), confidence: 1 }]);
});

it("records the facts of an output once, even if another reflector reads it again", async () => {
  await using bench = await startJoinBench({ state_patch: patch() });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: { output: { value: 1 } } }, { facts: "all" });
  await bench.dispatch(planId);
  await bench.looked(planId);
  const work = { planId, stepId: "a", item: 0, attempt: 1, trace: TRACE };
  await createPublish(bench.bus)(factsSubject(work), work, { id: "again" });
  await expect.poll(() => bench.waitingLooks()).toBe(0);
  expect(bench.model.count("state_patch")).toBe(2);
  expect((await bench.recorded(planId, "a")).data.facts).toHaveLength(1);
});

it("records in the plan what a lost extraction may have used", async () => {
  await using bench = await startJoinBench({ state_patch: patch() });
  const planId = await bench.settled("p1", { a: { output: { value: 1 } } }, { facts: "all" });
  const output = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
  const deps = await bench.giver();
  const work = { planId, ...output, allowance: { maxTokens: 500 } };
  await modelJob(deps, extractFacts(deps)).giveUp(work, "lost");
  expect((await bench.recorded(planId, "a")).data).toMatchObject({
    fault: "lost",
    forfeited: { tokens: 500, usd: 0 },
  });
});
