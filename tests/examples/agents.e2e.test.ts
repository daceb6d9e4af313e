// Examples of steps that work in a loop of their own, and what becomes of such a loop when its worker dies.
import { expect, it } from "vitest";
import { exampleStage } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const shared = sharedSystem();
const { play } = exampleStage(shared);

it("react-step: one requires_replan is one revision, and what has run is not run again", async () => {
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

const looping = (tools: readonly string[], more: object = {}) => ({
  goal: "try it",
  plan: {
    steps: [{ id: "loop", tool: "agent.react", args: { goal: "try it", tools, ...more } }],
    answerFrom: "loop",
  },
});

it("goes on after the last turn when the worker dies, and repeats no call that it knows of", async () => {
  const { system, model } = shared;
  model.play({
    react_turn: [
      turn("files.write", { path: "a.txt", content: "1" }),
      turn("math.evaluate", { expression: "1 + 1" }),
      turn("math.evaluate", { expression: "1 + 1" }),
      turn(null, {}, "done"),
    ],
  });
  await system.kill("executor");
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

it("makes no call that a step could make only with a person's leave", async () => {
  const { system, model } = shared;
  const send = turn("http.send", { url: "http://127.0.0.1:9/", body: {} });
  model.play({ react_turn: [send, turn(null, {}, "it has to be planned")] });
  const { planId } = await system.client.submit(looping(["http.send"]));
  const view = await system.client.ended(planId);
  expect(view.steps[0]?.turns).toMatchObject([{ tool: "http.send", error: { code: "needs_approval" } }]);
  expect(view.approvals).toEqual([]);
  expect(view.status).toBe("succeeded");
});

it.each([
  ["prose", "I would rather talk.", "wanted the turn as JSON"],
  ["a tool that is not there", turn("shell.run", {}), "there is no tool"],
  ["arguments that do not fit", turn("math.evaluate", { sum: 1 }), "invalid arguments"],
  ["nothing", turn(null, {}), "wanted a tool or a result"],
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

/** Gives the model the replies of an example, and answers what to submit. */
