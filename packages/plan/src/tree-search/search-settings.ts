import { z } from "zod";

const ITERATIONS_MAX = 20;
const WIDTH_MAX = 8;
const DEPTH_MAX = 8;

/** How far the strategy `tree-search` looks. What it may use in all is the plan's budget. */
export const SearchSettings = z.strictObject({
  iterations: z.int().min(1).max(ITERATIONS_MAX).default(6).meta({
    description: "How many rounds of proposing, trying and valuing actions there are at most.",
  }),
  width: z
    .int()
    .min(1)
    .max(WIDTH_MAX)
    .default(3)
    .meta({ description: "How many actions are proposed and tried in a round." }),
  depth: z
    .int()
    .min(1)
    .max(DEPTH_MAX)
    .default(4)
    .meta({ description: "How many actions a path has at most." }),
  exploration: z.number().min(0).max(10).default(1.41).meta({
    description: "The weight of what has been tried little against what was valued highly.",
  }),
});
export type SearchSettings = z.infer<typeof SearchSettings>;
