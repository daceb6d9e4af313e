/**
 * The tree of a tree search: selects the action to expand next, and propagates a value to the actions before it.
 *
 * The search is Language Agent Tree Search (Zhou, Yan, Shlapentokh-Rothman, Wang, Wang: "Language Agent Tree Search
 * Unifies Reasoning, Acting, and Planning in Language Models", 2023, arXiv 2310.04406). It selects by UCT (Kocsis,
 * Szepesvári: "Bandit Based Monte-Carlo Planning", ECML 2006). Pure: nodes are never changed in place, and ties
 * go to the node that was planned first.
 */
import { Map } from "immutable";
import type { StepId } from "../values/ids.ts";

export const SEARCH_DEFAULTS = { iterations: 6, width: 3, depth: 4, exploration: 1.41 };

/** The statistics of a node, from the nodes below it. */
export type NodeStats = {
  /** How many values have been propagated through it, including its own. */
  readonly visits: number;
  /** The sum of these values. */
  readonly total: number;
  /** In the order of planning; empty until it is expanded. */
  readonly children: readonly StepId[];
};

export type SearchNode = NodeStats & {
  /** The step that tries the action. */
  readonly id: StepId;
  /** The preceding action; absent below the root. */
  readonly parent?: StepId;
  /** How many actions lead to it, including its own. */
  readonly depth: number;
  /** The round that proposed it, from 1. */
  readonly round: number;
  /**
   * `open`: it can be expanded, depth permitting. `failed`: the action did not succeed. `solved`: the goal was considered
   * reached. `refuted`: it was considered reached by mistake.
   */
  readonly status: "open" | "failed" | "solved" | "refuted";
  /** Its own value, from 0 to 1. */
  readonly value: number;
  /** Why it has this value. */
  readonly reason: string;
};

export type SearchTree = { readonly root: NodeStats; readonly nodes: Map<StepId, SearchNode> };

/** A node, or the root when absent. */
export type NodeId = StepId | undefined;

export type NodeValue = Pick<SearchNode, "status" | "value" | "reason">;

const UNTRIED: NodeStats = { visits: 0, total: 0, children: [] };

/** A tree that consists only of its root. */
export const SEED: SearchTree = { root: UNTRIED, nodes: Map() };

/** The mean of all values that were propagated through a node; 0 before there are any. */
export function meanOf({ visits, total }: NodeStats): number {
  return visits === 0 ? 0 : total / visits;
}

/**
 * The upper confidence bound of a node: its mean value plus a bonus that is larger the less it was tried among its siblings.
 *
 * @returns Infinity for a node that was never visited.
 */
export function uctOf(node: NodeStats, parent: NodeStats, exploration: number): number {
  if (node.visits === 0) return Infinity;
  return meanOf(node) + exploration * Math.sqrt(Math.log(parent.visits) / node.visits);
}

/**
 * Selects the leaf to expand next: from the root down, always the child with the highest bound.
 *
 * @returns `undefined` if nothing is left to expand; `leaf` is absent for the root.
 */
export function selectLeaf(
  tree: SearchTree,
  { exploration, depth }: { readonly exploration: number; readonly depth: number },
): { readonly leaf: NodeId } | undefined {
  let leaf: NodeId;
  for (let at = tree.root; at.children.length > 0; ) {
    const open = nodesOf(tree, at.children).filter((child) => isOpen(tree, child, depth));
    const next = firstMax(open, (child) => uctOf(child, at, exploration));
    if (next === undefined) return undefined;
    leaf = next.id;
    at = next;
  }
  return { leaf };
}

/** Adds the actions that were proposed to follow a node. */
export function expandNode(
  tree: SearchTree,
  parent: NodeId,
  { actions, round }: { readonly actions: readonly StepId[]; readonly round: number },
): SearchTree {
  const at = parent === undefined ? undefined : tree.nodes.get(parent);
  const fresh = {
    ...UNTRIED,
    status: "open",
    value: 0,
    reason: "",
    round,
    depth: (at?.depth ?? 0) + 1,
  } as const;
  const under = parent === undefined ? {} : { parent };
  const added = actions.map((id): [StepId, SearchNode] => [id, { id, ...under, ...fresh }]);
  const grown = { ...tree, nodes: tree.nodes.merge(added) };
  return changed(grown, parent, (stats) => ({ children: [...stats.children, ...actions] }));
}

/** Assigns a node its value, which counts for the node and for all nodes that lead to it. */
export function backpropagate(tree: SearchTree, id: StepId, valued: NodeValue): SearchTree {
  const node = tree.nodes.get(id);
  if (node === undefined) return tree;
  let passed: SearchTree = { ...tree, nodes: tree.nodes.set(id, { ...node, ...valued }) };
  const more = ({ visits, total }: NodeStats): Partial<NodeStats> => ({
    visits: visits + 1,
    total: total + valued.value,
  });
  for (let at: NodeId = id; at !== undefined; at = passed.nodes.get(at)?.parent)
    passed = changed(passed, at, more);
  return changed(passed, undefined, more);
}

/** Marks a node as not solving the goal after all; its propagated value remains. */
export function refuteNode(tree: SearchTree, id: StepId, reason: string): SearchTree {
  const node = tree.nodes.get(id);
  if (node === undefined) return tree;
  return { ...tree, nodes: tree.nodes.set(id, { ...node, status: "refuted", reason }) };
}

/** The path to the best node that solves the goal; without one, the path with the highest mean at each level. */
export function bestPath(tree: SearchTree): readonly StepId[] {
  const solved = firstMax(
    [...tree.nodes.values()].filter(({ status }) => status === "solved"),
    ({ value }) => value,
  );
  if (solved !== undefined) return pathTo(tree, solved.id);
  const path: StepId[] = [];
  for (let at = bestBelow(tree, tree.root); at !== undefined; at = bestBelow(tree, at)) path.push(at.id);
  return path;
}

function bestBelow(tree: SearchTree, { children }: NodeStats): SearchNode | undefined {
  const usable = nodesOf(tree, children).filter(({ status }) => status === "open");
  return firstMax(usable, meanOf);
}

/** The actions that lead to a node, its own last; none for the root. */
export function pathTo(tree: SearchTree, id: NodeId): readonly StepId[] {
  const path: StepId[] = [];
  for (let at = id; at !== undefined; at = tree.nodes.get(at)?.parent) path.unshift(at);
  return path;
}

/** Whether a node, or any node below it, can still be expanded. */
function isOpen(tree: SearchTree, node: SearchNode, depthMax: number): boolean {
  if (node.status !== "open" || node.depth >= depthMax) return false;
  if (node.children.length === 0) return true;
  return nodesOf(tree, node.children).some((child) => isOpen(tree, child, depthMax));
}

function nodesOf({ nodes }: SearchTree, ids: readonly StepId[]): SearchNode[] {
  return ids.flatMap((id) => nodes.get(id) ?? []);
}

function changed(tree: SearchTree, id: NodeId, change: (stats: NodeStats) => Partial<NodeStats>): SearchTree {
  if (id === undefined) return { ...tree, root: { ...tree.root, ...change(tree.root) } };
  const node = tree.nodes.get(id);
  return node === undefined ? tree : { ...tree, nodes: tree.nodes.set(id, { ...node, ...change(node) }) };
}

function firstMax<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item | undefined {
  let best: { readonly item: Item; readonly value: number } | undefined;
  for (const item of items) {
    const value = valueOf(item);
    if (best === undefined || value > best.value) best = { item, value };
  }
  return best?.item;
}
