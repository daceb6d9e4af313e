import { describe, expect, it } from "vitest";
import { dependenciesOf } from "./dependencies.ts";
import { Step } from "./plan-language.ts";

const step = (args: object, dependsOn: string[] = []) =>
  Step.parse({ id: "s9", tool: "flow.echo", args, dependsOn });

describe("the dependencies of a step", () => {
  it("are empty when it names none and refers to none", () => {
    expect(dependenciesOf(step({ value: "plain {text}" }))).toEqual([]);
  });

  it("are the steps that it names, then those its arguments refer to, at any depth and inside strings", () => {
    const args = {
      value: { list: [{ $ref: "s2.output.rows[0]" }], text: "see {{ s3.output }} and {{s4.output.x}}" },
    };
    const [first, ...others] = dependenciesOf(step(args, ["s1"]));
    expect(first).toBe("s1");
    expect(others.toSorted()).toEqual(["s2", "s3", "s4"]);
  });

  it("appear once, however often they are named", () => {
    expect(dependenciesOf(step({ value: "{{s1.output.a}} {{s1.output.b}}" }, ["s1", "s1"]))).toEqual(["s1"]);
  });

  it("exclude text that only looks like a reference", () => {
    expect(dependenciesOf(step({ value: "{{ not a reference }}", other: { $ref: "s1" } }))).toEqual([]);
  });
});
