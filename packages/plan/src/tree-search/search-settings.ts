import { z } from "zod";
import { SEARCH_DEFAULTS } from "./search-tree.ts";

const ITERATIONS_MAX = 20;
const WIDTH_MAX = 8;
const DEPTH_MAX = 8;

/** How far the strategy `tree-search` searches. The plan's budget limits its total usage. */
export const SearchSettings = z.strictObject({
  iterations: z.int().min(1).max(ITERATIONS_MAX).default(SEARCH_DEFAULTS.iterations).meta({
    description: "Maximum number of rounds of proposing, trying and evaluating actions.",
  }),
  width: z
    .int()
    .min(1)
    .max(WIDTH_MAX)
    .default(SEARCH_DEFAULTS.width)
    .meta({ description: "Number of actions that are proposed and tried in a round." }),
  depth: z
    .int()
    .min(1)
    .max(DEPTH_MAX)
    .default(SEARCH_DEFAULTS.depth)
    .meta({ description: "Maximum number of actions in a path." }),
  exploration: z.number().min(0).max(10).default(SEARCH_DEFAULTS.exploration).meta({
    description: "Weight of rarely tried actions relative to highly valued ones.",
  }),
});
export type SearchSettings = z.infer<typeof SearchSettings>;
