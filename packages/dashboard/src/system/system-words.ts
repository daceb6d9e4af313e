/** The texts of the pages of the system. */
import type { ToolSpec } from "../api/api-types.ts";

export const EFFECTS: Readonly<Record<ToolSpec["effect"], string>> = {
  read: "read-only",
  idempotent: "idempotent write",
  once: "runs at most once",
};

export const APPROVALS_PAGE = {
  approvals: "Approvals",
  of: (approvals: string | number, total: string | number) => `${approvals} of ${total}`,
  plan: (goal: string | number) => `Plan: ${goal}`,
  step: (stepId: string | number) => `step ${stepId}`,
  lead: "Pending approvals, oldest first. Undecided approvals are rejected when they expire.",
} as const;

export const DEAD_LETTERS_PAGE = {
  deadLetters: "Dead letters",
  total: (total: string | number) => `${total} total`,
  titleOf: (cause: string | number) => `Dead letters: ${cause}`,
  inPool: (pool: string | number) => ` in pool ${pool}`,
  last: (lastAt: string | number) => `last ${lastAt}`,
  newestPlan: "plan of the newest message",
  retry: "Retry",
  yesDiscard: (count: string | number) => `Yes, discard ${count}`,
  discard: "Discard",
  lead: "Messages that failed all delivery attempts. Retry runs their steps again; discard deletes them.",
} as const;

export const DEAD_LETTER_LIST = {
  messages: "Messages",
  loadingMessages: "Loading messages",
  newerMessages: "Newer messages",
  olderMessages: "Older messages",
  message: (id: string | number) => `Message ${id}`,
  attempt: (attempt: string | number) => ` · attempt ${attempt}`,
  plan: "plan",
  step: (stepId: string | number) => `step ${stepId}`,
  messagePayload: "Message payload",
  retryMessage: "Retry message",
  yesDiscardMessage: "Yes, discard message",
  discardMessage: "Discard message",
  loading: "Loading…",
} as const;

export const SCHEMA_TABLE = {
  noArguments: "No arguments.",
  argumentsOf: (of: string | number) => `Arguments of ${of}`,
  argument: "Argument",
  type: "Type",
  description: "Description",
  required: "required",
  fallback: "Default",
} as const;

export const SYSTEM_PART = {
  loadingPage: "Loading page",
} as const;

export const TOOLS_PAGE = {
  tools: "Tools",
  noMatchingTools: "No matching tools",
  showAllTools: "Show all tools",
  of: (shown: string | number, all: string | number) => `${shown} of ${all}`,
  poolMax: (pool: string | number, timeoutMs: string | number) => `pool ${pool} · max ${timeoutMs}`,
  outputIsUntrusted: " · output is untrusted",
  arguments: "Arguments",
  asJsonSchema: "As JSON Schema",
  tryIt: "Try it",
  lead: "Tools available to plans, as registered by the executors.",
} as const;

export const TOOL_FILTERS = {
  any: (word: string | number) => `Any ${word}`,
  searchTools: "Search tools",
  risk: "Risk",
  effect: "Effect",
  pool: "Pool",
} as const;

export const TRY_RESULT = {
  result: "Result",
  waiting: " is waiting for your approval there.",
  plan: "Plan",
} as const;

export const TRY_TOOL = {
  try: (name: string | number) => `Try ${name}`,
  run: (name: string | number) => `Run ${name}`,
  highRisk: "High risk: requires approval before it runs.",
  required: "required",
  fallback: (fallback: string | number) => `default: ${fallback}`,
  atMostOnce: "Runs at most once: its effect is real and cannot be repeated or undone.",
  idempotent: "Idempotent write: running it again has no further effect.",
  typeAndDefault: (type: string | number, fallback: string | number) => `${type}, default ${fallback}`,
} as const;

export const WORKERS_PAGE = {
  workers: "Workers",
  unavailable: (reason: string | number) => `unavailable: ${reason}`,
  workersOf: (pool: string | number) => `Workers of ${pool}`,
  worker: "Worker",
  inFlight: "In flight",
  capacity: "Capacity",
  tools: "Tools",
  agentTypes: "Agent types",
  version: "Version",
  lastSeen: "Last seen",
  lead: "Workers seen in the last 5 s and queue depth, by pool.",
  oldest: (oldestAt: string | number) => `, oldest message age ${oldestAt}`,
  usage: (
    workers: string | number,
    inFlight: string | number,
    places: string | number,
    waiting: string | number,
    oldest: string | number,
  ) => `${workers}, ${inFlight} of ${places} slots in use${waiting}${oldest}`,
} as const;

export const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "yes or no",
  array: "list",
};

export const POOLS_OF = {
  noWorker: (waiting: string | number, value: string | number) =>
    `No worker serves this pool, and ${waiting} ${value}: start an executor for it.`,
  full: (places: string | number, queued: string | number, value: string | number) =>
    `All ${places} slots are in use, and ${queued} more ${value} queued: add a worker.`,
} as const;

export const SCHEMA_FIELDS = {
  required: "Required",
  notANumber: (value: string | number) => `Enter a ${value}number`,
  notJson: "Enter JSON: text in quotes, a number, a list or an object",
} as const;
