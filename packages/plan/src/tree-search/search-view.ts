/** The public view of a tree search: the whole tree and its result. */
import { z } from "zod";
import { StepId } from "../values/ids.ts";
import type { Search } from "../machine/drafting/drafting-state.ts";
import { SearchSettings } from "./search-settings.ts";
import { bestPath, meanOf, type SearchTree, uctOf } from "./search-tree.ts";

export const SearchNodeView = z.object({
  id: StepId.meta({ description: "The step that tries the action." }),
  parent: StepId.optional().meta({ description: "The preceding action; absent below the root." }),
  depth: z.int(),
  round: z.int(),
  status: z.enum(["open", "failed", "solved", "refuted"]).meta({
    description:
      "`failed`: the action failed. `solved`: it reaches the goal. `refuted`: it only seemed to reach the goal.",
  }),
  visits: z.int(),
  value: z.number().meta({ description: "Value of the node itself, from 0 to 1." }),
  reason: z.string(),
  meanValue: z
    .number()
    .meta({ description: "Mean of the node's value and the values of all nodes below it." }),
  uct: z.number().nullable().meta({
    description: "The score that decides which sibling is expanded next; null before it is valued.",
  }),
});
export type SearchNodeView = z.infer<typeof SearchNodeView>;

export const SearchView = z.object({
  settings: SearchSettings,
  phase: z.enum(["expanding", "valuing", "answering"]),
  rounds: z
    .array(z.object({ round: z.int(), leaf: StepId.optional() }))
    .meta({ description: "Each round has the node that was selected; none for the root." }),
  root: z.object({ visits: z.int(), meanValue: z.number() }),
  nodes: z.array(SearchNodeView),
  bestPath: z.array(StepId),
});
export type SearchView = z.infer<typeof SearchView>;

export function searchView({ settings, tree, rounds, phase }: Search): SearchView {
  const nodes = idsOf(tree).flatMap((id) => tree.nodes.get(id) ?? []);
  return {
    settings,
    phase,
    rounds: [...rounds],
    root: { visits: tree.root.visits, meanValue: meanOf(tree.root) },
    nodes: nodes.map((node) => {
      const parent = (node.parent === undefined ? undefined : tree.nodes.get(node.parent)) ?? tree.root;
      const { children: _children, total: _total, ...shown } = node;
      const uct = node.visits === 0 ? null : uctOf(node, parent, settings.exploration);
      return { ...shown, meanValue: meanOf(node), uct };
    }),
    bestPath: [...bestPath(tree)],
  };
}

/** Round by round. */
function idsOf({ nodes }: SearchTree): StepId[] {
  const inOrder = [...nodes.values()].toSorted((left, right) => left.round - right.round);
  return inOrder.map(({ id }) => id);
}
