/** The texts of the command palette. */
import type { EntryGroup } from "./entry.ts";

export const PALETTE = {
  name: "Search",
  /** Added to the name, for screen readers and in the help. */
  buttonRest: "or run a command",
  field: "Search plans, actions, pages and docs",
  results: "Results",
  close: "Close search",
  loadingPlans: "Searching plans…",
  plansFailed: "Plans could not be searched.",
  nothing: "No results. Search matches the beginnings of words.",
  hint: "to choose, Esc to close",
  subPlan: "Sub-plan",
} as const;

export const GROUP_TITLES: Readonly<Record<EntryGroup, string>> = {
  page: "On this page",
  everywhere: "Everywhere",
  places: "Go to",
  plans: "Plans",
  docs: "Docs",
};

/** Announced by screen readers when the results have changed. */
export function resultsText(count: number): string {
  return count === 1 ? "1 result" : `${count} results`;
}
