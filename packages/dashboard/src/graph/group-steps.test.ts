import type { StepId } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import type { StepView } from "../api/api-types.ts";
import { graphOf, NODES_MAX } from "./group-steps.ts";
import { isChain, layeredGrid } from "./use-layout.ts";
import { layersOf } from "./topology.ts";

const step = (id: string, dependsOn: string[] = [], tool = "flow.echo"): StepView => ({
  id: id as StepId,
  description: "",
  tool,
  args: {},
  dependsOn: dependsOn as StepId[],
  grant: { pool: "default", risk: "low", effect: "read", timeoutMs: 1 },
  draft: 1,
  status: "waiting",
  attempt: 0,
  failedAttempts: [],
});
const many = (count: number, make: (index: number) => StepView) =>
  Array.from({ length: count }, (_, index) => make(index));
const SIZE = { width: 100, height: 50, gapAlong: 40, gapAcross: 10 };

describe("the graph of a plan", () => {
  it("shows every step of a plan that is small enough", () => {
    expect(graphOf(many(NODES_MAX, (index) => step(`s${index}`))).nodes).toHaveLength(NODES_MAX);
  });

  it("shows a large fan-out as groups of similar steps, between the steps around it", () => {
    const leaves = many(998, (index) =>
      step(`s${index}`, ["start"], index < 900 ? "docs.search" : "http.fetch"),
    );
    const join = step(
      "join",
      leaves.map((leaf) => leaf.id),
    );
    const { nodes, topology } = graphOf([step("start"), ...leaves, join]);
    expect(nodes.map((node) => [node.kind, node.kind === "group" ? node.steps.length : node.id])).toEqual([
      ["step", "start"],
      ["group", 900],
      ["group", 98],
      ["step", "join"],
    ]);
    expect(topology.edges).toHaveLength(4);
  });

  it("groups many equal chains by their layers", () => {
    const chains = Array.from({ length: 100 }, (_, index) => [
      step(`a${index}`),
      step(`b${index}`, [`a${index}`]),
      step(`c${index}`, [`b${index}`]),
    ]).flat();
    const { nodes, topology } = graphOf(chains);
    expect(nodes).toHaveLength(3);
    expect([...layersOf(topology).values()]).toEqual([0, 1, 2]);
  });

  it("loses no step when grouping", () => {
    const steps = many(400, (index) => step(`n${index}`, index < 7 ? [] : [`n${Math.floor(index / 3)}`]));
    const shown = graphOf(steps).nodes.flatMap((node) => (node.kind === "group" ? node.steps : [node.step]));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(400);
  });
});

describe("the grid for graphs that are too large for a good layout", () => {
  const chain = graphOf(
    many(300, (index) => step(`n${index}`, index === 0 ? [] : [`n${index - 1}`])),
  ).topology;

  it.each(["LR", "TB"] as const)("places no two nodes at the same position (%s)", (direction) => {
    const positions = layeredGrid({ ...chain, direction, size: SIZE });
    const places = [...positions.values()].map(({ x, y }) => `${x},${y}`);
    expect(new Set(places).size).toBe(300);
  });

  it("reads like text: each step comes after its dependencies, to the right or further down", () => {
    const positions = layeredGrid({ ...chain, direction: "LR", size: SIZE });
    const inOrder = [...positions].toSorted(([, left], [, right]) => left.y - right.y || left.x - right.x);
    expect(inOrder.map(([id]) => id)).toEqual(chain.ids);
  });

  it("is used for chains, not for short or wide graphs", () => {
    const fan = [step("a"), ...many(20, (index) => step(`s${index}`, ["a"]))];
    expect(isChain(chain)).toBe(true);
    expect(isChain(graphOf(fan).topology)).toBe(false);
    expect(isChain(graphOf([step("a"), step("b", ["a"])]).topology)).toBe(false);
  });
});
