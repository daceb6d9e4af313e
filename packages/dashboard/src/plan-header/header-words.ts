/** The texts of a plan's header and its menu. */
export const HEADER_WORDS = {
  back: "All plans",
  controls: "Plan actions",
  more: "More actions",
  progress: "Plan progress",
  review: "Review approval",
  revision: (number: number) => `revision ${number}`,
  submitted: (at: string) => `Submitted ${at}`,
  tokens: (count: string) => `${count} tokens`,
  used: (what: string) => `Used ${what}`,
} as const;

export const MENU_WORDS = {
  cancel: "Cancel plan",
  compare: "Compare with…",
  copied: "Copied",
  copyLink: "Copy link",
  copyPlanId: "Copy plan ID",
  copyTraceId: "Copy trace ID",
  delete: "Delete plan",
  edit: "Edit and run",
  exportJson: "Export as JSON",
  exportMarkdown: "Export as Markdown report",
  exportMermaid: "Export as Mermaid diagram",
  history: "History",
  print: "Print",
} as const;

export const BUDGET_METER = {
  used: (label: string | number) => `${label} used`,
} as const;

export const CANCEL_BUTTON = {
  cancelPlan: "Cancel plan",
  cancelling: "Cancelling…",
  cancelThisPlan: "Cancel this plan?",
  yesCancel: "Yes, cancel",
  keepRunning: "Keep running",
} as const;

export const DELETE_BUTTON = {
  delete: "Delete",
  deletePlan: "Delete plan",
  deleting: "Deleting…",
  question: "Permanently delete this plan, its files and its sub-plans?",
  yesDeletePermanently: "Yes, delete permanently",
  keepIt: "Keep it",
} as const;

export const PAUSE_BUTTON = {
  resumePlan: "Resume plan",
  pausePlan: "Pause plan",
} as const;

export const PLAN_PROGRESS = {
  of: (value: string | number, total: string | number) => `${value} of ${total}`,
  ofSucceeded: (value: string | number, steps: string | number) => `${value} of ${steps} succeeded`,
} as const;

export const PLAN_TRAIL = {
  forkedFrom: "Forked from",
  of: "of",
  step: (stepId: string | number) => `step ${stepId}`,
  reRunOf: "Re-run of",
  compensates: "Undoes the effect of",
  lateEffect: (stepId: string | number) => `Step ${stepId} took effect (or may have) after this plan ended:`,
  openCompensation: "open the compensating plan",
  moreLateEffects: (value: string | number) => `${value} more late effects: see their steps`,
  partOf: "Part of",
  thisPlan: "this plan",
  parent: "parent plan",
  aDeletedPlan: "a deleted plan",
  anotherPlan: "another plan",
} as const;

export const PLAN_WAITS = {
  title: "Waiting for",
} as const;

export const BUDGET_ROWS = {
  endsWithResults: "the plan ends with the results so far",
  asksApproval: "approval is requested to continue",
  cost: "Cost",
  tokens: "Tokens",
  time: "Time",
  stepsDispatched: "Steps dispatched",
  forfeited: (name: string | number) => `${name} of it forfeited`,
  nearlyUsed: "Less than 10% of the limit left",
  used: "Limit used up",
  exceeded: (value: string | number) => `The limit ${value} exceeded`,
  willExceed: (then: string | number) => `Expected to exceed the limit: then ${then}`,
  limitReached: "Limit reached",
  limitReachedThen: (then: string | number) => `Limit reached: ${then}`,
  costUnknown: "cost unknown",
} as const;
