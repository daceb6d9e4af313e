import { STRATEGIES } from "../submit/example-goals.ts";
import { PLANNED_BY_NAMES } from "./plans-words.ts";

/** How plans come about, as the gateway calls it and in words. */
export const PLANNED_BY: readonly (readonly [name: string, label: string])[] = [
  ...STRATEGIES.filter(({ value }) => value !== "auto").map(({ value, label }) => [value, label] as const),
  ["summarize", PLANNED_BY_NAMES.summarize],
  ["submitted", PLANNED_BY_NAMES.predefinedPlan],
  ["undecided", PLANNED_BY_NAMES.undecided],
];
