// Examples of steps that run a loop, and what happens to such a loop when its worker dies.
import { afterAll, beforeEach, expect, it } from "vitest";
import type { PlanId } from "@planwright/plan";
import { connectBus } from "@planwright/shared/bus";
import { loadExample, planPieces, startEffectCounter } from "@planwright/testkit";
import { endOf, exampleStage, startOf } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const effects = await startEffectCounter();
afterAll(() => effects[Symbol.asyncDispose]());
beforeEach(() => effects.forget());
const shared = sharedSystem({ services: { executor: { HTTP_FETCH_ALLOW: effects.host } } });
const { play, runToEnd } = exampleStage(shared);

it("react-step: one requires_replan is one revision, and finished steps are not run again", async () => {
  const request = await play("react-step");
  const { client } = shared.system;
  const { planId } = await client.submit(request);
  const outcomes: string[] = [];
  const turns: unknown[] = [];
  for await (const { event } of client.events(planId)) {
    if (event.type === "step.succeeded") outcomes.push(event.data.stepId);
    if (event.type === "turn.taken") turns.push([event.data.turn, event.data.tool]);
    if (event.type === "plan.ended") break;
  }
  const view = await client.view(planId);
  expect(turns).toEqual([
    [1, "docs.search"],
    [2, "math.evaluate"],
  ]);
  expect(view).toMatchObject({ status: "succeeded", revision: 1, answer: { sources: ["report"] } });
  expect(view.revisions).toMatchObject([
    { cause: "requires_replan", causedBy: "investigate", added: ["report"] },
  ]);
  expect(outcomes).toEqual(["rules", "investigate", "report"]);
  expect([shared.model.count("plan"), shared.model.count("react_turn")]).toEqual([2, 3]);
  expect(view.answer?.text).toContain("140");
  const observed = view.steps.find(({ id }) => id === "investigate")?.turns?.at(1)?.output;
  expect(JSON.stringify(observed)).toContain("140");
});

const turn = (tool: string | null, args: object, result: string | null = null): string =>
  JSON.stringify({
    thought: "so",
    tool,
    argsJson: JSON.stringify(args),
    result,
    requiresReplan: false,
    reason: null,
  });

it("starts no dependent of a loop that requires a revision, and requests no approval for one", async () => {
  const { system, model } = shared;
  const finding = { result: "two offices", requiresReplan: true, reason: "there are two offices to pay" };
  model.play({
    react_turn: JSON.stringify({ ...JSON.parse(turn(null, {})), ...finding }),
    plan: async (call) => {
      await call.hold("revision");
      return planPieces({
        steps: [{ id: "told", tool: "flow.echo", args: { value: 2 } }],
        answerFrom: "told",
      });
    },
  });
  const pay = (id: string, confidence: number) => ({
    id,
    tool: "http.send",
    args: { url: effects.url("plain"), body: "{{loop.output.result}}" },
    dependsOn: ["loop"],
    confidence,
  });
  const request = looping(["math.evaluate"]);
  const steps = [...request.plan.steps, pay("pay", 1), pay("pay-asked", 0.1)];
  const approval = { risk: "never", confidenceBelow: 0.5 } as const;
  const { planId } = await system.client.submit({ ...request, plan: { steps }, approval });
  await model.reached("revision");
  // Whatever was sent before the revision is over once a plan that came later is.
  const later = { steps: [{ id: "later", tool: "flow.echo", args: { value: 1 } }], answerFrom: "later" };
  await system.client.ended((await system.client.submit({ goal: "come later", plan: later })).planId);
  expect(await system.client.view(planId)).toMatchObject({
    approvals: [],
    steps: [{ status: "succeeded" }, { status: "waiting" }, { status: "waiting" }],
  });
  model.release("revision");
  const view = await system.client.ended(planId);
  expect(view.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "loop succeeded",
    "pay cancelled",
    "pay-asked cancelled",
    "told succeeded",
  ]);
  expect([view.approvals, view.effects.length, effects.requests]).toEqual([[], 1, []]);
});

const looping = (tools: readonly string[], more: object = {}) => ({
  goal: "try it",
  plan: {
    steps: [{ id: "loop", tool: "agent.react", args: { goal: "try it", tools, ...more } }],
    answerFrom: "loop",
  },
});

it("continues after the last turn when the worker dies, and repeats no call that it knows of", async () => {
  const { system, model } = shared;
  model.play({
    react_turn: [
      turn("files.write", { path: "a.txt", content: "1" }),
      turn("math.evaluate", { expression: "1 + 1" }),
      turn("math.evaluate", { expression: "1 + 1" }),
      turn(null, {}, "done"),
    ],
  });
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "tool.after-run=kill@2" });
  const { planId } = await system.client.submit(looping(["files.write", "math.evaluate"]));
  expect(await doomed.ended).toBe("SIGKILL");
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(view.answer?.data).toMatchObject({ result: "done", turns: 2 });
  // The second turn was not in the log yet: it is thought once more, after the first, which was.
  expect(model.count("react_turn")).toBe(4);
  expect(JSON.stringify(model.calls("react_turn")[2]?.request)).toContain("files.write");
  expect(view.steps[0]?.turns?.map(({ tool, error }) => [tool, error])).toEqual([
    ["files.write", undefined],
    ["math.evaluate", undefined],
  ]);
});

it("takes effect once in a call whose worker dies after it, and the ledger records it", async () => {
  const { system, model } = shared;
  const args = { url: effects.url("plain"), checkUrl: effects.url("check"), body: { n: 1 } };
  model.play({ react_turn: [turn("http.send", args), turn(null, {}, "sent")] });
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "effect.after-run=kill" });
  const { planId } = await system.client.submit({ ...looping(["http.send"]), approval: { risk: "never" } });
  expect(await doomed.ended).toBe("SIGKILL");
  const begun = await system.client.view(planId);
  const key = `${planId}/loop/0/1`;
  expect(begun.effects).toMatchObject([
    { tool: "agent.react" },
    { key, turn: 1, tool: "http.send", status: "started" },
  ]);
  await system.start("executor");
  const view = await system.client.ended(planId);
  expect(effects.count(key)).toBe(1);
  expect(view.effects.at(-1)).toMatchObject({ key, effect: "once", status: "done" });
  expect(view.steps[0]?.turns).toMatchObject([{ tool: "http.send", thought: "so" }]);
  expect([view.status, model.count("react_turn")]).toEqual(["succeeded", 2]);
});

/** Decides about the plan's latest approval, once there are so many. */
async function decide(planId: PlanId, count: number, body: object): Promise<void> {
  const { client } = shared.system;
  const approvals = async () => (await client.view(planId)).approvals;
  await expect.poll(async () => (await approvals()).length, { timeout: 30_000 }).toBe(count);
  const asked = (await approvals())[count - 1];
  const response = await client.fetch(`/v1/plans/${planId}/approvals/${asked?.approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

it("makes a high-risk call once approved, as edited, and learns of a rejection", async () => {
  const { system, model } = shared;
  const send = (n: number) => turn("http.send", { url: effects.url("plain"), body: { n } });
  model.play({ react_turn: [send(1), send(2), turn(null, {}, "one was sent")] });
  const { planId } = await system.client.submit(looping(["http.send"]));
  const edits = { url: effects.url("plain"), body: { n: 10 } };
  await decide(planId, 1, { decision: "approve", by: "ann", edits });
  await decide(planId, 2, { decision: "reject", by: "bob", reason: "once is enough" });
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { data: { result: "one was sent", turns: 2 } } });
  expect(view.steps[0]?.turns).toMatchObject([
    { tool: "http.send", args: edits },
    { error: { code: "approval_rejected", message: "rejected by bob: once is enough" } },
  ]);
  expect([...effects.counts()]).toEqual([[`${planId}/loop/0/1`, 1]]);
  expect(model.count("react_turn")).toBe(3);
});

it("leaves a call with an unknown outcome to a user, and follows the decision", async () => {
  const { system, model } = shared;
  const send = (n: number) => turn("http.send", { url: effects.url("plain"), body: { n } });
  model.play({ react_turn: [send(1), send(2), send(3), turn(null, {}, "sent")] });
  await system.end("executor");
  const doomed = await system.start("executor", { PLANWRIGHT_FAULTS: "effect.after-run=kill" });
  const { planId } = await system.client.submit({ ...looping(["http.send"]), approval: { risk: "never" } });
  expect(await doomed.ended).toBe("SIGKILL");
  await system.start("executor");
  // The call is made again, and its answer is lost; so is that of the next one.
  effects.hold("after").release({ drop: true });
  await decide(planId, 1, { decision: "run-again", by: "ann" });
  effects.hold("after").release({ drop: true });
  await decide(planId, 2, { decision: "happened", by: "bob", output: { id: 7 } });
  await decide(planId, 3, { decision: "reject", by: "eve", reason: "too late" });
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { data: { result: "sent", turns: 3 } } });
  expect(view.steps[0]?.turns).toMatchObject([
    { output: { value: { id: 7 } } },
    { error: { code: "outcome_unknown", message: expect.stringContaining("rejected by eve: too late") } },
    { tool: "http.send", args: { body: { n: 3 } } },
  ]);
  expect(view.approvals.map(({ kind }) => kind)).toEqual(Array(3).fill("outcome-unknown"));
  expect(view.effects.map(({ turn: number, status }) => [number, status])).toEqual([
    ...Array(3).fill([undefined, "asked"]),
    [undefined, "done"],
    [1, "done"],
    [2, "unknown"],
    [3, "done"],
  ]);
  expect([...effects.counts().values()]).toEqual([2, 1, 1]);
  expect(model.count("react_turn")).toBe(4);
});

it.each([
  ["prose", "I would rather talk.", "wanted the turn as JSON"],
  ["a tool that is not there", turn("shell.run", {}), "there is no tool"],
  ["arguments that do not fit", turn("math.evaluate", { sum: 1 }), "invalid arguments"],
  ["nothing", turn(null, {}), "wanted calls or a result"],
] as const)("ends a loop whose model says %s again and again", async (_what, reply, message) => {
  shared.model.play({ react_turn: reply });
  const { planId } = await shared.system.client.submit(looping(["math.evaluate"]));
  const view = await shared.system.client.ended(planId);
  expect(shared.model.count("react_turn")).toBe(3);
  expect(view.steps[0]?.error).toMatchObject({ code: "react_stuck" });
  expect(view.steps[0]?.error?.message).toContain(message);
});

it.each([
  ["makes one call over and over", { maxTurns: 20 }, "react_stuck", 4],
  ["comes to no end", { maxTurns: 3 }, "react_turns_exceeded", 3],
] as const)("ends a loop that %s", async (_what, more, code, calls) => {
  const same = turn("math.evaluate", { expression: "1 + 1" });
  const different = ({ number }: { number: number }) =>
    turn("math.evaluate", { expression: `1 + ${number}` });
  shared.model.play({ react_turn: code === "react_stuck" ? same : different });
  const { planId } = await shared.system.client.submit(looping(["math.evaluate"], more));
  const view = await shared.system.client.ended(planId);
  expect([view.steps[0]?.error?.code, shared.model.count("react_turn")]).toEqual([code, calls]);
});

it("agent-queues: each step reaches the queue of its agent type, with that type's model and prompt", async () => {
  const request = await play("agent-queues");
  const { agentsFile = "" } = await loadExample("agent-queues");
  const { system, model } = shared;
  await using _agents = await system.start("executor", { PLANWRIGHT_AGENTS: agentsFile });
  await using bus = await connectBus({ url: system.nats.url, name: "test" });
  const queues: Record<string, string | undefined> = {};
  bus.connection.subscribe("work.step.>", {
    callback: (_error, message) => {
      const [, , pool, , step = ""] = message.subject.split(".");
      queues[step] = pool;
    },
  });
  await bus.connection.flush();
  const { planId } = await system.client.submit(request);
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", answer: { sources: ["item"] } });
  expect(queues).toEqual({ a: "researcher", bc: "researcher", sum: "default", item: "writing" });

  const said = (role: string) =>
    model.calls(role).map(({ model: name, request: body }) => [name, JSON.stringify(body)] as const);
  for (const [name, body] of said("react_turn")) {
    expect(name).toBe("small-model");
    expect(body).toContain("You are a researcher.");
  }
  expect(said("react_turn")).toHaveLength(3);
  const [written] = said("write");
  expect(written?.[0]).toBe("large-model");
  expect(written?.[1]).toContain("You are an editor of a newsletter.");
  const [drafted] = said("plan");
  expect(drafted?.[1]).toContain("Writes for readers");
  expect(drafted?.[1]).not.toContain("You are an editor");
});

it("refuses an unknown agent, submitted or drafted, and lists the existing ones", async () => {
  const { client } = shared.system;
  const step = { id: "s1", tool: "math.evaluate", args: { expression: "1 + 1" } };
  const submitted = await client.fetch("/v1/plans", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ goal: "g", plan: { steps: [{ ...step, agent: "writer" }] } }),
  });
  expect([submitted.status, await submitted.json()]).toMatchObject([
    422,
    { code: "invalid_plan", issues: [{ code: "tool_not_granted", field: "tool" }] },
  ]);

  shared.model.play({
    plan: ({ number }) =>
      planPieces({ steps: [number === 1 ? { ...step, agent: "lawyer" } : step], answerFrom: "s1" }),
  });
  const { planId } = await client.submit({ goal: "add one and one", strategy: "parallel" });
  const view = await client.ended(planId);
  expect(view).toMatchObject({ status: "succeeded", draft: { number: 2 } });
  const redraft = JSON.stringify(shared.model.calls("plan")[1]?.request);
  expect(redraft).toContain("there is no agent type");

  const [tools, workers] = await Promise.all(
    ["/v1/tools", "/v1/workers"].map(async (path) => (await client.fetch(path)).json()),
  );
  expect(tools).toMatchObject({
    agents: [
      { name: "researcher", pool: "researcher", model: "small-model" },
      { name: "writer", pool: "writing", tools: ["model.write"] },
    ],
  });
  expect(JSON.stringify(tools)).not.toContain("You are an editor");
  expect(workers).toMatchObject({
    workers: expect.arrayContaining([expect.objectContaining({ agents: [] })]),
  });
});

it("numbered-list: a blank line creates no step, and the order is kept", async () => {
  const request = await play("numbered-list");
  const view = await runToEnd(request);
  expect(view.steps.map(({ description }) => description)).toEqual([
    "Look up Django",
    "Look up FastAPI",
    "Compare the frameworks by what they suit and where they fall short",
    "Write the market analysis report",
  ]);
  expect(view.steps.map(({ status }) => status)).toEqual(Array(4).fill("succeeded"));
  const ids = view.steps.map(({ id }) => id);
  for (const [index, id] of ids.slice(1).entries())
    expect(startOf(view, id)).toBeGreaterThanOrEqual(endOf(view, ids[index] ?? ""));
  expect(view.answer).toMatchObject({ status: "success", text: "The report is written." });
  expect(shared.model.count("plan")).toBe(1);
});

it("research-agent: an unknown action is a recorded error, not a crash", async () => {
  const request = await play("research-agent");
  const { client } = shared.system;
  const { planId } = await client.submit(request);
  const refusals: unknown[] = [];
  for await (const { event } of client.events(planId)) {
    if (event.type === "draft.abandoned") refusals.push(event.data);
    if (event.type === "plan.ended") break;
  }
  const view = await client.view(planId);
  expect(refusals).toMatchObject([
    {
      draft: 1,
      cause: "invalid",
      issues: [
        { code: "unknown_tool", stepId: "interview", message: expect.stringContaining("people.interview") },
      ],
    },
  ]);
  expect(view).toMatchObject({ status: "succeeded", answer: { sources: ["synthesize"] } });
  expect(view.answer?.text).toContain("# Report");
  // What the first draft had begun may be kept, or is planned again under another id.
  const ran = view.steps.filter(({ status }) => status === "succeeded");
  expect(new Set(ran.map(({ description }) => description.split(" ")[0]))).toEqual(
    new Set(["Search", "Analyze", "Synthesize"]),
  );
  expect(view.steps.some(({ tool }) => tool === "people.interview")).toBe(false);
});
