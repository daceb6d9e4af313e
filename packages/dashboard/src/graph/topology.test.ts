import { Step } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { layersOf, topologyOf } from "./topology.ts";

const step = (id: string, fields: object = {}) => Step.parse({ id, tool: "flow.echo", ...fields });

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
