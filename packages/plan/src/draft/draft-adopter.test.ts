import { describe, expect, it } from "vitest";
import { StepId } from "../values/ids.ts";
import { Step } from "../language/plan-language.ts";
import { createDraftAdopter } from "./draft-adopter.ts";

const step = (id: string, value: unknown = id, rest: object = {}) =>
  Step.parse({ id, tool: "flow.echo", args: { value }, ...rest });
const earlier = (...steps: [Step, boolean][]) =>
  new Map(steps.map(([own, usable]) => [own.id, { step: own, usable, done: usable }]));

describe("a draft's step", () => {
  it("is kept unchanged when its id is new", () => {
    const adopter = createDraftAdopter(1, new Map());
    const own = step("a", { $ref: "b.output" });
    expect(adopter.adopt(own)).toEqual({ step: own, reused: false });
    expect(adopter.idOf("a")).toBe("a");
    expect(adopter.idOf("zzz")).toBeUndefined();
    expect(adopter.idOf("not an id")).toBeUndefined();
  });

  it("is an earlier one that succeeded with the same content, whatever their ids", () => {
    const done = step("s1", { b: 1, a: ["x"] }, { description: "look" });
    const adopter = createDraftAdopter(2, earlier([done, true]));
    expect(adopter.adopt(step("s1", { a: ["x"], b: 1 }, { description: "look again" }))).toEqual({
      step: done,
      reused: true,
    });
    expect(adopter.adopt(step("s7", { a: ["x"], b: 1 }))).toEqual({ step: done, reused: true });
    expect(adopter.idOf("s7")).toBe("s1");
    expect(adopter.adopt(step("s8", { $ref: "s7.output" })).step.args).toEqual({
      value: { $ref: "s1.output" },
    });
  });

  it.each([
    ["other arguments", step("s1", "other")],
    ["other dependencies", step("s1", "same", { dependsOn: ["s0"] })],
    ["another tool", { ...step("s1", "same"), tool: "flow.wait" }],
    ["another pool", step("s1", "same", { agent: "researcher" })],
    ["another model", step("s1", "same", { model: "small" })],
  ])("is a new one when it has %s", (_name, own) => {
    const adopter = createDraftAdopter(2, earlier([step("s1", "same"), true], [step("s0"), true]));
    expect(adopter.adopt(own)).toEqual({ step: { ...own, id: "s1-d2" }, reused: false });
  });

  it("is a new one when the earlier one did not succeed, even with the same content", () => {
    const adopter = createDraftAdopter(3, earlier([step("s1"), false]));
    expect(adopter.adopt(step("s1", "s1")).step.id).toBe("s1-d3");
    expect(adopter.idOf("s1")).toBe("s1-d3");
  });

  it("is followed by every reference to it, and by no reference to an earlier one", () => {
    const adopter = createDraftAdopter(
      2,
      earlier([step("s1"), true], [step("s2"), true], [step("s3"), false]),
    );
    const before = adopter.adopt(
      step("s3", "{{s1.output}} and {{ s2.output.x }}", { dependsOn: ["s1"] }),
    ).step;
    expect(before).toMatchObject({
      id: "s3-d2",
      dependsOn: ["s1"],
      args: { value: "{{s1.output}} and {{ s2.output.x }}" },
    });

    adopter.adopt(step("s1", "changed"));
    const value = [
      "{{s1.output}} {{ s1.output[0] }} {{s2.output}} s1.output",
      { deep: { $ref: 's1.output["s1"]' }, n: 1 },
    ];
    const after = adopter.adopt(step("s4", value, { dependsOn: ["s1", "s2", "s3"] })).step;
    expect(after.dependsOn).toEqual(["s1-d2", "s2", "s3-d2"]);
    expect(after.args).toEqual({
      value: [
        "{{s1-d2.output}} {{ s1-d2.output[0] }} {{s2.output}} s1.output",
        { deep: { $ref: 's1-d2.output["s1"]' }, n: 1 },
      ],
    });
    expect(adopter.idOf("s2")).toBe("s2");
  });

  it("never gets an id that is taken, nor one that is too long", () => {
    const long = "x".repeat(64);
    const adopter = createDraftAdopter(
      2,
      earlier([step("s1"), false], [step("s1-d2"), false], [step(long), false]),
    );
    expect(adopter.adopt(step("s1", 1)).step.id).toBe("s1-d2-2");
    expect(adopter.adopt(step("s1-d2-2", 2)).step.id).toBe("s1-d2-2-d2");
    expect(adopter.adopt(step(long, 3)).step.id).toBe(`${"x".repeat(61)}-d2`);
    expect(StepId.safeParse(adopter.idOf(long)).success).toBe(true);
  });

  it("keeps text that only looks like a reference", () => {
    const adopter = createDraftAdopter(2, earlier([step("s1"), false]));
    adopter.adopt(step("s1", "x"));
    const value = ["{{ s1 }}", { $ref: "s1" }, "{{}}"];
    expect(adopter.adopt(step("s2", value)).step.args).toEqual({ value });
  });

  it("has its fallback named before that one is planned, and verifies the step it refers to", () => {
    const adopter = createDraftAdopter(2, earlier([step("s1"), false], [step("s2"), false]));
    const first = adopter.adopt(step("s1", "x", { fallback: "s2" })).step;
    expect(first).toMatchObject({ id: "s1-d2", fallback: "s2-d2" });
    expect(adopter.adopt(step("check", 1, { verifies: "s1" })).step.verifies).toBe("s1-d2");
    expect(adopter.adopt(step("s2")).step.id).toBe("s2-d2");
  });

  it("needs no fallback once its result exists", () => {
    const done = step("s1", "same", { fallback: "s2" });
    const adopter = createDraftAdopter(2, earlier([done, true], [step("s2"), false]));
    expect(adopter.adopt(step("s1", "same", { fallback: "s9" }))).toEqual({ step: done, reused: true });
    expect(adopter.adopt(step("s9", "other"))).toEqual({ step: done, reused: true });
    expect(adopter.adopt(step("s3", "{{s9.output}}")).step.args).toEqual({ value: "{{s1.output}}" });
  });

  it("keeps the fallback of a step that continues, and does not reuse a step that lacks the fallback", () => {
    const open = (...steps: Step[]) =>
      new Map(steps.map((own) => [own.id, { step: own, usable: true, done: false }]));
    const running = step("s1", "same", { fallback: "s2" });
    const standby = step("s2", "standby");
    const adopter = createDraftAdopter(2, open(running, standby, step("s3", "bare")));
    expect(adopter.adopt(step("a", "same", { fallback: "b" }))).toEqual({ step: running, reused: true });
    expect(adopter.adopt(step("b", "whatever"))).toEqual({ step: standby, reused: true });
    expect(adopter.adopt(step("c", "bare", { fallback: "d" }))).toMatchObject({ reused: false });
    // A step that only waits as a fallback is not reused for anything else.
    expect(adopter.adopt(step("e", "standby"))).toMatchObject({ reused: false, step: { id: "e" } });
  });

  it("runs for each item of a list, under a condition, by the current ids; `item` is not a step", () => {
    const adopter = createDraftAdopter(2, earlier([step("s1"), false], [step("item"), false]));
    adopter.adopt(step("s1", "anew"));
    adopter.adopt(step("item", "a step of that name"));
    const each = { forEach: { $ref: "s1.output.rows" }, when: "s1.output.ok", verifies: "s1" };
    expect(adopter.adopt(step("s2", "{{item.name}} of {{s1.output.name}}", each)).step).toMatchObject({
      args: { value: "{{item.name}} of {{s1-d2.output.name}}" },
      forEach: { $ref: "s1-d2.output.rows" },
      when: "s1-d2.output.ok",
      verifies: "s1-d2",
    });
    expect(adopter.adopt(step("s3", "{{item}}", { forEach: [1, 2] })).step.forEach).toEqual([1, 2]);
    expect(adopter.adopt(step("s4", "{{item.output}}")).step.args).toEqual({ value: "{{item-d2.output}}" });
  });
});
