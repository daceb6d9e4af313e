import { describe, expect, it } from "vitest";
import type { Direction } from "./layout-types.ts";
import { nextNode, tiesOf } from "./next-node.ts";

/** `start` before three nodes, two of which are before `join`; `alone` has no dependencies. In the plan's order. */
const TOPOLOGY = {
  ids: ["start", "alone", "low", "top", "middle", "join"],
  edges: [
    ...["low", "top", "middle"].map((to) => ({ from: "start", to })),
    ...["low", "top"].map((from) => ({ from, to: "join" })),
  ],
};
const PLACES: readonly [string, number, number][] = [
  ["start", 0, 1.2],
  ["alone", 0, 3],
  ["top", 1, 0],
  ["middle", 1, 1],
  ["low", 1, 2],
  ["join", 2, 0.4],
];

function graph(direction: Direction, hidden: readonly string[] = []) {
  const places = PLACES.filter(([id]) => !hidden.includes(id));
  const positions = new Map(
    places.map(([id, along, across]) => [
      id,
      direction === "LR" ? { x: along, y: across } : { x: across, y: along },
    ]),
  );
  return { topology: TOPOLOGY, positions, direction };
}

function path(from: string, keys: string, direction: Direction = "LR"): (string | undefined)[] {
  let at: string | undefined = from;
  return keys.split(" ").map((key) => (at = nextNode(key, at ?? "", graph(direction))));
}

describe("from left to right", () => {
  it("goes to the nearest dependent of a node, and to its nearest dependency", () => {
    expect(path("start", "ArrowRight")).toEqual(["middle"]);
    expect(path("low", "ArrowRight ArrowLeft ArrowLeft")).toEqual(["join", "top", "start"]);
  });

  it("goes up and down by the position of nodes in a layer, regardless of the plan's order", () => {
    expect(path("top", "ArrowDown ArrowDown ArrowUp")).toEqual(["middle", "low", "middle"]);
    expect(path("start", "ArrowDown")).toEqual(["alone"]);
  });

  it("stays at the last node in a direction", () => {
    expect(["ArrowUp", "ArrowLeft", "ArrowRight"].map((key) => path("alone", key)[0])).toEqual([
      "start",
      undefined,
      undefined,
    ]);
    expect(path("low", "ArrowDown")).toEqual([undefined]);
    expect(path("join", "ArrowRight")).toEqual([undefined]);
    expect(path("gone", "ArrowDown")).toEqual([undefined]);
  });

  it("goes to the plan's first and last node, and ignores other keys", () => {
    expect(path("middle", "End Home")).toEqual(["join", "start"]);
    expect(["Enter", "a", "constructor"].map((key) => path("low", key)[0])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it("rotates the arrows with the plan: in a top-to-bottom layout, down leads to dependents", () => {
  expect(path("start", "ArrowDown ArrowRight ArrowLeft ArrowUp", "TB")).toEqual([
    "middle",
    "low",
    "middle",
    "start",
  ]);
});

it("never leads to a node that is not drawn", () => {
  const hidden = graph("LR", ["join", "middle"]);
  expect(nextNode("End", "start", hidden)).toBe("top");
  expect(nextNode("ArrowRight", "low", hidden)).toBeUndefined();
  expect(nextNode("ArrowDown", "top", hidden)).toBe("low");
});

it("counts the dependencies and dependents of each node, each edge once", () => {
  const ties = tiesOf({ ...TOPOLOGY, edges: [...TOPOLOGY.edges, ...TOPOLOGY.edges] });
  expect([ties.get("start"), ties.get("join"), ties.get("alone")]).toEqual([
    { needs: 0, neededBy: 3 },
    { needs: 2, neededBy: 0 },
    { needs: 0, neededBy: 0 },
  ]);
});
