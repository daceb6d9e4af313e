import { Step } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { layersOf, topologyOf } from "./topology.ts";

const step = (id: string, fields: object = {}) => Step.parse({ id, tool: "flow.echo", ...fields });

describe("the topology of a plan", () => {
  it("has the same key when steps change their text or status, and another when an edge is added", () => {
    const key = topologyOf([step("a"), step("b", { dependsOn: ["a"] })]).key;
    expect(
      topologyOf([step("a", { description: "x" }), step("b", { args: { v: "{{a.output}}" } })]).key,
    ).toBe(key);
    expect(topologyOf([step("a"), step("b")]).key).not.toBe(key);
  });

  it("omits edges from steps that are not in the plan", () => {
    expect(topologyOf([step("a", { dependsOn: ["gone", "a"] })]).edges).toEqual([]);
  });

  it("has an edge from a step to its fallback, which is in a later layer", () => {
    const topology = topologyOf([step("b"), step("a", { fallback: "b" }), step("c", { fallback: "gone" })]);
    expect(topology.edges).toEqual([{ from: "a", to: "b", isFallback: true }]);
    expect(Object.fromEntries(layersOf(topology))).toEqual({ b: 1, a: 0, c: 0 });
  });

  it("assigns layers by the longest path from the start", () => {
    const { ids, edges } = topologyOf([
      step("d", { dependsOn: ["a", "c"] }),
      step("a"),
      step("b", { dependsOn: ["a"] }),
      step("c", { dependsOn: ["b"] }),
    ]);
    expect(Object.fromEntries(layersOf({ ids, edges }))).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  });

  it("assigns layers even with a cycle", () => {
    const edges = [
      { from: "a", to: "b" },
      { from: "b", to: "a" },
    ];
    expect([...layersOf({ ids: ["a", "b"], edges }).keys()]).toEqual(["a", "b"]);
  });
});
