import { Step } from "@planwright/plan";
import { expect, it } from "vitest";
import type { StepView } from "../api/api-types.ts";
import { unitedWith } from "../ui/use-stable.ts";
import { graphOf } from "./group-steps.ts";
import { edgesOf, nodesOf } from "./nodes-of.ts";
import { nodeSize } from "./view-port.ts";

const step = (id: string, dependsOn: readonly string[] = []) =>
  ({ ...Step.parse({ id, tool: "flow.echo", dependsOn }), status: "waiting", attempt: 0 }) as StepView;
const onSelect = () => undefined;
const whyOf = () => undefined;
const positions = new Map(["a", "b", "c"].map((id, index) => [id, { x: index, y: 0 }]));

function drawn(steps: readonly StepView[], { selected }: { selected?: string } = {}) {
  const graph = graphOf(steps);
  const options = { graph, criticalPath: ["a"], positions, selected, onSelect, whyOf };
  const nodes = nodesOf({ ...options, direction: "LR", size: nodeSize("LR") });
  return { nodes, edges: edgesOf(graph, ["a"]) };
}

const STEPS = [step("a"), step("b", ["a"]), step("c", ["b"])];

it("leaves every node unchanged except the one whose step has changed", () => {
  const before = drawn(STEPS);
  const running = STEPS.map((one) => (one.id === "b" ? { ...one, status: "running" as const } : one));
  const after = unitedWith(before, drawn(running));
  expect(after.nodes.map((node, index) => node === before.nodes[index])).toEqual([true, false, true]);
  expect(after.edges.map((edge, index) => edge === before.edges[index])).toEqual([false, true]);
  expect(after.nodes[1]?.data.model).toMatchObject({ step: { id: "b", status: "running" } });
});

it("redraws the newly and previously selected nodes, and nothing for an equal view", () => {
  const before = drawn(STEPS, { selected: "a" });
  const after = unitedWith(before, drawn(STEPS, { selected: "c" }));
  expect(after.nodes.map((node, index) => node === before.nodes[index])).toEqual([false, true, false]);
  expect(unitedWith(after, drawn(structuredClone(STEPS), { selected: "c" }))).toBe(after);
});

it("has no node for a step without a layout", () => {
  expect(drawn([...STEPS, step("d")]).nodes.map(({ id }) => id)).toEqual(["a", "b", "c"]);
});
