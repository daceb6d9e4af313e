import { describe, expect, it } from "vitest";
import { step as stepOf } from "../../../test/facts.ts";
import { PlanDocument } from "../../language/plan-language.ts";
import { ToolSpec } from "../../language/tool-spec.ts";
import { estimateRun, kindKey, type StepRuns, RunEstimate } from "./estimate-run.ts";

const tool = (name: string, more: object = {}) =>
  [
    name,
    ToolSpec.parse({ name, description: "d", input: {}, output: {}, timeoutMs: 1_000, ...more }),
  ] as const;
const tools = new Map([
  tool("docs.search"),
  tool("flow.wait"),
  tool("human.ask"),
  tool("plan.run"),
  tool("code.run"),
  tool("model.write", { modelTokens: 4_000 }),
]);
const runsOf = (name: string, runs: StepRuns, { agent = "", model = "" } = {}) =>
  [kindKey({ tool: name, agent, model }), runs] as const;
const search = runsOf("docs.search", {
  runs: 10,
  durationMs: 200,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
});
const write = runsOf("model.write", {
  runs: 4,
  durationMs: 3_000,
  inputTokens: 100,
  outputTokens: 40,
  costUsd: 0.01,
});

const step = (id: string, name: string, dependsOn: string[] = [], more: object = {}) =>
  stepOf(id, dependsOn, { tool: name, ...more });
const estimate = (steps: readonly object[], past: readonly (readonly [string, StepRuns])[] = []) =>
  RunEstimate.parse(estimateRun(PlanDocument.parse({ steps }), { tools, past: new Map(past) }));

describe("the estimate of a run", () => {
  it("adds up the mean durations of earlier runs of each kind of step, along the longest chain", () => {
    const steps = [
      step("a", "docs.search"),
      step("b", "docs.search"),
      step("c", "model.write", ["a", "b"]),
      step("d", "model.write", ["c"]),
    ];
    expect(estimate(steps, [search, write])).toEqual({
      durationMs: 6_200,
      costUsd: 0.02,
      inputTokens: 200,
      outputTokens: 80,
      steps: 4,
      stepsTimed: 4,
      stepsPriced: 4,
      // Each kind counts once, however many steps it has.
      runs: 14,
      answered: true,
    });
  });

  it("does not estimate steps that have never run, and counts them", () => {
    const steps = [step("a", "docs.search"), step("b", "model.write", ["a"]), step("c", "flow.wait", ["b"])];
    expect(estimate(steps)).toMatchObject({ durationMs: null, stepsTimed: 0, runs: 0 });
    // A tool that declares no model costs nothing; this is known without a run.
    expect(estimate(steps)).toMatchObject({ costUsd: 0, stepsPriced: 2 });
    expect(estimate(steps, [search])).toMatchObject({ durationMs: 200, stepsTimed: 1, runs: 10 });
    expect(estimate([step("a", "own.tool")])).toMatchObject({ costUsd: null, stepsPriced: 0 });
  });

  it("distinguishes runs with an agent or a model from the tool's own", () => {
    const small = step("a", "model.write", [], { model: "small", agent: "writer" });
    expect(estimate([small], [write])).toMatchObject({ durationMs: null, costUsd: null });
    const [, runs] = write;
    const own = runsOf("model.write", runs, { model: "small", agent: "writer" });
    expect(estimate([small], [own])).toMatchObject({ durationMs: 3_000, costUsd: 0.01 });
  });

  it("counts tokens, and no dollars, if no price is known", () => {
    const [key, runs] = write;
    const unpriced = estimate([step("a", "model.write")], [[key, { ...runs, costUsd: null }]]);
    expect(unpriced).toMatchObject({ costUsd: null, stepsPriced: 0, inputTokens: 100, stepsTimed: 1 });
  });

  it("uses the stated duration of a wait, and no duration for a person", () => {
    const past = [runsOf("human.ask", search[1]), runsOf("flow.wait", search[1])];
    const steps = [
      step("a", "flow.wait", [], { args: { ms: 700 } }),
      step("b", "flow.wait", ["a"], { args: { ms: { $ref: "a.output" } } }),
      step("c", "human.ask", ["b"], { args: { question: "?" } }),
    ];
    expect(estimate(steps, past)).toMatchObject({ durationMs: 700, stepsTimed: 1, stepsPriced: 3, runs: 0 });
  });

  it("runs a step once per item of a known list, 50 simultaneously", () => {
    const items = Array.from({ length: 60 }, (_, index) => index);
    expect(estimate([step("a", "model.write", [], { forEach: items })], [write])).toMatchObject({
      durationMs: 6_000,
      costUsd: 0.6,
      steps: 1,
    });
    const later = [
      step("a", "docs.search"),
      step("b", "model.write", ["a"], { forEach: { $ref: "a.output" } }),
      step("c", "docs.search", ["a"], { forEach: { $ref: "a.output" } }),
    ];
    expect(estimate(later, [search, write])).toMatchObject({
      durationMs: 200,
      stepsTimed: 1,
      // However many searches there will be, each costs nothing.
      stepsPriced: 2,
      runs: 10,
      answered: false,
    });
  });

  it("leaves out fallbacks", () => {
    const steps = [step("a", "docs.search", [], { fallback: "b" }), step("b", "model.write")];
    expect(estimate(steps, [search, write])).toMatchObject({
      steps: 1,
      durationMs: 200,
      costUsd: 0,
      runs: 10,
    });
  });

  it("uses earlier runs for the cost of a plan, or of a program that has a model", () => {
    const program = { args: { language: "typescript", code: "", tools: ["model.write"] } };
    const steps = [
      step("a", "plan.run", [], { args: { goal: "g" } }),
      step("b", "code.run", [], program),
      step("c", "code.run"),
    ];
    expect(estimate(steps)).toMatchObject({ costUsd: 0, stepsPriced: 1 });
    expect(estimate(steps, [runsOf("plan.run", write[1])])).toMatchObject({ costUsd: 0.01, stepsPriced: 2 });
  });
});
