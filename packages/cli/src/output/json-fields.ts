/** The fields that `--json a,b,c` selects, by command. Tests compare them with the API's schemas and with what commands print. */
import { didYouMean } from "@planwright/plan/nearest-name";
import type { Command } from "commander";
import { CliError, EXIT } from "../exit-codes.ts";

const PLAN_STATE = "planId status";
const EVENT = "seq event";
/** With `--watch`: fields of events. */
const NEW_PLAN = `planId traceId ${EVENT}`;
const KEY = "id identity role createdAt createdBy lastUsedAt expiresAt";
const SUMMARY =
  "planId goal status ended outcome answerStatus strategy parent submittedBy submittedAt endedAt durationMs tokens costUsd progress needsApproval";
const PLAN = `planId traceId trace goal status ended outcome pause modelTries startsAt reason seq parent revision strategy
  strategyReason constraints planSize priority requireSources metadata submittedAt updatedAt endedAt viewedAt draft steps
  revisions planReviews answerReviews answerFrom reasoning confidence progress criticalPath usage search approvals effects
  facts openQuestions factsLeftOut budget policy submittedBy compensations answer fork rerunOf undoes feedback artifacts damage`;
const STEP = `id description tool args dependsOn when forEach verifies fallback successCriteria expectedOutput review compensate
  agent model timeoutMs retry confidence grant draft child carried status waitingFor attempt failedAttempts workerId startedAt
  endedAt durationMs output truncated error modelTries replacedBy verifiedBy reviews turns reason notNeeded items failedItems
  partial`;
const APPROVAL = `approvalId kind question stepId item undo attempt tool risk args argsHash requiredBy composedUrls approvers
  submitterMayApprove argumentsFrom argumentOrigins details expiresAfterMs status choices requestedAt expiresAt decision edits
  answer decidedBy signedAs decidedAt reason`;
const METRICS = "from to strategy all byStrategy byTool slowestSteps previous period byPeriod";

const FIELDS: Readonly<Record<string, string>> = {
  submit: NEW_PLAN,
  rerun: NEW_PLAN,
  fork: NEW_PLAN,
  watch: EVENT,
  logs: EVENT,
  list: SUMMARY,
  show: PLAN,
  step: `planId ${STEP} inputs attempts files usage`,
  diff: "fork changes figures answer steps counts",
  open: "url",
  pause: PLAN_STATE,
  resume: PLAN_STATE,
  cancel: PLAN_STATE,
  delete: "deleted refused",
  check: "valid issues",
  template: "name goal parameters savedAt savedFrom",
  "template list": "name goal parameters savedAt savedFrom",
  "template show": "name goal parameters savedAt savedFrom submission",
  "template save": "name goal parameters savedAt savedFrom submission",
  "template delete": "deleted",
  approve: APPROVAL,
  reject: APPROVAL,
  answer: APPROVAL,
  tools:
    "name description input output risk effect timeoutMs pool modelTokens light revises untrusted secrets",
  data: "name kind origin writable rules tables fault files",
  seed: "source database path config registered",
  workers: "workers pools",
  metrics: METRICS,
  kpis: METRICS,
  quotas: "of name limit used resetsAt",
  "dead-letters": "group kind pool cause count firstAt lastAt sample retried discarded refused left",
  doctor: "what state says fix",
  keys: KEY,
  "keys list": KEY,
  "keys create": `${KEY} key`,
  "keys revoke": "revoked",
  "sessions end": "ended",
  audit: "entries first last faults",
  backup: "folder createdAt streams files bytes",
  restore: "data createdAt streams files",
};

/**
 * @param command - Its name; for a subcommand, after its parent's: `keys list`. @returns Empty for commands without JSON output.
 */
export function jsonFieldsOf(command: string): readonly string[] {
  return FIELDS[command]?.split(/\s+/) ?? [];
}

/**
 * Returns the fields that `--json` selects; undefined for all.
 *
 * @param given - The value of the option.
 * @throws {CliError} `usage` for a field that the command does not have; the message lists the valid ones.
 */
export function selectedFields(given: string | boolean, command: Command): readonly string[] | undefined {
  if (typeof given === "boolean" || given === "") return undefined;
  const fields = given.split(",").map((field) => field.trim());
  const known = jsonFieldsOf(fullName(command));
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  const message =
    known.length === 0
      ? `${fullName(command)} prints no JSON fields`
      : `${fullName(command)} has no JSON field ${JSON.stringify(unknown)}${didYouMean(unknown, known)}\nFields: ${known.join(", ")}`;
  throw new CliError(EXIT.usage, message);
}

/** `list`, or `keys create`. */
export function fullName(command: Command): string {
  const names: string[] = [];
  for (let one: Command | null = command; one !== null && one.parent !== null; one = one.parent)
    names.unshift(one.name());
  return names.join(" ");
}

/** Returns the object with these fields only, in this order; null for those that it lacks. */
export function selectFields(value: object, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [field, Object.hasOwn(value, field) ? Reflect.get(value, field) : null]),
  );
}
