/** The texts of the table of plans. */

export const COLUMN_TITLES = {
  goal: "Goal",
  status: "Status",
  strategy: "Strategy",
  duration: "Duration",
  finished: (endedAt: string | number) => `Finished ${endedAt}`,
  steps: "Steps",
  cost: "Cost",
  tokens: "Tokens",
  submittedBy: "Submitted by",
  submitted: "Submitted",
} as const;

export const COLUMNS_MENU = {
  columns: "Columns",
  narrow: "In a narrow window, only the columns that fit are shown.",
} as const;

export const EXPORT_MENU = {
  export: "Export",
  all: (max: string | number) => `All plans that match the filters, max ${max}:`,
  exporting: "Exporting…",
  exportSelected: "Export selected",
  theFirstOf: (max: string | number, selected: string | number) => `The first ${max} of ${selected}:`,
  exportedFirst: (plans: string | number) => `Exported the first ${plans}; more match.`,
  exported: (plans: string | number) => `Exported ${plans}.`,
} as const;

export const NO_PLANS = {
  noMatchingPlans: "No matching plans",
  hint: "No plan matches all filters. Search matches the beginnings of words in goals, metadata and IDs.",
  clearFilters: "Clear filters",
} as const;

export const PLANS_PAGE = {
  loadingPlans: "Loading plans",
  changed: (misplaced: string | number, value: string | number) =>
    `${misplaced}${value} new or changed: refresh`,
  maybeChanged: "The list may have changed: refresh",
  plans: "Plans",
  searchPlans: "Search plans",
  moveKeys: "Previous row, next row; with Shift: select",
  selectTheRow: "Select the row",
  openPlan: "Open the selected row's plan",
} as const;

export const PLANS_TABLE = {
  selectAllLoadedPlans: "Select all loaded plans",
  selectPlan: (goal: string | number) => `Select ${goal}`,
} as const;

export const SELECTION_BAR = {
  selectedPlans: "Selected plans",
  selected: (selected: string | number) => `${selected} selected`,
  allLoaded: " (all loaded plans; scroll down to load more)",
  clearSelection: "Clear selection",
  maxPlans: (verb: string | number, max: string | number) => `${verb} max ${max} plans`,
  maxAtATime: (max: string | number) => `Max ${max} plans at a time`,
  yes: (word: string | number, value: string | number) => `Yes, ${word}${value}`,
  no: "No",
  cancel: "Cancel",
  reRun: "Re-run",
  submittedAgain: "submitted again",
  retryDeadLetters: "Retry dead letters of",
} as const;

export const TABLE_TOOLBAR = {
  plans: "Plans",
  filters: (narrowed: string | number) => `Filters${narrowed}`,
} as const;
