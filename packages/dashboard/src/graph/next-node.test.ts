import { describe, expect, it } from "vitest";
import type { Direction } from "./layout-types.ts";
import { nextNode, tiesOf } from "./next-node.ts";

/** `start` before three, of which two are before `join`; `alone` waits for nothing. Listed as the plan lists them. */
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
  it("goes to the nearest that waits for a node, and to the nearest that it waits for", () => {
    expect(path("start", "ArrowRight")).toEqual(["middle"]);
    expect(path("low", "ArrowRight ArrowLeft ArrowLeft")).toEqual(["join", "top", "start"]);
  });

  it("goes up and down as the nodes of a layer stand, whatever the plan's order", () => {
    expect(path("top", "ArrowDown ArrowDown ArrowUp")).toEqual(["middle", "low", "middle"]);
    expect(path("start", "ArrowDown")).toEqual(["alone"]);
  });

  it("stays where nothing lies further", () => {
    expect(["ArrowUp", "ArrowLeft", "ArrowRight"].map((key) => path("alone", key)[0])).toEqual([
      "start",
      undefined,
      undefined,
    ]);
    expect(path("low", "ArrowDown")).toEqual([undefined]);
    expect(path("join", "ArrowRight")).toEqual([undefined]);
    expect(path("gone", "ArrowDown")).toEqual([undefined]);
  });

  it("goes to the plan's first and last, and nowhere with other keys", () => {
    expect(path("middle", "End Home")).toEqual(["join", "start"]);
    expect(["Enter", "a", "constructor"].map((key) => path("low", key)[0])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it("turns the arrows with the plan: from top to bottom, down leads to what waits", () => {
  expect(path("start", "ArrowDown ArrowRight ArrowLeft ArrowUp", "TB")).toEqual([
    "middle",
    "low",
    "middle",
    "start",
  ]);
});

it("leads to no node that is not drawn", () => {
  const hidden = graph("LR", ["join", "middle"]);
  expect(nextNode("End", "start", hidden)).toBe("top");
  expect(nextNode("ArrowRight", "low", hidden)).toBeUndefined();
  expect(nextNode("ArrowDown", "top", hidden)).toBe("low");
});

it("counts what each waits for, each edge once", () => {
  const ties = tiesOf({ ...TOPOLOGY, edges: [...TOPOLOGY.edges, ...TOPOLOGY.edges] });
  expect([ties.get("start"), ties.get("join"), ties.get("alone")]).toEqual([
    { needs: 0, neededBy: 3 },
    { needs: 2, neededBy: 0 },
    { needs: 0, neededBy: 0 },
  ]);
});
