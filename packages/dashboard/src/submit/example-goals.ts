import type { IconName } from "../ui/icons.tsx";

type ExampleGoal = { readonly goal: string; readonly about: string; readonly icon: IconName };

/** Goals that the bundled data and documents can answer. */
export const EXAMPLE_GOALS: readonly ExampleGoal[] = [
  {
    goal: "Which region grew fastest in Q4 and what were its top products?",
    about: "SQL on the sample sales table",
    icon: "group",
  },
  {
    goal: "Compare the pricing of vendor A, vendor B and vendor C",
    about: "Three parallel searches, then a comparison",
    icon: "search",
  },
  {
    goal: "What is the warranty of tents, and how are refunds paid?",
    about: "Search in the sample documents",
    icon: "file",
  },
  {
    goal: "Chart the revenue by month in 2025",
    about: "A query, then a chart of its result",
    icon: "inbox",
  },
];

export const STRATEGIES = [
  { value: "auto", label: "Auto", about: "picks a strategy for the goal" },
  { value: "parallel", label: "Parallel", about: "independent steps run at the same time" },
  { value: "sequential", label: "Sequential", about: "one step at a time" },
  { value: "hierarchical", label: "Hierarchical", about: "sub-plans for parts of the goal" },
  { value: "waves", label: "Waves", about: "plans the next steps from the latest results" },
  { value: "tree-search", label: "Tree search", about: "tries several approaches and keeps the best" },
  { value: "code", label: "Code", about: "a program over one data source" },
  { value: "direct", label: "Direct", about: "one model call, no plan" },
] as const;
