/** The texts of approvals: their titles, decisions and edits. */
import type { Approval, ApprovalChoice } from "../api/api-types.ts";

const TITLES: Readonly<Record<Approval["kind"], string>> = {
  plan: "Approve this plan?",
  "tool-risk": "Approve this step?",
  confidence: "Approve this low-confidence step?",
  question: "A question",
  "outcome-unknown": "Step outcome unknown",
  budget: "Budget exhausted",
};

const LABELS: Readonly<Record<ApprovalChoice, string>> = {
  approve: "Approve",
  reject: "Reject",
  answer: "Answer",
  happened: "It took effect",
  "run-again": "Run it again",
};

export function titleOf({ kind }: Pick<Approval, "kind">): string {
  return TITLES[kind];
}

/** @param edited - Whether the reviewer has edited the proposal. */
export function labelOf(decision: ApprovalChoice, edited: boolean): string {
  return decision === "approve" && edited ? "Approve as edited" : LABELS[decision];
}

/** The label of the field for edits. */
export function editsLabelOf({ kind }: Pick<Approval, "kind">): string {
  if (kind === "plan") return "Edited plan";
  if (kind === "budget") return "Raise limits by (tokens, usd, seconds, steps)";
  return "Edited arguments";
}

/** An approval that is still undecided when it expires counts as rejected. */
export function expiryText(expiresAt: string, nowMs: number): string {
  // Rounded like the plan's status text, because the page shows both.
  const seconds = Math.round((Date.parse(expiresAt) - nowMs) / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (seconds <= 0) return "expires now";
  if (minutes < 1) return "expires in less than 1 min";
  if (minutes < 60) return `expires in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `expires in ${hours} h` : `expires in ${Math.floor(hours / 24)} d`;
}

/** The texts of the form that edits a proposal. */
export const EDITOR = {
  edit: "Edit",
  discard: "Discard edits",
  comment: "Comment",
  commentHint: "Optional; recorded with the decision",
  views: "View of the arguments",
  fields: "Fields",
  json: "JSON",
  required: "required",
  notSet: "Not set",
  proposed: "Reset",
  resetLabel: (name: string) => `Reset ${name} to the proposed value`,
  source: (origin: string) => `Source: ${origin}`,
  noSource: "Source unknown",
  edited: "Edited by you",
  editedFrom: (origin: string) => `Edited by you. Proposed value: ${origin}`,
  noSchema: "The tool's schema is not available; the gateway checks the arguments.",
  loading: "Loading the tool's arguments",
  changes: "Changes to the proposed arguments",
  noChanges: "No changes to the proposed arguments.",
  added: "added",
  removed: "removed",
  faults: (count: number) => (count === 1 ? "1 argument is not valid." : `${count} arguments are not valid.`),
  diffLabel: (name: string) => `Changes of ${name}, line by line`,
} as const;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a JSON list",
  object: "a JSON object",
};

/** What is wrong with an argument, and what to enter instead. */
export const FAULTS = {
  required: "Required",
  unknown: "The tool does not accept this argument",
  json: "Enter valid JSON, with text in double quotes",
  date: "Enter a date, such as 2026-01-31",
  dateTime: "Enter a date and time, such as 2026-01-31T10:00:00Z",
  url: "Enter a full URL, such as https://example.com/",
  type: (types: readonly string[]) => `Enter ${types.map((type) => TYPE_NAMES[type] ?? type).join(" or ")}`,
  choice: (choices: readonly string[]) => `Enter one of: ${choices.join(", ")}`,
  minChars: (min: number, chars: number) => `Min ${min} characters, has ${chars}`,
  maxChars: (max: number, chars: number) => `Max ${max} characters, has ${chars}`,
  min: (min: number) => `Min ${min}`,
  max: (max: number) => `Max ${max}`,
  above: (min: number) => `Must be greater than ${min}`,
  below: (max: number) => `Must be less than ${max}`,
  minItems: (min: number) => `Min ${min} items`,
  maxItems: (max: number) => `Max ${max} items`,
  at: (place: string, fault: string) => `${place}: ${fault}`,
} as const;

export const ANSWER_FIELD = {
  answer: "Answer",
} as const;

export const APPROVALS_PANEL = {
  needsYourApproval: "Needs your approval",
  approvalsPending: (pending: string | number) => `${pending} approvals pending`,
  showMore: (value: string | number) => `Show ${value} more`,
  item: (item: string | number) => ` item ${item}`,
} as const;

export const APPROVAL_CARD = {
  autoRejectsOn: (expiresAt: string | number) => `Auto-rejects on ${expiresAt}`,
  exactArguments: "Exact arguments",
} as const;

export const ORIGINS = {
  urls: "URLs composed by a model",
  target: "requests",
  unknownAddress: "an address not known yet",
  argumentSources: "Argument sources",
} as const;

export const ROW_CHANGES = {
  changesIn: (table: string | number) => `Changes in ${table}`,
} as const;

export const EDITED_JSON = {
  fault: "Enter a JSON object in braces",
} as const;

export const USE_APPROVAL_KEY = {
  label: "Go to the first approval",
} as const;
