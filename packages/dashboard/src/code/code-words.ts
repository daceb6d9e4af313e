/** The texts of the Code tab. */
import type { InnerCall } from "./programs-of.ts";

export const EFFECTS: Readonly<Record<NonNullable<InnerCall["effect"]>["status"], string>> = {
  started: "in progress",
  asked: "needs approval",
  done: "done",
  failed: "failed",
  unknown: "outcome unknown",
};

export const SIDES = { both: "", left: "Removed: ", right: "Added: ", gap: "" } as const;

export const APPLIED = {
  rowsBeforeAndAfter: "Rows before and after",
  editedBy: (changesEditedBy: string | number) => `Edited by ${changesEditedBy}.`,
  effect: "Effect",
  atBy: (status: string | number, at: string | number, by: string | number) =>
    `: ${status} at ${at}, by ${by}`,
  readOnly: "Read-only: no data changes.",
  applied: (rows: string | number) => `Applied: ${rows}`,
  applying: (rows: string | number) => `Applying: ${rows}`,
  waitingForApproval: (rows: string | number) => `Not applied: ${rows} waiting for approval`,
  notApplied: "Not applied",
  notAppliedYet: "Not applied yet",
  conflict: "Conflict: the rows changed in the meantime; nothing was applied",
  rejected: "Rejected: nothing was applied",
} as const;

export const INNER_CALLS = {
  toolCalls: "Tool calls",
  noTool: "no tool",
  failed: "Failed",
  running: "Running",
  returned: "Returned",
  readOnly: "read-only",
  effectKey: "Effect key",
  attemptBy: (attempt: string | number, by: string | number) => `, attempt ${attempt}, by ${by}`,
} as const;

export const PROGRAM_VIEW = {
  program: (name: string | number) => `Program ${name}`,
  version: (version: string | number) => `Version ${version}`,
  runsForEachOf: (items: string | number) => `runs for each of ${items}`,
  step: (id: string | number) => `step ${id}`,
  changes: "Changes",
  lineDiffFromTo: (id: string | number, id2: string | number) => `Line diff from ${id} to ${id2}`,
  toolCalls: "Tool calls",
  printedOutput: "Printed output",
  wholeProgram: "Whole program",
  result: "Result",
  ofMemory: (memoryBytes: string | number) => `${memoryBytes} of memory`,
  versionOf: (id: string | number, version: string | number) => `${id}, version ${version}`,
  sourceOf: (name: string | number) => `Source of ${name}`,
  rows: "Rows",
  data: "Data",
  resultingState: "Resulting state",
} as const;

export const SOURCE_DIFF = {
  sameProgram: "Same program.",
  removedAdded: (value: string | number, value2: string | number) => `${value} removed, ${value2} added`,
  moreLines: (value: string | number) => `${value} more lines`,
} as const;

export const SOURCE_VIEW = {
  copy: "Copy program",
  showAllLines: (lines: string | number) => `Show all ${lines} lines`,
} as const;
