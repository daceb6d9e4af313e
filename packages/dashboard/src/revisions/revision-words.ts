/** The texts of revisions: their causes, and the party that requested each. */
import type { RevisionAsker } from "@planwright/plan/revision-diff";
import type { PlanView } from "../api/api-types.ts";

type Cause = PlanView["revisions"][number]["cause"];

const CAUSES: Readonly<Record<Cause, string>> = {
  results: "The results did not meet the goal",
  failure: "A step failed permanently",
  verification: "Verification rejected a step's output",
  expectation: "An output did not match expectations",
  requires_replan: "A step reported that the plan needs to change",
  rejection: "A reviewer rejected a step",
  wave: "The next wave was planned",
  review: "The draft was revised before it ran",
};

export function causeWords(cause: Cause): string {
  return Object.hasOwn(CAUSES, cause) ? CAUSES[cause] : cause;
}

const ASKERS: Readonly<Record<RevisionAsker["kind"], string>> = {
  joiner: "the review of the results",
  step: "the step",
  judge: "the review of the step",
  person: "a user",
  plan: "the plan's strategy",
  critic: "the review of the draft",
};

/** The party that requested a revision: by name if it has one, otherwise by kind. */
export function askerWords({ kind, name }: RevisionAsker): string {
  return name ?? ASKERS[kind];
}

export const FIELD_CHANGES = {
  unchanged: "Unchanged.",
  notSet: "not set",
} as const;

export const PLAN_DIFF = {
  replaces: "replaces",
  noStepsChanged: "No steps changed.",
  firstShown: (
    changed: string | number,
    added: string | number,
    removed: string | number,
    shown: string | number,
  ) => `First ${shown} each of ${changed} changed, ${added} added and ${removed} removed steps.`,
  kept: "Kept",
  changed: "Changed",
  added: "Added",
  removed: "Removed",
} as const;

export const REVISIONS_TAB = {
  loadingRevisions: "Loading revisions",
  editedBeforeRunning: "Edited before running",
  editedBy: (by: string | number) => `Edited and approved by ${by}`,
  revision: (revision: string | number) => `Revision ${revision}`,
  revisionBecause: (revision: string | number, cause: string | number) => `Revision ${revision}: ${cause}`,
  requestedBy: (asker: string | number) => `Requested by ${asker}`,
} as const;
