/** The tree of a search as rows, each below its parent, with the state of each node. */
import type { PlanView, StepView } from "../api/api-types.ts";
import { isSettled } from "../plan/is-settled.ts";

export type Search = NonNullable<PlanView["search"]>;
export type SearchNode = Search["nodes"][number];

/**
 * `trying`: its action is running or due to run. `valuing`: its action has run and has no value yet. `next`: the current
 * round continues from it. `expanded`: it has children. `open`: a round may continue from it. `deep`: it is at the
 * maximum depth. `left`: the search ended without continuing from it.
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
  /** The step that tries the action; undefined while the view is incomplete. */
  readonly step: StepView | undefined;
  readonly state: NodeState;
  /** Counts from 1, and so does `position`, its position among its siblings. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly children: number;
  /** Visits of its parent, or of the root. */
  readonly parentVisits: number;
  readonly isOnBestPath: boolean;
  /** The rounds that continued from it. */
  readonly chosenIn: readonly number[];
};

type Searched = Pick<PlanView, "steps" | "endedAt"> & { readonly search: Search };

/** From the root down, siblings in planning order. A node whose parent is missing is placed below the root. */
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

/** In reverse, because the caller takes nodes from the end. */
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

/** The rows without the descendants of collapsed nodes. */
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

/** The effect of a key in the tree. */
type TreeMove = { readonly to: string } | { readonly open: readonly string[] } | { readonly close: string };

/**
 * The keys of a WAI-ARIA tree. Up, Down, Home and End move through the visible rows. Right opens a node or moves to its
 * first child; Left closes it or moves to its parent. `*` opens all siblings. A letter moves to the next row that starts
 * with it.
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
  // Named keys such as `Enter` are longer.
  if (key.length !== 1) return undefined;
  const letter = key.toLocaleLowerCase();
  return rows.find((row) => actionOf(row).toLocaleLowerCase().startsWith(letter));
}

function goTo(row: SearchRow | undefined): TreeMove | undefined {
  return row === undefined ? undefined : { to: row.node.id };
}

/** The description of a node's action. */
export function actionOf({ node, step }: Pick<SearchRow, "node" | "step">): string {
  return step === undefined || step.description === "" ? node.id : step.description;
}
