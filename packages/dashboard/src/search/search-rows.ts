/** The tree of a search as rows, each below the one that it follows, and what became of each node. */
import type { PlanView, StepView } from "../api/api-types.ts";
import { isSettled } from "../plan/is-settled.ts";

export type Search = NonNullable<PlanView["search"]>;
export type SearchNode = Search["nodes"][number];

/**
 * `trying`: its action runs or is to run. `valuing`: it has run, and nobody has valued it yet. `next`: its round goes
 * on from it now. `expanded`: others follow it. `open`: it may be gone on from. `deep`: a path is no longer than this.
 * `left`: the search has ended without going on from it.
 */
export type NodeState =
  | "trying"
  | "valuing"
  | "next"
  | "expanded"
  | "open"
  | "deep"
  | "left"
  | "failed"
  | "solved"
  | "refuted";

export type SearchRow = {
  readonly node: SearchNode;
  /** The step that tries the action; undefined while the view is not whole. */
  readonly step: StepView | undefined;
  readonly state: NodeState;
  /** From 1, as its place among its siblings. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly children: number;
  /** Of the node that it follows, or of the root. */
  readonly parentVisits: number;
  readonly isOnBestPath: boolean;
  /** The rounds that went on from it. */
  readonly chosenIn: readonly number[];
};

type Searched = Pick<PlanView, "steps" | "endedAt"> & { readonly search: Search };

/** From the root down, siblings in the order of planning. A node whose parent is not there stands below the root. */
export function searchRows({ search, steps, endedAt }: Searched): readonly SearchRow[] {
  const { nodes, bestPath, rounds, settings, phase, root } = search;
  const planned = new Map<string, number>(steps.map(({ id }, index) => [id, index]));
  const known = new Map<string, SearchNode>(nodes.map((node) => [node.id, node]));
  const under = Map.groupBy(
    nodes.toSorted((left, right) => (planned.get(left.id) ?? 0) - (planned.get(right.id) ?? 0)),
    ({ parent }) => (parent !== undefined && known.has(parent) ? parent : undefined),
  );
  const best = new Set<string>(bestPath);
  const next = phase === "answering" || endedAt !== undefined ? undefined : rounds.at(-1)?.leaf;
  const rows: SearchRow[] = [];
  const open = placed(under.get(undefined) ?? [], 1);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { node } = at;
    const below = under.get(node.id) ?? [];
    const step = steps[planned.get(node.id) ?? -1];
    const about = { step, children: below.length, depthMax: settings.depth };
    rows.push({
      ...at,
      step,
      state: stateOf(node, { ...about, isNext: node.id === next, isOver: endedAt !== undefined }),
      children: below.length,
      parentVisits: (node.parent === undefined ? root : (known.get(node.parent) ?? root)).visits,
      isOnBestPath: best.has(node.id),
      chosenIn: rounds.flatMap(({ round, leaf }) => (leaf === node.id ? [round] : [])),
    });
    open.push(...placed(below, at.level + 1));
  }
  return rows;
}

/** The last one first: what is taken from the end comes in order. */
function placed(nodes: readonly SearchNode[], level: number) {
  const siblings = nodes.length;
  return nodes.map((node, index) => ({ node, level, position: index + 1, siblings })).reverse();
}

type About = {
  readonly step: StepView | undefined;
  readonly children: number;
  readonly depthMax: number;
  readonly isNext: boolean;
  readonly isOver: boolean;
};

function stateOf({ status, uct, depth }: SearchNode, about: About): NodeState {
  if (status !== "open") return status;
  if (about.children > 0) return "expanded";
  if (about.isOver) return "left";
  if (uct === null) return about.step !== undefined && isSettled(about.step) ? "valuing" : "trying";
  if (about.isNext) return "next";
  return depth >= about.depthMax ? "deep" : "open";
}

/** Without what lies below a collapsed node. */
export function visibleRows(
  rows: readonly SearchRow[],
  collapsed: ReadonlySet<string>,
): readonly SearchRow[] {
  let hiddenBelow = Infinity;
  return rows.filter(({ level, node }) => {
    if (level > hiddenBelow) return false;
    hiddenBelow = collapsed.has(node.id) ? level : Infinity;
    return true;
  });
}

/** What a key does in the tree. */
export type TreeMove =
  | { readonly to: string }
  | { readonly open: readonly string[] }
  | { readonly close: string };

/**
 * The keys of a WAI-ARIA tree: up, down, Home and End go through what is shown; right opens a node or goes into it,
 * left closes it or goes to the one above; `*` opens all siblings; a letter goes to the next row that begins with it.
 *
 * @returns Undefined when the key does nothing here.
 */
export function moveInTree(
  key: string,
  rows: readonly SearchRow[],
  { active, collapsed }: { readonly active: string; readonly collapsed: ReadonlySet<string> },
): TreeMove | undefined {
  const index = rows.findIndex(({ node }) => node.id === active);
  const row = rows[index];
  if (row === undefined) return undefined;
  const isClosed = row.children > 0 && collapsed.has(active);
  switch (key) {
    case "ArrowDown":
      return goTo(rows[index + 1]);
    case "ArrowUp":
      return goTo(rows[index - 1]);
    case "Home":
      return goTo(rows[0]);
    case "End":
      return goTo(rows.at(-1));
    case "ArrowRight":
      if (isClosed) return { open: [active] };
      return row.children > 0 ? goTo(rows[index + 1]) : undefined;
    case "ArrowLeft":
      if (row.children > 0 && !isClosed) return { close: active };
      return goTo(rows.slice(0, index).findLast(({ level }) => level < row.level));
    case "*": {
      const siblings = rows.filter(({ node }) => node.parent === row.node.parent);
      return { open: siblings.map(({ node }) => node.id) };
    }
    default:
      return goTo(beginningWith(key, [...rows.slice(index + 1), ...rows.slice(0, index)]));
  }
}

function beginningWith(key: string, rows: readonly SearchRow[]): SearchRow | undefined {
  // The names of keys are longer.
  if (key.length !== 1) return undefined;
  const letter = key.toLocaleLowerCase();
  return rows.find((row) => actionOf(row).toLocaleLowerCase().startsWith(letter));
}

function goTo(row: SearchRow | undefined): TreeMove | undefined {
  return row === undefined ? undefined : { to: row.node.id };
}

/** What a node is about, in words. */
export function actionOf({ node, step }: Pick<SearchRow, "node" | "step">): string {
  return step === undefined || step.description === "" ? node.id : step.description;
}
