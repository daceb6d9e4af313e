/** The rows of the projection, and the text by which searches find them. */
import type { PlanId, PlanOutline } from "@planwright/plan";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type FiguresWriter, prepareFigures } from "../figures/write-figures.ts";

/** Lists show the beginning of a goal; searches cover all of it. */
const GOAL_SHOWN_CHARS = 500;
/** Lists are sorted by the beginning of a goal or an identity; a page's cursor contains it. */
const KEY_CHARS_MAX = 48;
const METADATA_CHARS_MAX = 20_000;
const FORGET_AT_ONCE = 500;

export type NotedPlan = {
  readonly planId: PlanId;
  readonly outline: PlanOutline;
  /** The stream position of its first event, even if that has left the log. */
  readonly sequence: number;
};

/**
 * Removes from a text the parts that no search may find and no order may depend on: a search hit, or the position among other
 * plans, would reveal them letter by letter.
 */
export type HideText = (text: string) => string;

/** Makes the function that writes one plan; call it inside a transaction. */
export function prepareWritePlan(
  database: DatabaseSync,
  {
    figures = prepareFigures(database),
    hide = (text) => text,
  }: { readonly figures?: FiguresWriter; readonly hide?: HideText } = {},
): (noted: NotedPlan) => void {
  const rowOf = database.prepare("SELECT sequence FROM plans WHERE id = ?");
  // Positional: binding this many values by name costs more than writing them.
  const columns = [...CHANGING, ...FIXED];
  const insert = database.prepare(
    `INSERT INTO plans (sequence, ${columns.join(", ")}) VALUES (?, ${columns.map(() => "?").join(", ")})`,
  );
  const update = database.prepare(
    `UPDATE plans SET ${CHANGING.map((name) => `${name} = ?`).join(", ")} WHERE sequence = ? AND seq < ?`,
  );
  const words = database.prepare(
    "INSERT INTO plan_words (rowid, id, goal, metadata, owner) VALUES (?, ?, ?, ?, ?)",
  );
  const remove = prepareRemove(database);

  return ({ planId, outline, sequence }) => {
    const known = rowOf.get(planId)?.["sequence"];
    if (known === sequence) update.run(...changingValues(outline), sequence, outline.seq);
    else {
      // A different plan: it reuses the id of a forgotten one.
      if (typeof known === "number") remove(known);
      insert.run(sequence, ...changingValues(outline), ...fixedValues(planId, outline, hide));
      words.run(
        sequence,
        planId,
        hide(outline.goal),
        hide(metadataText(outline)).slice(0, METADATA_CHARS_MAX),
        outline.tenant,
      );
    }
    figures.add(outline, sequence);
  };
}

/** Makes the function that removes one plan from the list; call it inside a transaction. */
export function prepareRemovePlan(database: DatabaseSync): (planId: PlanId) => void {
  const rowOf = database.prepare("SELECT sequence FROM plans WHERE id = ?");
  const remove = prepareRemove(database);
  return (planId) => {
    const sequence = rowOf.get(planId)?.["sequence"];
    if (typeof sequence === "number") remove(sequence);
  };
}

/** Removes a batch of plans that ended before a time from the list. Returns whether there may be more. */
export function forgetRows(database: DatabaseSync, before: Date): boolean {
  return inTransaction(database, () => {
    const rows = database
      .prepare("SELECT sequence FROM plans WHERE ended_at < ? LIMIT ?")
      .all(before.toISOString(), FORGET_AT_ONCE);
    const remove = prepareRemove(database);
    for (const { sequence } of rows) remove(Number(sequence));
    return rows.length === FORGET_AT_ONCE;
  });
}

function prepareRemove(database: DatabaseSync): (sequence: number) => void {
  const row = database.prepare("DELETE FROM plans WHERE sequence = ?");
  const words = database.prepare("DELETE FROM plan_words WHERE rowid = ?");
  // The full-text index replaces the last inserted row ID by one that exceeds a JavaScript number: until the next
  // insert, every statement would fail to return it.
  words.setReadBigInts(true);
  const note = database.prepare("INSERT OR REPLACE INTO progress VALUES ('removed', ?)");
  const figures = prepareFigures(database);
  return (sequence) => {
    figures.remove(sequence);
    row.run(sequence);
    words.run(sequence);
    note.run(String(sequence));
  };
}

export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

const FIXED = [
  "id",
  "tenant",
  "parent",
  "goal",
  "goal_key",
  "submitted_by",
  "submitter_key",
  "submitted_at",
] as const;

/** The values in the order of their columns, {@link FIXED}. */
function fixedValues(planId: PlanId, outline: PlanOutline, hide: HideText): SQLInputValue[] {
  const { tenant, goal, parent = null, submittedBy = "", submittedAt } = outline;
  const [goalKey, submitterKey] = [sortKey(hide(goal)), sortKey(hide(submittedBy))];
  const shown = goal.slice(0, GOAL_SHOWN_CHARS);
  return [planId, tenant, parent, shown, goalKey, submittedBy, submitterKey, submittedAt];
}

/** The sort key of a text. */
function sortKey(text: string): string {
  return text
    .slice(0, GOAL_SHOWN_CHARS)
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim()
    .toLowerCase()
    .slice(0, KEY_CHARS_MAX)
    .toWellFormed();
}

const CHANGING = [
  "status",
  "strategy",
  "outcome",
  "answer_status",
  "ended_at",
  "ended_ms",
  "duration_ms",
  "tokens",
  "cost_usd",
  "done",
  "total",
  "percent",
  "seq",
  "lesson",
] as const;

/** The values in the order of their columns, {@link CHANGING}. */
function changingValues(outline: PlanOutline): SQLInputValue[] {
  const { status, strategy, outcome = null, answerStatus = null, endedAt = null, usage, lesson } = outline;
  return [
    status,
    strategy,
    outcome,
    answerStatus,
    endedAt,
    endedAt === null ? null : Date.parse(endedAt),
    durationOf(outline),
    usage.inputTokens + usage.outputTokens,
    usage.costUsd ?? UNKNOWN,
    outline.done,
    outline.total,
    outline.percent,
    outline.seq,
    lesson === undefined ? null : JSON.stringify(lesson),
  ];
}

/** Stands for a number that is unknown, or not known yet. */
const UNKNOWN = -1;

/** Unknown until the plan has ended. */
function durationOf({ submittedAt, endedAt, figures }: PlanOutline): number {
  if (endedAt === undefined) return UNKNOWN;
  return figures?.durationMs ?? Math.max(0, Date.parse(endedAt) - Date.parse(submittedAt));
}

/** Metadata keys and values as searchable text. */
function metadataText({ metadata }: PlanOutline): string {
  return JSON.stringify(metadata);
}
