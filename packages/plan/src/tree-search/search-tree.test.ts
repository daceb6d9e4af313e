import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StepId } from "../values/ids.ts";
import {
  backpropagate,
  bestPath,
  expandNode,
  meanOf,
  type NodeValue,
  pathTo,
  refuteNode,
  SEED,
  type SearchTree,
  selectLeaf,
  uctOf,
} from "./search-tree.ts";

const id = (text: string) => StepId.parse(text);
const open = (value: number): NodeValue => ({ status: "open", value, reason: "" });
const LIMITS = { exploration: 1, depth: 3 };

/** Expands the node that UCT chooses, and assigns each action its value. Returns the chosen node too. */
function round(tree: SearchTree, number: number, actions: Record<string, NodeValue>) {
  const chosen = selectLeaf(tree, LIMITS);
  if (chosen === undefined) throw new Error("wanted a leaf");
  const ids = Object.keys(actions).map(id);
  const grown = expandNode(tree, chosen.leaf, { actions: ids, round: number });
  const valued = Object.entries(actions).reduce(
    (at, [name, value]) => backpropagate(at, id(name), value),
    grown,
  );
  return { tree: valued, chosen: chosen.leaf };
}

const statsOf = (tree: SearchTree) =>
  Object.fromEntries([
    ["root", [tree.root.visits, tree.root.total]],
    ...tree.nodes.valueSeq().map((node) => [node.id, [node.visits, Number(node.total.toFixed(6))]]),
  ]);
const uctsOf = (tree: SearchTree, names: readonly string[]) =>
  names.map((name) => {
    const node = tree.nodes.get(id(name));
    const parent = node?.parent === undefined ? tree.root : tree.nodes.get(node.parent);
    if (node === undefined || parent === undefined) throw new Error(`wanted a node, got ${name}`);
    return Number(uctOf(node, parent, LIMITS.exploration).toFixed(4));
  });

/*
 * By hand, with exploration 1, two actions a round and UCT = mean + sqrt(ln(visits of the parent) / visits):
 *
 *   round 1  the root is expanded: a = 0.8, b = 0.6. root 2 visits, 1.4 in all.
 *   round 2  a: 0.8 + sqrt(ln 2 / 1) = 0.8 + 0.8326 = 1.6326; b: 0.6 + 0.8326 = 1.4326. a is expanded:
 *            a1 = 0.2, a2 = 0.1. a 3 visits, 0.8 + 0.2 + 0.1 = 1.1, mean 0.3667; root 4 visits, 1.7.
 *   round 3  a: 0.3667 + sqrt(ln 4 / 3) = 0.3667 + 0.6798 = 1.0464; b: 0.6 + sqrt(ln 4 / 1) = 0.6 + 1.1774 = 1.7774.
 *            Back to b: b1 = 0.9, b2 = 0.3. b 3 visits, 1.8, mean 0.6; root 6 visits, 2.9.
 *   round 4  a: 0.3667 + sqrt(ln 6 / 3) = 0.3667 + 0.7728 = 1.1395; b: 0.6 + 0.7728 = 1.3728. Below b,
 *            b1: 0.9 + sqrt(ln 3 / 1) = 0.9 + 1.0481 = 1.9481; b2: 0.3 + 1.0481 = 1.3481. b1 is expanded: c = 1, which
 *            solves the goal, d = 0.4. b1 3 visits, 2.3; b 5 visits, 3.2; root 8 visits, 4.3.
 *   The best path is b, b1, c.
 */
it("selects, expands, passes values up and finds the best path as computed by hand", () => {
  const first = round(SEED, 1, { a: open(0.8), b: open(0.6) });
  expect(first.chosen).toBeUndefined();
  expect(statsOf(first.tree)).toEqual({ root: [2, 1.4], a: [1, 0.8], b: [1, 0.6] });
  expect(uctsOf(first.tree, ["a", "b"])).toEqual([1.6326, 1.4326]);

  const second = round(first.tree, 2, { a1: open(0.2), a2: open(0.1) });
  expect(second.chosen).toBe("a");
  expect(statsOf(second.tree)).toMatchObject({ root: [4, expect.closeTo(1.7)], a: [3, 1.1] });
  expect(uctsOf(second.tree, ["a", "b"])).toEqual([1.0464, 1.7774]);

  const third = round(second.tree, 3, { b1: open(0.9), b2: open(0.3) });
  expect(third.chosen, "backtracks").toBe("b");
  expect(statsOf(third.tree)).toMatchObject({ root: [6, expect.closeTo(2.9)], b: [3, 1.8] });
  expect(uctsOf(third.tree, ["a", "b", "b1", "b2"])).toEqual([1.1395, 1.3728, 1.9481, 1.3481]);
  expect(bestPath(third.tree)).toEqual(["b", "b1"]);

  const fourth = round(third.tree, 4, { c: { status: "solved", value: 1, reason: "done" }, d: open(0.4) });
  expect(fourth.chosen).toBe("b1");
  expect(statsOf(fourth.tree)).toEqual({
    root: [8, expect.closeTo(4.3)],
    a: [3, 1.1],
    b: [5, 3.2],
    a1: [1, 0.2],
    a2: [1, 0.1],
    b1: [3, 2.3],
    b2: [1, 0.3],
    c: [1, 1],
    d: [1, 0.4],
  });
  expect(bestPath(fourth.tree)).toEqual(["b", "b1", "c"]);
  expect(pathTo(fourth.tree, id("d"))).toEqual(["b", "b1", "d"]);
});

describe("a leaf to expand", () => {
  const failed = { status: "failed", value: 0, reason: "boom" } as const;

  it("is not an action that failed, solved the goal or is at the maximum depth", () => {
    const { tree } = round(SEED, 1, {
      a: failed,
      b: open(0.1),
      c: { ...failed, status: "solved", value: 1 },
    });
    expect(selectLeaf(tree, LIMITS)).toEqual({ leaf: "b" });
    expect(selectLeaf(tree, { ...LIMITS, depth: 1 })).toBeUndefined();
  });

  it("is above a branch that is exhausted", () => {
    const { tree } = round(round(SEED, 1, { a: open(0.9), b: open(0.1) }).tree, 2, {
      a1: failed,
      a2: failed,
    });
    // By its bound, a would be next: 0.3 + sqrt(ln 4 / 3) against 0.1 + sqrt(ln 4).
    expect(selectLeaf(tree, { ...LIMITS, exploration: 0 })).toEqual({ leaf: "b" });
  });

  it("does not exist once every branch is exhausted", () => {
    const { tree } = round(SEED, 1, { a: failed });
    expect(selectLeaf(tree, LIMITS)).toBeUndefined();
    expect(bestPath(tree)).toEqual([]);
  });

  it("is the one that was planned first among equals, and an unvisited one before any other", () => {
    expect(selectLeaf(round(SEED, 1, { a: open(0.5), b: open(0.5) }).tree, LIMITS)).toEqual({ leaf: "a" });
    const grown = expandNode(round(SEED, 1, { a: open(1) }).tree, undefined, {
      actions: [id("b")],
      round: 2,
    });
    expect(selectLeaf(grown, LIMITS)).toEqual({ leaf: "b" });
  });
});

it("does not choose a refuted node as the best again", () => {
  const { tree } = round(SEED, 1, { a: { status: "solved", value: 1, reason: "" }, b: open(0.2) });
  expect(bestPath(tree)).toEqual(["a"]);
  expect(bestPath(refuteNode(tree, id("a"), "wrong"))).toEqual(["b"]);
});

it("keeps correct counts, whatever the values", () => {
  const values = fc.array(
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(values, (rounds) => {
      let tree = SEED;
      for (const [index, scores] of rounds.entries()) {
        if (selectLeaf(tree, LIMITS) === undefined) break;
        const actions = scores.map((value, at) => [`n${index}-${at}`, open(value)] as const);
        tree = round(tree, index + 1, Object.fromEntries(actions)).tree;
      }
      const nodes = [...tree.nodes.values()];
      expect(tree.root.visits).toBe(nodes.length);
      expect(tree.root.total).toBeCloseTo(nodes.reduce((sum, { value }) => sum + value, 0));
      for (const node of nodes) {
        const below = node.children.flatMap((child) => tree.nodes.get(child) ?? []);
        expect(node.visits).toBe(1 + below.reduce((sum, { visits }) => sum + visits, 0));
        expect(node.depth).toBeLessThanOrEqual(LIMITS.depth);
        expect(meanOf(node)).toBeLessThanOrEqual(1);
      }
      const path = bestPath(tree);
      expect(pathTo(tree, path.at(-1))).toEqual(path);
    }),
  );
});
