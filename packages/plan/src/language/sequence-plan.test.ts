import { describe, expect, it } from "vitest";
import { Step } from "./plan-language.ts";
import { sequence } from "./sequence-plan.ts";

const step = (id: string, dependsOn: string[] = [], args: object = {}) =>
  Step.parse({ id, tool: "flow.wait", dependsOn, args });

describe("steps in sequence", () => {
  it("wait for the step before, in addition to their own dependencies", () => {
    const steps = sequence([step("a"), step("b"), step("c", ["a"])]);
    expect(steps.map(({ dependsOn }) => dependsOn)).toEqual([[], ["a"], ["a", "b"]]);
  });

  it("stay unchanged if they already wait", () => {
    const steps = [step("a"), step("b", ["a"]), step("c", [], { value: "{{b.output}}" })];
    expect(sequence(steps)).toEqual(steps);
    expect(sequence([])).toEqual([]);
  });

  it("do not wait for a fallback, nor does a verification wait for the step before it", () => {
    const steps = [
      Step.parse({ id: "a", tool: "flow.wait", fallback: "f" }),
      step("f"),
      step("b"),
      Step.parse({ id: "check", tool: "flow.wait", verifies: "a", dependsOn: ["a"] }),
      step("c"),
    ];
    expect(sequence(steps).map(({ dependsOn }) => dependsOn)).toEqual([[], [], ["a"], ["a"], ["check"]]);
  });
});
