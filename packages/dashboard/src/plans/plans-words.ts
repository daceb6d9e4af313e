/** The texts of the list of plans and its filters. */

export const OUTCOME_NAMES: Readonly<Record<string, string>> = { partial: "partially succeeded" };

export const ENDED_FILTERS = {
  filtersOfFinishedPlans: "Filters of finished plans",
  removeFilter: (name: string | number) => `Remove filter: ${name}`,
  finishedSince: (at: string | number) => `Finished since ${at}`,
  finishedBefore: (at: string | number) => `Finished before ${at}`,
  outcome: (value: string | number) => `Outcome: ${value}`,
  withTool: (tool: string | number) => `With tool ${tool}`,
  withFailedTool: (tool: string | number) => `With failed tool ${tool}`,
  withoutSubPlans: "Without sub-plans",
} as const;

export const FILTER_PANEL = {
  filters: "Filters",
  status: "Status",
  any: "Any",
  notFinished: "Not finished",
  outcome: "Outcome",
  submitted: "Submitted",
  atAnyTime: "at any time",
  needsApproval: "Needs approval",
  viewName: "View name",
  saveView: "Save view",
  deleteView: (name: string | number) => `Delete view “${name}”`,
  showAllPlans: "Show all plans",
} as const;

export const PLANNED_BY_SELECT = {
  strategy: "Strategy",
} as const;

export const PLAN_LIST = {
  newGoal: "New goal",
  filters: (narrowed: string | number) => `Filters${narrowed}`,
  loadingOlderPlans: "Loading older plans…",
  loadOlderPlans: "Load older plans",
  noMatchingPlans: "No matching plans",
  showAllPlans: "Show all plans",
  loadingPlans: "Loading plans",
} as const;

export const PLAN_ROW = {
  subPlan: "Sub-plan",
  subPlanOf: (parent: string | number) => `Sub-plan of ${parent}`,
} as const;

export const SEARCH_FIELD = {
  searchPlans: "Search plans",
} as const;

export const VIEW_LINKS = {
  views: "Views",
  subPlansNotCounted: "Sub-plans not counted",
} as const;

export const TIMES: Readonly<Record<string, string>> = {
  hour: "in the last hour",
  today: "today",
  week: "in the last 7 days",
  month: "in the last 30 days",
};

export const LIST_FILTER = {
  all: "All",
  running: "Running",
  needsApproval: "Needs approval",
  failedThisWeek: "Failed this week",
} as const;

export const PLANNED_BY_NAMES = {
  summarize: "Summarize",
  predefinedPlan: "Predefined plan",
  undecided: "Undecided",
} as const;
