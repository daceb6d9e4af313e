import { dependenciesOf as planDependenciesOf, Step } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { dependenciesOf, layersOf, topologyOf } from "./topology.ts";

const step = (id: string, fields: object = {}) => Step.parse({ id, tool: "flow.echo", ...fields });

describe("dependencies", () => {
  it.each([
    { name: "named ones", fields: { dependsOn: ["a", "b"] } },
    { name: "the one that it verifies", fields: { verifies: "a", dependsOn: ["b"] } },
    { name: "references to values", fields: { args: { value: { $ref: "a.output.items[0]" } } } },
    { name: "references inside of text", fields: { args: { value: ["{{a.output}} and {{ b.output.x }}"] } } },
    { name: "the same step twice", fields: { dependsOn: ["a"], args: { x: { $ref: "a.output" } } } },
    {
      name: "what only looks like a reference",
      fields: { args: { x: { $ref: "nonsense" }, y: "{{a}} {{b.outputs}" } },
    },
  ])("are those that the plan sees: $name", ({ fields }) => {
    const planned = step("z", fields);
    expect(new Set(dependenciesOf(planned))).toEqual(new Set(planDependenciesOf(planned)));
  });
});

describe("the topology of a plan", () => {
  it("has the same key whatever the steps say and do, and another when an edge is new", () => {
    const key = topologyOf([step("a"), step("b", { dependsOn: ["a"] })]).key;
    expect(
      topologyOf([step("a", { description: "x" }), step("b", { args: { v: "{{a.output}}" } })]).key,
    ).toBe(key);
    expect(topologyOf([step("a"), step("b")]).key).not.toBe(key);
  });

  it("leaves out edges from steps that are not there", () => {
    expect(topologyOf([step("a", { dependsOn: ["gone", "a"] })]).edges).toEqual([]);
  });

  it("leads from a step to its fallback, which is after it", () => {
    const topology = topologyOf([step("b"), step("a", { fallback: "b" }), step("c", { fallback: "gone" })]);
    expect(topology.edges).toEqual([{ from: "a", to: "b", isFallback: true }]);
    expect(Object.fromEntries(layersOf(topology))).toEqual({ b: 1, a: 0, c: 0 });
  });

  it("has layers by the longest way from the start", () => {
    const { ids, edges } = topologyOf([
      step("d", { dependsOn: ["a", "c"] }),
      step("a"),
      step("b", { dependsOn: ["a"] }),
      step("c", { dependsOn: ["b"] }),
    ]);
    expect(Object.fromEntries(layersOf({ ids, edges }))).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  });

  it("has layers even with a cycle", () => {
    const edges = [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ];
    expect([...layersOf({ ids: ["a", "b"], edges }).keys()]).toEqual(["a", "b"]);
  });
});
