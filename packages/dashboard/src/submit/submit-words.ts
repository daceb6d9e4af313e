/** The texts of the form that submits a goal. */
import type { RiskGate } from "./request-of.ts";

export const GATES: Readonly<Record<RiskGate, string>> = {
  high: "high-risk steps",
  medium: "medium- and high-risk steps",
  low: "every step",
  never: "no steps",
};

export const ATTACHMENTS = {
  attached: "Attached",
  dataAvailableToThe: "Data available to the plan",
  charactersReadInParts: (value: string | number) => `${value} characters, read in parts and summarized`,
  remove: (name: string | number) => `Remove ${name}`,
  sending: (file: string | number) => `${file}, sending`,
  uploading: (name: string | number) => `Uploading ${name}`,
  aDataSource: "A data source",
  already: "already",
  replacingItChangesIt: "; replacing it changes it for every plan.",
  whichCannotBeReplaced: ", which cannot be replaced.",
  attachAs: (free: string | number) => `Attach as ${free}`,
  replaceIt: "Replace it",
  attachData: "Attach data",
  csvSqliteOrText: "CSV, SQLite or text, or drop a file here",
} as const;

export const COMPOSER = {
  whatWouldYouLike: "What would you like done?",
  editAndRunAgain: "Edit and run again",
  describeAGoalPlanwright:
    "Describe a goal. Planwright plans it, runs the steps in parallel, and answers with sources.",
  submits: "Submits",
  againAsANew: "again as a new plan, with your changes.",
  thisPlan: "this plan",
  writeANewGoal: "Write a new goal instead",
  goal: "Goal",
  describeAGoal: "Describe a goal…",
  ctrl: "Ctrl",
  enter: "Enter",
  submits2: "submits",
  drafting: "Drafting…",
  preview: "Preview",
  submitting: "Submitting…",
  submitGoal: "Submit goal",
} as const;

export const DROP_FORM = {
  dropACsvSqlite: "Drop a CSV, SQLite or text file to attach it",
} as const;

export const EXAMPLE_GOALS_LIST = {
  exampleGoals: "Example goals",
  examples: "Examples",
} as const;

export const OPTIONS_PANEL = {
  options: "Options",
  requireApprovalFor: "Require approval for",
  reviewThePlanBefore: "Review the plan before it runs",
  maxCostUsd: "Max cost (USD)",
  maxTokens: "Max tokens",
  timeLimitS: "Time limit (s)",
  requireSources: "Require sources",
  constraintsOnePerLine: "Constraints (one per line)",
  minSteps: "Min steps",
  maxSteps: "Max steps",
  noLimit: "no limit",
  dataSourcesAllOr: "Data sources: all, or select",
  priority: "Priority",
  delete: "Delete",
  delete2: (name: string | number) => `Delete ${name}`,
  wasNotDeleted: (name: string | number, reason: string | number) => `${name} was not deleted: ${reason}`,
  deletePlansThatStill: (name: string | number) => `Delete ${name}? Plans that still need it will fail.`,
  keepIt: "Keep it",
} as const;

export const PLAN_FIELD = {
  runAnExistingPlan: "Run an existing plan (JSON)",
  stepsIdS1Tool: '{"steps": [{"id": "s1", "tool": "docs.search", "args": {"query": "returns"}}]}',
  aValidPlanOf: (steps: string | number) => `A valid plan of ${steps}`,
  andMore: (value: string | number) => `and ${value} more`,
} as const;

export const PREVIEW_CARD = {
  planPreview: "Plan preview",
  wouldRun: (steps: string | number) => `${steps} would run`,
  runThisPlan: "Run this plan",
  oneAfterTheOther: (stepIds: string | number) => `${stepIds} one after the other`,
  atLeast: (modelCalls: string | number) => `at least ${modelCalls}`,
  needsApproval: "needs approval",
  onTheCriticalPath: "on the critical path",
  after: (value: string | number) => `after ${value}`,
  andMore: (value: string | number) => `and ${value} more`,
  noApprovalsNeeded: "No approvals needed.",
  willWaitForA: (steps: string | number, value: string | number) =>
    `${steps} will wait for a person: ${value}`,
  draftingTook: (value: string | number, cost: string | number) => `drafting took ${value}${cost}`,
} as const;

export const STRATEGY_SELECT = {
  strategy: "Strategy",
  needsALanguageModel: "needs a language model (set OPENAI_API_KEY)",
} as const;

export const TOOLS_FIELD = {
  allowedTools: "Allowed tools:",
  all: (tools: string | number) => `all ${tools}`,
  selected: (chosen: string | number) => `${chosen} selected`,
  searchToolsToSelect: "Search tools to select",
  searchTools: "Search tools",
  noMatchingTools: "No matching tools.",
  notThereAnyMore: (value: string | number) => `Not there any more: ${value}`,
  allowAllTools: "Allow all tools",
} as const;
