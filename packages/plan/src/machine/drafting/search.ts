/**
 * Tree search as transitions of a plan: a round is a draft of actions, their outcomes, and a valuation of each. The
 * answer comes from the best path alone.
 *
 * Invariants:
 *   SEARCH-1. There are at most `iterations` rounds, and no path is longer than `depth`.
 *   SEARCH-2. An action that did not succeed is worth nothing, and nothing follows it.
 */
import type { NextPlan } from "../plan-state.ts";
import type { NodesValued } from "../../events/search-events.ts";
import type { StepId } from "../../values/ids.ts";
import {
  backpropagate,
  bestPath,
  expandNode,
  type NodeId,
  type NodeValue,
  refuteNode,
  SEED,
  selectLeaf,
  SEARCH_DEFAULTS,
  type SearchTree,
} from "../../tree-search/search-tree.ts";
import { endJoin, isRequested, requestJoin } from "../ending/joins.ts";
import type { Search } from "./drafting-state.ts";
import { type DraftingStrategy, wholePlans } from "./strategy.ts";
import { requestDraft, closeDraft } from "./request-draft.ts";
import { putRun } from "../step/runs.ts";

/** Tries actions round by round, instead of planning the goal as a whole. */
export const treeSearch: DraftingStrategy = {
  ...wholePlans,
  // Its actions are valued instead.
  isReviewed: false,
  draftsWholePlans: false,
  begin,
  takeIn: grow,
  proceed,
  proceedUndrafted: endSearch,
  triesLeft: ({ search }) => (search ? Math.max(0, search.settings.iterations - search.rounds.length) : 0),
  // Another path might be left.
  mayReject: () => true,
  proceedRejected: refuteBest,
  exhausted: (_plan, reason) => `no round of the search is left: ${reason}`,
  synthesis: ({ search }) => (search?.phase === "valuing" ? "values" : "judgement"),
  answerSteps: ({ steps, search }) => {
    const path = new Set(search && bestPath(search.tree));
    return steps.filter(({ step }) => path.has(step.id));
  },
};

function begin(next: NextPlan): void {
  const settings = next.goal.search ?? SEARCH_DEFAULTS;
  next.search ??= { settings, tree: SEED, rounds: [{ round: 1 }], phase: "expanding" };
}

/** Adds a completed round to the tree: its steps are the actions that can follow the selected node. */
function grow(next: NextPlan, draft: number): void {
  const { search } = next;
  if (search?.phase !== "expanding") return;
  const actions = [...next.steps.values()].filter((entry) => entry.draft === draft);
  actions.sort((left, right) => left.position - right.position);
  const { round, leaf } = currentRound(search);
  const ids = actions.map(({ step }) => step.id);
  next.search = { ...search, tree: expandNode(search.tree, leaf, { actions: ids, round }) };
}

function proceed(next: NextPlan): boolean {
  const { search } = next;
  if (search === undefined || search.phase === "answering") return false;
  const tried = triedIn(search);
  if (tried.some((id) => hasSucceeded(next, id))) {
    next.search = { ...search, phase: "valuing" };
    requestJoin(next);
    return true;
  }
  // No model is needed to value actions that all failed.
  value(next, search, new Map());
  return next.search?.phase !== "answering";
}

/** Records the values of a round's actions. */
export function valueNodes(next: NextPlan, { data }: NodesValued): boolean {
  const { search } = next;
  if (search?.phase !== "valuing" || !isRequested(next, data.join)) return false;
  endJoin(next, data.join, data);
  if (data.values.length === 0) {
    next.search = { ...search, phase: "answering" };
    return true;
  }
  const values = data.values.map(({ stepId, value, solved, reason }): [StepId, NodeValue] => {
    return [stepId, { status: solved ? "solved" : "open", value, reason }];
  });
  value(next, search, new Map(values));
  return true;
}

/** Continues elsewhere in the tree if a round is left. */
function refuteBest(next: NextPlan, reason: string): boolean {
  const { search } = next;
  const leaf = search === undefined ? undefined : bestPath(search.tree).at(-1);
  if (search?.phase !== "answering" || leaf === undefined) return false;
  const tree = refuteNode(search.tree, leaf, reason);
  next.search = { ...search, tree };
  return nextRound(next, { ...search, tree });
}

/** Answers the plan from the best path found, if any. */
function endSearch(next: NextPlan): boolean {
  const { search } = next;
  if (search === undefined || search.tree.root.visits === 0) return false;
  next.search = { ...search, phase: "answering" };
  closeDraft(next);
  return true;
}

function value(next: NextPlan, search: Search, values: ReadonlyMap<StepId, NodeValue>): void {
  let tree: SearchTree = search.tree;
  for (const id of triedIn(search)) {
    const known = hasSucceeded(next, id) ? (values.get(id) ?? UNVALUED) : failureOf(next, id);
    tree = backpropagate(tree, id, known);
    if (known.status === "failed") passOver(next, id);
  }
  const valued = { ...search, tree };
  const isSolved = triedIn(search).some((id) => tree.nodes.get(id)?.status === "solved");
  next.search = { ...valued, phase: "answering" };
  if (!isSolved) nextRound(next, valued);
}

/** Marks a step as skipped without loss: the failure of one branch is no gap in the answer. */
function passOver(next: NextPlan, id: StepId): void {
  const entry = next.steps.get(id);
  if (entry !== undefined) putRun(next, { ...entry, replaced: true });
}

const UNVALUED: NodeValue = { status: "open", value: 0, reason: "it was not valued" };

/** Selects the node to expand and requests actions for it. Returns false if no round or no node is left. */
function nextRound(next: NextPlan, search: Search): boolean {
  const { settings, tree, rounds } = search;
  const selected = rounds.length >= settings.iterations ? undefined : selectLeaf(tree, settings);
  if (selected === undefined) return false;
  const round = rounds.length + 1;
  const begun = selected.leaf === undefined ? { round } : { round, leaf: selected.leaf };
  next.search = { ...search, phase: "expanding", rounds: [...rounds, begun] };
  const { number } = next.drafting;
  const fresh = { number: number + 1, issues: [], repairs: 0, interruptions: 0 };
  requestDraft(next, { ...fresh, phase: "requested", revision: next.revision });
  return true;
}

function currentRound({ rounds }: Search): { readonly round: number; readonly leaf?: StepId } {
  return rounds.at(-1) ?? { round: 1 };
}

/** Returns the actions of the current round. */
function triedIn(search: Search): readonly StepId[] {
  const { round, leaf } = currentRound(search);
  const below = childrenOf(search.tree, leaf);
  return below.filter((id) => search.tree.nodes.get(id)?.round === round);
}

function childrenOf({ root, nodes }: SearchTree, id: NodeId): readonly StepId[] {
  return (id === undefined ? root : nodes.get(id))?.children ?? [];
}

function hasSucceeded({ steps }: NextPlan, id: StepId): boolean {
  return steps.get(id)?.state.status === "succeeded";
}

function failureOf({ steps }: NextPlan, id: StepId): NodeValue {
  const state = steps.get(id)?.state;
  const reason = state?.status === "failed" ? state.error.message : "it did not run";
  return { status: "failed", value: 0, reason };
}
