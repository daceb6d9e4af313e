import { describe, expect, it } from "vitest";
import type { PlanView } from "../api/api-types.ts";
import { moveInTree, type NodeState, type SearchNode, searchRows, visibleRows } from "./search-rows.ts";

type Sketch = Omit<Partial<SearchNode>, "id" | "parent"> & { readonly id: string; readonly parent?: string };

const SETTINGS = { iterations: 4, width: 2, depth: 3, exploration: 1 };
const NODE = { round: 1, status: "open", visits: 1, value: 0.5, reason: "", meanValue: 0.5, uct: 1 } as const;

/** The part of a view that the page reads; the steps in the order of the nodes. */
function searched(nodes: readonly Sketch[], more: object = {}, view: object = {}) {
  const steps = nodes.map(({ id }) => ({ id, description: `Try ${id}`, status: "succeeded" }));
  const search = {
    settings: SETTINGS,
    phase: "expanding",
    rounds: [{ round: 1 }],
    root: { visits: 9, meanValue: 0.5 },
    nodes: nodes.map((node) => ({ ...NODE, depth: 1, ...node })),
    bestPath: [],
    ...more,
  };
  // As the gateway sends it, with only the fields that are read.
  return { steps, search, ...view } as unknown as PlanView & { search: NonNullable<PlanView["search"]> };
}

const TREE: readonly Sketch[] = [
  { id: "a" },
  { id: "b" },
  { id: "a1", parent: "a", depth: 2, visits: 4 },
  { id: "b1", parent: "b", depth: 2 },
  { id: "c", parent: "a1", depth: 3 },
];

describe("the rows of a search", () => {
  it("are below their parents, with siblings in planning order, each with its position", () => {
    const view = searched(TREE, { bestPath: ["a", "a1"] });
    view.search.nodes.reverse();
    const rows = searchRows(view);
    expect(
      rows.map(({ node, level, position, siblings, children, parentVisits }) => {
        return [node.id, level, position, siblings, children, parentVisits];
      }),
    ).toEqual([
      ["a", 1, 1, 2, 1, 9],
      ["a1", 2, 1, 1, 1, 1],
      ["c", 3, 1, 1, 0, 4],
      ["b", 1, 2, 2, 1, 9],
      ["b1", 2, 1, 1, 0, 1],
    ]);
    expect(rows.filter(({ isOnBestPath }) => isOnBestPath).map(({ node }) => node.id)).toEqual(["a", "a1"]);
  });

  it.each<[NodeState, Sketch, object, object]>([
    ["expanded", { id: "a" }, {}, {}],
    ["open", { id: "b1", parent: "b", depth: 2 }, {}, {}],
    ["next", { id: "b1", parent: "b", depth: 2 }, { rounds: [{ round: 1 }, { round: 2, leaf: "b1" }] }, {}],
    ["open", { id: "b1" }, { phase: "answering", rounds: [{ round: 2, leaf: "b1" }] }, {}],
    ["deep", { id: "b1", parent: "b", depth: 3 }, {}, {}],
    ["left", { id: "b1", parent: "b", depth: 2 }, {}, { endedAt: "2026-01-01T00:00:00Z" }],
    ["valuing", { id: "b1", uct: null }, {}, {}],
    ["solved", { id: "a", status: "solved" }, {}, {}],
    ["failed", { id: "b1", status: "failed", uct: null }, {}, {}],
  ])("show that a node is %s: %j", (state, node, search, view) => {
    const nodes = TREE.map((other) => (other.id === node.id ? { ...other, ...node } : other));
    const row = searchRows(searched(nodes, search, view)).find((one) => one.node.id === node.id);
    expect(row?.state).toBe(state);
  });

  it("show an action as being tried while its step runs or is still missing", () => {
    const view = searched([{ id: "a", uct: null }]);
    const running = view.steps.map((step) => ({ ...step, status: "running" as const }));
    expect(searchRows({ ...view, steps: running })[0]?.state).toBe("trying");
    expect(searchRows({ ...view, steps: [] })[0]?.state).toBe("trying");
  });

  it("list the rounds that continued from a node, and include a node whose parent is missing", () => {
    const rounds = [{ round: 1 }, { round: 2, leaf: "x" }, { round: 3, leaf: "x" }];
    const [row] = searchRows(searched([{ id: "x", parent: "gone" }], { rounds }));
    expect(row).toMatchObject({ level: 1, chosenIn: [2, 3], parentVisits: 9 });
  });
});

describe("the tree's keys", () => {
  const rows = searchRows(searched(TREE));
  const move = (key: string, active: string, collapsed: readonly string[] = []) => {
    const closed = new Set(collapsed);
    return moveInTree(key, visibleRows(rows, closed), { active, collapsed: closed });
  };

  it.each([
    ["ArrowDown", "a", [], { to: "a1" }],
    ["ArrowDown", "a", ["a"], { to: "b" }],
    ["ArrowDown", "b1", [], undefined],
    ["ArrowUp", "b", [], { to: "c" }],
    ["ArrowUp", "a", [], undefined],
    ["Home", "b1", [], { to: "a" }],
    ["End", "a", ["b"], { to: "b" }],
    ["ArrowRight", "a", ["a"], { open: ["a"] }],
    ["ArrowRight", "a", [], { to: "a1" }],
    ["ArrowRight", "c", [], undefined],
    ["ArrowLeft", "a1", [], { close: "a1" }],
    ["ArrowLeft", "c", [], { to: "a1" }],
    ["ArrowLeft", "a", ["a"], undefined],
    ["*", "b", ["a"], { open: ["a", "b"] }],
    ["t", "b1", [], { to: "a" }],
    ["x", "a", [], undefined],
    ["Tab", "a", [], undefined],
  ] as const)("%s at %s, with %j closed: %j", (key, active, collapsed, wanted) => {
    expect(move(key, active, collapsed)).toEqual(wanted);
  });
});

it("shows 200 rows for 200 nodes, and hides the descendants of a closed one", () => {
  const nodes = Array.from({ length: 200 }, (_, index) =>
    index < 8 ? { id: `n${index}` } : { id: `n${index}`, parent: `n${index % 8}`, depth: 2 },
  );
  const rows = searchRows(searched(nodes));
  expect(rows).toHaveLength(200);
  expect(visibleRows(rows, new Set(nodes.map(({ id }) => id)))).toHaveLength(8);
});
