import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  fact,
  failed,
  faltered,
  GRANTS,
  kindsOf,
  LIGHT,
  pauseRequested,
  resumeRequested,
  step,
  stepOf,
  submitted,
  succeeded,
  unitsOf,
  worksOf,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import type { KnownPlan } from "../plan-state.ts";

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);
const side = (count: number, more: object = {}): object[] => ids(count).map((id) => step(id, [], more));
const refersTo = (id: string) => ({ args: { value: { $ref: `${id}.output` } } });
/** s1 → s2 → s3, each referring to the previous one. */
const CHAIN = [step("s1"), step("s2", [], refersTo("s1")), step("s3", [], refersTo("s2"))];
const DIAMOND = [step("a"), step("b", ["a"]), step("c", ["a"]), step("d", ["b", "c"])];

/** A plan whose `flow.echo` steps are light. */
function lightly(steps: readonly object[], more: object = {}): KnownPlan {
  return after(submitted(steps, { grants: { ...GRANTS, "flow.echo": LIGHT }, ...more }));
}

const stepsOf = (plan: KnownPlan): string[][] =>
  unitsOf(plan).map(({ steps }) => steps.map(({ stepId }) => stepId));
const aloneOf = (plan: KnownPlan): string[] => worksOf(plan).map(({ stepId }) => stepId);
const stepsLeft = (plan: KnownPlan) => [...plan.units.values()].map((steps) => [...steps]);
const inUnit = (stepId: string, unit: string, value: unknown = 1) => succeeded(stepId, value, 1, { unit });
const closed = (unit: string, because: string, kept: readonly string[] = []) =>
  fact("unit.closed", { unit, pool: "default", workerId: "w1", because, kept }, { id: `closed ${unit}` });

describe("a unit", () => {
  it("contains every light step that needs only other steps of the unit", () => {
    expect(stepsOf(lightly(CHAIN))).toEqual([["s1", "s2", "s3"]]);
    expect(stepsOf(lightly(DIAMOND))).toEqual([["a", "b", "c", "d"]]);
    expect(stepsOf(lightly([...side(5), step("join", ids(5))]))).toEqual([[...ids(5), "join"]]);
    expect(aloneOf(lightly(DIAMOND))).toEqual([]);
  });

  it("is not formed from a single step", () => {
    expect(stepsOf(lightly([step("a")]))).toEqual([]);
    expect(aloneOf(lightly([step("a")]))).toEqual(["a"]);
  });

  it("ends before a step that needs something else", () => {
    const steps = [step("slow", [], { tool: "model.write" }), ...CHAIN, step("last", ["s3", "slow"])];
    const plan = lightly(steps);
    expect(stepsOf(plan)).toEqual([["s1", "s2", "s3"]]);
    expect(aloneOf(plan)).toEqual(["slow"]);
  });

  it("starts after a step that is not light", () => {
    const plan = lightly([step("slow", [], { tool: "model.write" }), step("a", ["slow"]), step("b", ["a"])]);
    expect(aloneOf(plan)).toEqual(["slow"]);
    expect(stepsOf(andAfter(plan, succeeded("slow")))).toEqual([["a", "b"]]);
  });

  it.each([
    ["a step that changes something", [step("s1"), step("s2", ["s1"], { tool: "files.write" })]],
    ["a step of another pool", [step("s1"), step("s2", ["s1"], { agent: "gpu" })]],
    ["a step that is verified", [step("s1"), step("s2", ["s1"]), step("v", [], { verifies: "s2" })]],
    ["a step with a fallback", [step("s1"), step("s2", ["s1"], { fallback: "f" }), step("f", ["s2"])]],
    ["a step with a condition", [step("s1"), step("s2", ["s1"], { when: "{{s1.output}} > 1" })]],
    ["a step for each of a list", [step("s1"), step("s2", ["s1"], { forEach: { $ref: "s1.output" } })]],
    ["a step whose output is reviewed", [step("s1"), step("s2", ["s1"], { review: { maxIterations: 1 } })]],
  ])("does not contain %s", (_what, steps) => {
    expect(stepsOf(lightly(steps)).flat()).not.toContain("s2");
  });

  it.each([
    ["there is a budget", { budget: { steps: 9, onExhausted: "end" } }],
    ["people may want to be asked", { grants: { "flow.echo": { ...LIGHT, risk: "medium" } } }],
    ["the tool calls a model", { grants: { "flow.echo": { ...LIGHT, modelTokens: 10 } } }],
    ["the tool is not light", { grants: GRANTS }],
    ["the plan is not to be fused", { fusion: "off" }],
  ])("is not formed when %s", (_what, more) => {
    expect(stepsOf(lightly(CHAIN, more))).toEqual([]);
  });

  it("has at most 256 steps", () => {
    expect(stepsOf(lightly(side(600))).map((steps) => steps.length)).toEqual([256, 256, 88]);
  });

  it("is formed from steps that waited for capacity, once there is capacity for a whole unit", () => {
    const full = lightly(side(2_000));
    expect(stepsOf(full).map((steps) => steps.length)).toEqual([256, 256, 256, 256]);
    const almost = andAfter(full, ...ids(255).map((id) => inUnit(id, "s0")));
    expect([kindsOf(almost), almost.inFlight]).toEqual([[], 1_024 - 255]);
    const next = andAfter(almost, inUnit("s255", "s0"));
    expect([stepsOf(next).map((steps) => steps.length), next.inFlight]).toEqual([[256], 1_024]);
  });

  it("is formed from as many steps as there is capacity for, once no unit is in flight", () => {
    const slow = ids(1_000).map((id) => step(`slow-${id}`, [], { tool: "model.write" }));
    const plan = lightly([...slow, ...side(100)]);
    expect(stepsOf(plan).map((steps) => steps.length)).toEqual([24]);
    const almost = andAfter(plan, ...ids(23).map((id) => inUnit(id, "s0")));
    expect(kindsOf(almost)).toEqual([]);
    expect(stepsOf(andAfter(almost, inUnit("s23", "s0"))).map((steps) => steps.length)).toEqual([24]);
  });

  it("carries at most 256 KiB of arguments and of outputs that they refer to", () => {
    const large = { args: { value: "x".repeat(100_000) } };
    expect(stepsOf(lightly(side(5, large)))).toEqual([
      ["s0", "s1"],
      ["s2", "s3"],
    ]);
    const steps = [
      step("s", [], { tool: "model.write" }),
      ...ids(8).map((id) => step(id, [], refersTo("s"))),
    ];
    const plan = andAfter(lightly(steps), succeeded("s", "x".repeat(60_000)));
    expect(stepsOf(plan).map((unit) => unit.length)).toEqual([4, 4]);
  });

  it("has the arguments of its first steps resolved, and the outputs that the others refer to", () => {
    const steps = [
      step("s", [], { tool: "model.write" }),
      step("a", [], refersTo("s")),
      step("b", ["a"], { args: { value: [{ $ref: "s.output" }, { $ref: "a.output" }] } }),
    ];
    const [unit] = unitsOf(andAfter(lightly(steps), succeeded("s", "of s")));
    expect(unit).toMatchObject({
      unit: "a",
      steps: [
        { stepId: "a", needs: [], args: { value: "of s" } },
        { stepId: "b", needs: ["a"], args: { value: [{ $ref: "s.output" }, { $ref: "a.output" }] } },
      ],
      outputs: [{ stepId: "s", output: { value: "of s" } }],
    });
  });

  it("returns a step whose references cannot be resolved, which then fails", () => {
    const steps = [
      step("s", [], { tool: "model.write" }),
      step("a", ["s"]),
      step("lost", [], { args: { value: { $ref: "s.output.price" } } }),
    ];
    const plan = andAfter(lightly(steps), succeeded("s"));
    expect(unitsOf(plan)).toMatchObject([{ steps: [{ stepId: "a", needs: [] }, { needs: ["lost"] }] }]);
    expect(kindsOf(andAfter(plan, inUnit("a", "a"), closed("a", "stop")))).toEqual(["step.failed"]);
  });
});

describe("a step of a unit", () => {
  it("runs as soon as its dependencies have succeeded, without a separate message", () => {
    const plan = andAfter(lightly(CHAIN), inUnit("s1", "s1"));
    expect(stepOf(plan, "s2").state).toMatchObject({ status: "running", unit: "s1" });
    expect(kindsOf(plan)).toEqual([]);
    expect(plan.inFlight).toBe(1);
  });

  it("accepts an outcome only as a part of its unit", () => {
    const plan = lightly(CHAIN);
    expect(andAfter(plan, succeeded("s1"))).toBe(plan);
    expect(andAfter(plan, inUnit("s1", "other"))).toBe(plan);
    expect(andAfter(plan, inUnit("s2", "s1"))).toBe(plan);
    expect(stepOf(andAfter(plan, inUnit("s1", "s1")), "s1").state.status).toBe("succeeded");
  });

  it("leaves it when it fails, together with its dependents (UNIT-2)", () => {
    const plan = andAfter(lightly(DIAMOND), inUnit("a", "a"), failed("b", 1, { unit: "a", retryable: true }));
    expect(stepOf(plan, "b").state).toMatchObject({ status: "waiting", for: "retry", attempt: 2 });
    expect(stepsLeft(plan)).toEqual([["c"]]);
    const back = andAfter(plan, inUnit("c", "a"), fact("timer.fired", { timer: "retry-b-0-2" }));
    expect(back.units.size).toBe(0);
    expect(aloneOf(back)).toEqual(["b"]);
    expect(aloneOf(andAfter(back, succeeded("b", 1, 2)))).toEqual(["d"]);
  });

  it("leaves it when it becomes ready in a paused plan, and is sent later (UNIT-2)", () => {
    const paused = andAfter(lightly(CHAIN), pauseRequested(), inUnit("s1", "s1"));
    expect(stepOf(paused, "s2").state).toMatchObject({ status: "waiting", for: "resume" });
    expect(andAfter(paused, inUnit("s2", "s1"))).toBe(paused);
    expect(paused.units.size).toBe(0);
    expect(stepsOf(andAfter(paused, resumeRequested()))).toEqual([["s2", "s3"]]);
  });

  it("needs only steps that have succeeded and steps of its unit (UNIT-1)", () => {
    const steps = [
      step("x", [], { tool: "model.write" }),
      ...DIAMOND,
      step("e", ["d", "x"]),
      step("f", ["e"]),
    ];
    expect(stepsOf(lightly(steps))).toEqual([["a", "b", "c", "d"]]);
  });

  it("only reads, at a low risk, and needs no approval (UNIT-3)", () => {
    const grants = { ...GRANTS, "flow.echo": LIGHT, "files.write": { ...LIGHT, effect: "idempotent" } };
    const steps = [step("a"), step("b", ["a"]), step("w", ["a"], { tool: "files.write" }), step("c", ["w"])];
    expect(stepsOf(lightly(steps, { grants }))).toEqual([["a", "b"]]);
  });
});

describe("a unit that its worker closes", () => {
  it("has its steps sent again in small units when it ran out of time", () => {
    const plan = andAfter(lightly(side(40)), inUnit("s0", "s0"), closed("s0", "time"));
    expect(stepsOf(plan).map((steps) => steps.length)).toEqual([16, 16, 7]);
    expect(stepsOf(plan)[0]?.[0]).toBe("s1");
    expect(plan.inFlight).toBe(39);
  });

  it("has its steps sent alone when workers were lost with it", () => {
    const plan = andAfter(lightly(DIAMOND), inUnit("a", "a"), closed("a", "lost"));
    expect(stepsOf(plan)).toEqual([]);
    expect(aloneOf(plan)).toEqual(["b", "c"]);
    const both = andAfter(plan, succeeded("b"), succeeded("c"));
    expect(aloneOf(both)).toEqual(["d"]);
  });

  it("keeps the steps that its worker still runs, and accepts outcomes from no other worker", () => {
    const plan = andAfter(lightly(DIAMOND), inUnit("a", "a"), closed("a", "time", ["b"]));
    expect(aloneOf(plan)).toEqual(["c"]);
    expect(stepOf(andAfter(plan, inUnit("c", "a")), "c").state.status).toBe("running");
    const done = andAfter(plan, inUnit("b", "a"), succeeded("c"));
    expect(aloneOf(done)).toEqual(["d"]);
    expect(done.units.size).toBe(0);
  });

  it("is closed once", () => {
    const plan = andAfter(lightly(CHAIN), closed("s1", "stop"));
    expect(andAfter(plan, closed("s1", "lost"))).toBe(plan);
  });

  it("is not confused with a later one that starts with the same step", () => {
    const plan = andAfter(lightly(CHAIN), closed("s1", "time"));
    expect(unitsOf(plan)).toMatchObject([{ unit: "s1~2", steps: [{ stepId: "s1" }, {}, {}] }]);
    expect(andAfter(plan, inUnit("s1", "s1"))).toBe(plan);
    expect(stepOf(andAfter(plan, inUnit("s1", "s1~2")), "s1").state.status).toBe("succeeded");
  });

  it("returns a step up to five times, after which the step is sent alone", () => {
    const times = ["s1", "s1~2", "s1~3", "s1~4"].map((unit) => closed(unit, "time"));
    const plan = andAfter(lightly(CHAIN), ...times);
    expect(unitsOf(plan)).toMatchObject([{ unit: "s1~5" }]);
    expect(aloneOf(andAfter(plan, closed("s1~5", "time")))).toEqual(["s1"]);
  });
});

describe("a dispatcher that takes over a plan", () => {
  it("sends the rest of a unit under the same id", () => {
    const plan = andAfter(lightly(DIAMOND), inUnit("a", "a"));
    const [command, ...others] = decide(plan);
    expect(others).toEqual([]);
    expect(command).toMatchObject({ kind: "unit", id: "p1/a/unit", work: { unit: "a" } });
    expect(
      command?.kind === "unit" && command.work.steps.map(({ stepId, needs }) => [stepId, needs]),
    ).toEqual([
      ["b", []],
      ["c", []],
      ["d", ["b", "c"]],
    ]);
  });

  it("sends a retried step of a unit alone", () => {
    const plan = andAfter(lightly(side(4)), faltered("s1", 1, { unit: "s0" }));
    expect(stepOf(plan, "s1").state).toEqual({ status: "waiting", for: "retry", attempt: 2 });
  });
});
