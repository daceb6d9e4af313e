// The reflector with a real nats-server and a scripted model: the events in a plan's log after a synthesis.
import { PlanId } from "@planwright/plan";
import { stopSubject } from "@planwright/shared/bus";
import { modelJob } from "@planwright/shared/jobs";
import { startTelemetry } from "@planwright/shared/telemetry";
import { judgementText, newerFacts, startOtlpReceiver } from "@planwright/testkit";
import { expect, it } from "vitest";
import { synthesizeAnswer } from "../src/handlers/synthesize-answer.ts";
import { startJoinBench, TRACE } from "./support/join-bench.ts";

const value = (output: unknown) => ({ output: { value: output as never } });

it("answers from the results, with their sources and the cost", async () => {
  await using bench = await startJoinBench({
    judgement: judgementText({ text: "a says 1, b says 2", sources: ["a", "b"], data: { a: 1 } }),
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled(
    "p1",
    { a: value({ n: 1 }), b: value("two") },
    { constraints: ["be brief"] },
  );
  await bench.dispatch(planId);
  const { type, data } = await bench.outcome(planId);
  expect([type, data.join, data.usage?.modelCalls]).toEqual(["answer.given", 1, 1]);
  expect(data.answer).toEqual({
    text: "a says 1, b says 2",
    status: "success",
    data: { a: 1 },
    sources: ["a", "b"],
    artifacts: [],
  });
  expect((await bench.plan(planId)).conclusion?.outcome).toBe("succeeded");
  const [call] = bench.model.calls("judgement");
  const request = JSON.stringify(call?.request);
  for (const shown of [
    "what do a and b say?",
    "be brief",
    "find a",
    '\\"output\\":{\\"n\\":1}',
    "<revisions_left>\\n3",
  ]) {
    expect(request).toContain(shown);
  }
});

it("names every step with a result when the answer is based on all of them", async () => {
  await using bench = await startJoinBench({ judgement: judgementText({ text: "1 and 2", sources: null }) });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1), b: value(2) });
  await bench.dispatch(planId);
  expect((await bench.outcome(planId)).data.answer).toMatchObject({
    text: "1 and 2",
    sources: ["a", "b", "other"],
  });
});

it("skips events of newer versions, and keeps them", async () => {
  await using bench = await startJoinBench({
    judgement: judgementText({ text: "a says 1", sources: ["a"] }),
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  const newer = newerFacts(bench.bus, planId);
  await newer.store("before it is asked");
  await bench.dispatch(planId);
  expect((await bench.outcome(planId)).data.answer).toMatchObject({ text: "a says 1", sources: ["a"] });
  expect(await newer.kept()).toBe(5);
});

it("requests a revision with its reason and the best answer so far", async () => {
  await using bench = await startJoinBench({
    judgement: judgementText({
      decision: "revise",
      reason: "b is missing",
      text: "a says 1",
      sources: ["a"],
    }),
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1), b: { fails: "no such page" } });
  await bench.dispatch(planId);
  const { type, data } = await bench.outcome(planId);
  expect(type).toBe("revision.requested");
  expect(data).toMatchObject({ join: 1, reason: "b is missing", usage: { modelCalls: 1 } });
  expect(data.answer).toMatchObject({ status: "partial", sources: ["a"] });
  expect(data.answer.text).toContain("a says 1");
  const { drafting } = await bench.plan(planId);
  expect(drafting).toMatchObject({ phase: "requested", revision: 1, reason: "b is missing" });
});

it.each([
  [
    "answers",
    judgementText({ text: "It is 42.", status: "success", sources: ["a"] }),
    "answer.given",
    { conclusion: { outcome: "partial", reason: "step b (find b) failed: no such page" } },
  ],
  [
    "requests a revision",
    judgementText({ decision: "revise", reason: "b is missing", text: "It is 42." }),
    "revision.requested",
    { drafting: { phase: "requested", reason: "b is missing" } },
  ],
])(
  "never uses a model's text when the step that answers failed, whether the model %s",
  async (_what, judgement, type, state) => {
    await using bench = await startJoinBench({ judgement });
    await using _reflector = await bench.reflector();
    const fates = { a: value("one"), b: { fails: "no such page" } };
    const planId = await bench.settled("p1", fates, { answerFrom: "b" });
    await bench.dispatch(planId);
    const outcome = await bench.outcome(planId);
    expect(outcome.type).toBe(type);
    expect(outcome.data.answer).toEqual({
      text:
        "The answer was to come from step b, which has no output.\n\nResults so far:\n- find a (a): one\n- find other (other): nothing\n\n" +
        "Missing: step b (find b) failed: no such page.",
      status: "partial",
      sources: ["a", "other"],
      artifacts: [],
    });
    expect(await bench.plan(planId)).toMatchObject(state);
  },
);

it("finds nothing missing where a fallback has delivered", async () => {
  await using bench = await startJoinBench({
    judgement: judgementText({ text: "b says 1", sources: ["b"] }),
  });
  await using _reflector = await bench.reflector();
  const fates = { a: { fails: "no such page" }, b: value(1) };
  const planId = await bench.settled("p1", fates, { steps: { a: { fallback: "b" } } });
  await bench.dispatch(planId);
  const { data } = await bench.outcome(planId);
  expect(data.answer).toMatchObject({ text: "b says 1", status: "success" });
});

it("ends the plan as partial when it requests a revision and none is left", async () => {
  await using bench = await startJoinBench({
    judgement: judgementText({ decision: "revise", reason: "still nothing" }),
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value("only this") }, { maxReplans: 0 });
  await bench.dispatch(planId);
  expect((await bench.outcome(planId)).type).toBe("revision.requested");
  const { conclusion } = await bench.plan(planId);
  expect(conclusion).toMatchObject({ outcome: "partial", answer: { status: "partial" } });
  expect(conclusion?.answer?.text).toContain("only this");
});

it.each([
  ["does not say", "a says 1", /^a says 1\n\nMissing: step b \(find b\) failed: no such page\./],
  ["says by its description", "a says 1, but I could not find b", /^a says 1, but I could not find b$/],
  ["says by its id", "a says 1; step b gave nothing", /^a says 1; step b gave nothing$/],
])("gives a partial answer when a step failed whose name the text %s", async (_how, text, wanted) => {
  await using bench = await startJoinBench({ judgement: judgementText({ text, sources: ["a"] }) });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1), b: { fails: "no such page" } });
  await bench.dispatch(planId);
  const { data } = await bench.outcome(planId);
  expect(data.answer.status).toBe("partial");
  expect(data.answer.text).toMatch(wanted);
});

it.each(["no_match", "invalid_request", "failed"])("passes on that the outcome is %s", async (status) => {
  await using bench = await startJoinBench({ judgement: judgementText({ status, text: "sorry" }) });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  expect((await bench.outcome(planId)).data.answer.status).toBe(status);
  const { conclusion } = await bench.plan(planId);
  expect(conclusion?.outcome).toBe(status === "failed" ? "failed" : "succeeded");
});

it("requests one repair, with the faults, when the answer cannot be used", async () => {
  await using bench = await startJoinBench({
    judgement: [
      judgementText({ status: "great", text: "x" }),
      judgementText({ text: "a says 1", sources: ["a"] }),
    ],
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  const { data } = await bench.outcome(planId);
  expect(data.answer).toMatchObject({ text: "a says 1", status: "success" });
  expect(data.usage?.modelCalls).toBe(2);
  const [, second] = bench.model.calls("judgement");
  expect(JSON.stringify(second?.request)).toContain('<issues>\\n[\\n{\\"field\\":\\"status\\"');
});

it.each([
  ["words", "The answer is simply 42.", "The answer is simply 42."],
  ["JSON of another shape", '{"text": "It is 42.", "mood": "good"}', "It is 42."],
  [
    "JSON that is cut off",
    '{"decision":"answer","reason":null,"status":"success","text":"It is \\"42\\", and',
    'It is "42", …\n\nThis answer ends early: the model\'s reply was cut off.',
  ],
])("uses %s as a partial answer when a second request does not help", async (_what, reply, text) => {
  await using bench = await startJoinBench({ judgement: reply });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  const { type, data } = await bench.outcome(planId);
  expect([type, data.answer.text, data.answer.status]).toEqual(["answer.given", text, "partial"]);
  expect(bench.model.count("judgement")).toBe(2);
});

it.each([
  ["refuses", { refusal: "I do not judge" }, /the model declined: I do not judge/],
  ["turns the request down for good", { status: 401 }, /No model reviewed these results/],
  ["writes nothing usable twice", '{"verdict": 1}', /replies could not be used/],
])("lists the results when the model %s", async (_what, reply, said) => {
  await using bench = await startJoinBench({ judgement: reply });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value({ text: "a is one" }), b: { fails: "no such page" } });
  await bench.dispatch(planId);
  const { type, data } = await bench.outcome(planId);
  expect([type, data.answer.status, data.answer.sources]).toEqual([
    "answer.given",
    "partial",
    ["a", "other"],
  ]);
  expect(data.answer.text).toMatch(said);
  expect(data.answer.text).toContain("- find a (a): a is one");
  expect(data.answer.text).toContain("Missing: step b (find b) failed: no such page.");
});

it("reports that there is no result when every step failed and no model can be called", async () => {
  await using bench = await startJoinBench({ judgement: { status: 401 } });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: { fails: "broken" }, other: { fails: "broken too" } });
  await bench.dispatch(planId);
  const { data } = await bench.outcome(planId);
  expect(data.answer).toMatchObject({ status: "failed", sources: [] });
  expect((await bench.plan(planId)).conclusion?.outcome).toBe("failed");
});

it("lets the plan decide when to retry while the model server does not answer", async () => {
  await using bench = await startJoinBench({ judgement: [{ status: 503 }, judgementText({ text: "late" })] });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  await expect.poll(async () => (await bench.plan(planId)).pause?.reason).toContain("answered 503");
  expect(bench.model.count("judgement")).toBe(1);
  await bench.tell(planId, "timer.fired", { timer: "model-1" });
  await bench.dispatch(planId);
  expect((await bench.outcome(planId)).data.answer.text).toBe("late");
});

it("records one answer for a synthesis that is delivered twice, and calls the model once", async () => {
  await using bench = await startJoinBench({ judgement: judgementText({ text: "once" }) });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  await bench.outcome(planId);
  const { trace } = (await bench.plan(planId)).goal;
  await bench.publish(`work.reflect.${planId}.1`, { planId, join: 1, trace }, { id: "again" });
  await expect.poll(bench.waiting).toBe(0);
  expect(await bench.outcomes(planId)).toHaveLength(1);
  expect(bench.model.count("judgement")).toBe(1);
});

it("keeps the first outcome when two reflectors write the same answer", async () => {
  await using bench = await startJoinBench({
    judgement: [
      async (call) => {
        await call.hold("first");
        return judgementText({ text: "slow" });
      },
      judgementText({ decision: "revise", reason: "quick" }),
    ],
  });
  await using slow = await bench.reflector("slow");
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  await bench.model.reached("first");
  await slow.renewal[Symbol.asyncDispose]();
  await using _quick = await bench.reflector("quick");
  expect((await bench.outcome(planId)).type).toBe("revision.requested");
  bench.model.release("first");
  await expect.poll(bench.waiting).toBe(0);
  expect(await bench.outcomes(planId)).toHaveLength(1);
});

it("aborts when the plan is cancelled and a hint arrives", async () => {
  await using bench = await startJoinBench({
    judgement: async (call) => {
      await call.hold("judging");
      return judgementText({ text: "too late" });
    },
  });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  await bench.model.reached("judging");
  await bench.tell(planId, "cancel.requested", { reason: "no", by: "me" });
  bench.bus.connection.publish(stopSubject(planId));
  await expect.poll(bench.waiting).toBe(0);
  expect(await bench.outcomes(planId)).toEqual([]);
});

it("includes outputs kept as artifacts in the model's prompt", async () => {
  await using bench = await startJoinBench({ judgement: judgementText({ text: "seen" }) });
  await using _reflector = await bench.reflector();
  const content = JSON.stringify({ rows: [{ secret: "in the artifact" }] });
  const name = "steps/a.json";
  const owner = PlanId.parse("p1");
  const artifact = await bench.artifacts.put(owner, name, Buffer.from(content), "application/json");
  const planId = await bench.settled("p1", { a: { output: { artifact, preview: '{"rows' } } });
  await bench.dispatch(planId);
  await bench.outcome(planId);
  expect(JSON.stringify(bench.model.calls("judgement")[0]?.request)).toContain("in the artifact");
});

it("moves an answer that is too large for an event into an artifact", async () => {
  const text = "long ".repeat(80_000);
  await using bench = await startJoinBench({ judgement: judgementText({ text, sources: ["a"] }) });
  await using _reflector = await bench.reflector();
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  const { data } = await bench.outcome(planId);
  expect(data.answer.artifacts.map(({ name }) => name)).toEqual(["answer-1.md"]);
  expect(data.answer.text).toContain("The whole answer is the file answer-1.md.");
  const stored = await bench.artifacts.get(planId, "answer-1.md");
  expect(Buffer.from(stored?.content ?? []).toString()).toBe(text.trim());
});

it("dead-letters work that can never succeed with an answer, so that no plan waits", async () => {
  await using bench = await startJoinBench({ judgement: { status: 503 } });
  const planId = await bench.settled("p1", { a: value("kept") });
  const deps = await bench.giver();
  for (const cause of ["delivered 5 times without a result", "and again"]) {
    await modelJob(deps, synthesizeAnswer(deps)).giveUp({ planId, join: 1 }, cause);
  }
  const [event, ...others] = await bench.outcomes(planId);
  expect(others).toEqual([]);
  expect(event?.data).toMatchObject({ answer: { status: "partial", sources: ["a", "other"] } });
});

it("makes its spans children of the work and links them to the steps", async () => {
  await using receiver = await startOtlpReceiver();
  await using bench = await startJoinBench({ judgement: judgementText({ text: "seen" }) });
  await using telemetry = startTelemetry({ service: "reflector", endpoint: receiver.url });
  await using _reflector = await bench.reflector("r", { telemetry });
  const planId = await bench.settled("p1", { a: value(1) });
  await bench.dispatch(planId);
  await bench.outcome(planId);
  await expect.poll(bench.waiting).toBe(0);
  await telemetry.flush();
  const named = (name: string) => receiver.spans.find((span) => span.name === name);
  const [work, agent, chat] = ["process work.reflect", "invoke_agent reflector", "chat scripted"].map(named);
  expect([work?.parentSpanId, agent?.parentSpanId, chat?.parentSpanId]).toEqual([
    TRACE.spanId,
    work?.spanId,
    agent?.spanId,
  ]);
  expect(agent?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "reflector",
    "plan.id": planId,
  });
  expect(agent?.links.map(({ spanId }) => spanId)).toEqual(["3".repeat(16), "3".repeat(16)]);
});
