import type { StepId } from "../../values/ids.ts";
import type { SearchSettings } from "../../tree-search/search-settings.ts";
import type { SearchTree } from "../../tree-search/search-tree.ts";

/** A tree search; see `search.ts`. */
export type Search = {
  readonly settings: SearchSettings;
  readonly tree: SearchTree;
  /** From the first to the current one, each with the node that it expands; none for the root. */
  readonly rounds: readonly { readonly round: number; readonly leaf?: StepId }[];
  /** Whether the plan tries actions, has them valued, or is answered from the best path. */
  readonly phase: "expanding" | "valuing" | "answering";
};
