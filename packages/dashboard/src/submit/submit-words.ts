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
  dataForPlan: "Data available to the plan",
  textInParts: (value: string | number) => `${value} characters, read in parts and summarized`,
  remove: (name: string | number) => `Remove ${name}`,
  sending: (file: string | number) => `${file}, sending`,
  uploading: (name: string | number) => `Uploading ${name}`,
  aDataSource: "A data source",
  already: "already exists",
  replaceable: "; replacing it changes it for every plan.",
  notReplaceable: ", and cannot be replaced.",
  attachAs: (free: string | number) => `Attach as ${free}`,
  replaceIt: "Replace it",
  attachData: "Attach data",
  formats: "CSV, SQLite or text, or drop a file here",
} as const;

export const COMPOSER = {
  title: "What would you like done?",
  editAndRunAgain: "Edit and run again",
  lead: "Describe a goal. Planwright plans it, runs the steps in parallel, and answers with sources.",
  submits: "Submits",
  asNewPlan: "again as a new plan, with your changes.",
  thisPlan: "this plan",
  newGoal: "Write a new goal instead",
  goal: "Goal",
  describeAGoal: "Describe a goal…",
  ctrl: "Ctrl",
  enter: "Enter",
  keySubmits: "submits",
  drafting: "Drafting…",
  preview: "Preview",
  submitting: "Submitting…",
  submitGoal: "Submit goal",
} as const;

export const DROP_FORM = {
  drop: "Drop a CSV, SQLite or text file to attach it",
} as const;

export const EXAMPLE_GOALS_LIST = {
  exampleGoals: "Example goals",
  examples: "Examples",
} as const;

export const OPTIONS_PANEL = {
  options: "Options",
  requireApprovalFor: "Require approval for",
  reviewPlan: "Review the plan before it runs",
  maxCostUsd: "Max cost (USD)",
  maxTokens: "Max tokens",
  timeLimit: "Time limit (s)",
  requireSources: "Require sources",
  constraints: "Constraints (one per line)",
  minSteps: "Min steps",
  maxSteps: "Max steps",
  noLimit: "no limit",
  dataSources: "Data sources: all, or select",
  priority: "Priority",
  delete: "Delete",
  deleteNamed: (name: string | number) => `Delete ${name}`,
  wasNotDeleted: (name: string | number, reason: string | number) => `${name} was not deleted: ${reason}`,
  deleteQuestion: (name: string | number) => `Delete ${name}? Plans that still need it will fail.`,
  keepIt: "Keep it",
} as const;

export const PLAN_FIELD = {
  runAnExistingPlan: "Run an existing plan (JSON)",
  example: '{"steps": [{"id": "s1", "tool": "docs.search", "args": {"query": "returns"}}]}',
  valid: (steps: string | number) => `Valid plan with ${steps}`,
} as const;

export const PREVIEW_CARD = {
  planPreview: "Plan preview",
  title: (steps: string | number) => `Preview: ${steps}`,
  runThisPlan: "Run this plan",
  longestChain: (stepIds: string | number) => `critical path of ${stepIds}`,
  atLeast: (modelCalls: string | number) => `at least ${modelCalls}`,
  needsApproval: "needs approval",
  onTheCriticalPath: "on the critical path",
  after: (value: string | number) => `after ${value}`,
  noApprovalsNeeded: "No approvals needed.",
  needApproval: (steps: string | number, value: string | number) => `${steps} will need approval: ${value}`,
  draftingTook: (value: string | number, cost: string | number) => `drafting took ${value}${cost}`,
} as const;

export const STRATEGY_SELECT = {
  strategy: "Strategy",
  needsModel: "needs a language model (set OPENAI_API_KEY)",
} as const;

export const TOOLS_FIELD = {
  allowedTools: "Allowed tools:",
  all: (tools: string | number) => `all ${tools}`,
  selected: (chosen: string | number) => `${chosen} selected`,
  selectBySearch: "Search tools to select",
  searchTools: "Search tools",
  noMatchingTools: "No matching tools.",
  unavailable: (value: string | number) => `No longer available: ${value}`,
  allowAllTools: "Allow all tools",
} as const;

export const ATTACHED_FILE = {
  wrongType: (name: string | number) =>
    `${name}: unsupported type; use CSV (.csv, .tsv), SQLite (.sqlite, .db) or text (.txt, .md)`,
  isEmpty: (name: string | number) => `${name} is empty`,
  tooLarge: (name: string | number, size: string | number) => `${name} is ${size}; the limit is 64 MiB`,
} as const;

export const REQUEST_OF = {
  notAnObject: 'Enter a JSON object such as {"steps": [...]}',
  codeNeedsData: "The Code strategy needs a data source: attach a file or select one source in the options.",
} as const;

export const USE_ATTACH = {
  isEmpty: (name: string | number) => `${name} is empty`,
  tooLong: (name: string | number) => `${name} is too long; the limit is 1,000,000 characters`,
  notText: (name: string | number) => `${name} is not a text file`,
  tooMany: (max: string | number, left: string | number) => `Max ${max} files at a time; ${left} skipped`,
} as const;
