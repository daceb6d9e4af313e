/** The context from which a tree search's next actions are proposed and valued. */
import type { StepId } from "../values/ids.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { SEARCH_DEFAULTS, pathTo, type SearchNode } from "./search-tree.ts";

export type Expansion = {
  /** The actions so far, with their results; none at the root. */
  readonly path: readonly StepEntry[];
  /** The number of requested actions. */
  readonly width: number;
  /** Actions that were tried elsewhere in the tree, best first: they must not be repeated unchanged. */
  readonly tried: readonly TriedAction[];
};

export type TriedAction = {
  readonly entry: StepEntry;
  readonly node: Pick<SearchNode, "status" | "value" | "reason">;
};

/** A model would ignore any beyond these. */
const TRIED_MAX = 30;

/** The context for proposing the actions of the current round. */
export function expansionOf(plan: Pick<KnownPlan, "steps" | "search" | "goal">): Expansion {
  const { search, goal } = plan;
  const { width } = search?.settings ?? goal.search ?? SEARCH_DEFAULTS;
  if (search === undefined) return { path: [], width, tried: [] };
  const path = pathTo(search.tree, search.rounds.at(-1)?.leaf);
  const others = [...search.tree.nodes.values()].filter(({ id }) => !path.includes(id));
  others.sort((left, right) => right.value - left.value || left.round - right.round);
  const tried = others.slice(0, TRIED_MAX).flatMap((node) => {
    const entry = plan.steps.get(node.id);
    return entry === undefined ? [] : [{ entry, node }];
  });
  return { path: entriesOf(plan, path), width, tried };
}

/** The actions whose results must be valued now, each with the actions that lead to it. */
export function valuedActions(plan: Pick<KnownPlan, "steps" | "search">): readonly StepEntry[] {
  const { search } = plan;
  const round = search?.rounds.at(-1)?.round;
  const nodes = [...(search?.tree.nodes.values() ?? [])].filter((node) => node.round === round);
  const ids = nodes.map(({ id }) => id);
  return entriesOf(plan, ids)
    .filter(({ state }) => state.status === "succeeded")
    .sort((left, right) => left.position - right.position);
}

function entriesOf({ steps }: Pick<KnownPlan, "steps">, ids: readonly StepId[]): StepEntry[] {
  return ids.flatMap((id) => steps.get(id) ?? []);
}
