import type { IconName } from "../ui/icons.tsx";

export type ExampleGoal = { readonly goal: string; readonly about: string; readonly icon: IconName };

/** Goals that the bundled data and documents can answer. */
export const EXAMPLE_GOALS: readonly ExampleGoal[] = [
  {
    goal: "Which region grew fastest in Q4 and what were its top products?",
    about: "SQL over the bundled sales table",
    icon: "group",
  },
  {
    goal: "Compare the pricing of vendor A, vendor B and vendor C",
    about: "Three searches at once, then a comparison",
    icon: "search",
  },
  {
    goal: "What is the warranty of tents, and how are refunds paid?",
    about: "Search in the bundled documents",
    icon: "file",
  },
  {
    goal: "Chart the revenue by month in 2025",
    about: "A query, then a picture of it",
    icon: "inbox",
  },
];

export const STRATEGIES = [
  { value: "auto", label: "Auto", about: "chosen by the goal" },
  { value: "parallel", label: "Parallel", about: "steps at once where they can" },
  { value: "sequential", label: "Sequential", about: "one step after the other" },
  { value: "hierarchical", label: "Hierarchical", about: "parts of the goal as plans of their own" },
  { value: "waves", label: "Waves", about: "the next steps planned from the last results" },
  { value: "tree-search", label: "Tree search", about: "several ways tried, the best one kept" },
  { value: "code", label: "Code", about: "a program over the tables of one source" },
  { value: "direct", label: "Direct", about: "one model call, no plan" },
] as const;
