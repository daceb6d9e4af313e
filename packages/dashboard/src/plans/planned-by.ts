import { STRATEGIES } from "../submit/example-goals.ts";

/** How plans come about, as the gateway calls it and in words. */
export const PLANNED_BY: readonly (readonly [name: string, label: string])[] = [
  ...STRATEGIES.filter(({ value }) => value !== "auto").map(({ value, label }) => [value, label] as const),
  ["summarize", "Summarize"],
  ["submitted", "Predefined plan"],
  ["undecided", "Undecided"],
];
