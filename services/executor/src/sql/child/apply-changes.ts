/**
 * Applies the changes that a program made on a copy to the file itself: all of them or none, in one transaction with their effect
 * key.
 *
 * Invariants:
 *   CHANGES-1. A key is stored exactly when its changes are: a second run with it changes nothing.
 *   CHANGES-2. Only the changes that users saw are made: the bytes are parsed again and compared with them.
 *   CHANGES-3. If a row has changed in the meantime, nothing is changed.
 */
import { constants, DatabaseSync } from "node:sqlite";
import {
  canonicalJson,
  checkChanges,
  nameOfRow,
  type RowChange,
  violationsInWords,
  type Cell,
  type Cells,
} from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { readChangeset } from "../../changeset/read-changeset.ts";
import type { ApplyRequest } from "../change-request.ts";
import { quote } from "./identifiers.ts";
import { EFFECTS_TABLE, type KeyedTable, keyedTables, runningBalances } from "./keyed-tables.ts";
import { isBusy } from "./sqlite-code.ts";
import { z } from "zod";
import { toCell, toSqlInput } from "../../changeset/cells.ts";

const BUSY_MS = 2_000;

/** @returns False when the key's changes have already been made. */
export function applyChanges({ path, ...request }: ApplyRequest): boolean {
  using database = openForWriting(path);
  try {
    // Locks immediately: no other process can write between the check and the change.
    database.exec("BEGIN IMMEDIATE");
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${EFFECTS_TABLE} (effect_key TEXT PRIMARY KEY, applied_at TEXT NOT NULL) WITHOUT ROWID`,
    );
    const isNew = !isKnown(database, request.effectKey);
    if (isNew) {
      change(database, request);
      database
        .prepare(`INSERT INTO ${EFFECTS_TABLE} VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))`)
        .run(request.effectKey);
    }
    database.exec("COMMIT");
    return isNew;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw isBusy(error)
      ? new TransientError("another program writes to the source", { cause: error })
      : error;
  }
}

/** Whether the key's changes are in the file. */
export function hasEffect({ path, effectKey }: Pick<ApplyRequest, "path" | "effectKey">): boolean {
  using database = openForWriting(path);
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(EFFECTS_TABLE);
  return table !== undefined && isKnown(database, effectKey);
}

function openForWriting(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    readBigInts: true,
    returnArrays: true,
    timeout: BUSY_MS,
    limits: { attach: 0 },
    // Effects of constraints between tables on the copy are among the changes; see `checkForeignKeys`.
    enableForeignKeyConstraints: false,
  });
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL");
  return database;
}

function isKnown(database: DatabaseSync, effectKey: string): boolean {
  return database.prepare(`SELECT 1 FROM ${EFFECTS_TABLE} WHERE effect_key = ?`).get(effectKey) !== undefined;
}

function change(
  database: DatabaseSync,
  { changeset, changes: told, rules = {} }: Omit<ApplyRequest, "path" | "effectKey">,
): void {
  const tables = keyedTables(database);
  const changes = readChangeset(changeset, (name) => tables.find((table) => table.name === name)?.columns);
  if (canonicalJson(changes) !== canonicalJson(told))
    throw refused("changes_differ", "the changes differ from the announced ones");
  refuseFixed(tables, changes);
  const conflict = findConflict(database, changes);
  if (conflict !== undefined) throw refused("data_conflict", conflict);
  const running = Object.entries(rules).flatMap(([table, own]) =>
    own.running === undefined ? [] : [[table, own.running.balance] as const],
  );
  const balances = new Map(Object.entries(runningBalances(database, tables, Object.fromEntries(running))));
  const violations = checkChanges(changes, { rules, balances });
  if (violations.length > 0) {
    // The dry run obeyed the rules, so a balance that does not fit has changed since.
    const moved = violations.every(({ code }) => code === "running_balance");
    throw refused(moved ? "data_conflict" : "rules_broken", violationsInWords(violations));
  }
  const applied = database.applyChangeset(changeset, {
    onConflict: () => constants.SQLITE_CHANGESET_ABORT,
  });
  if (!applied) throw refused("data_conflict", "a row or a constraint conflicts with the changes");
  checkForeignKeys(database, new Set(changes.map(({ table }) => table)));
}

function refuseFixed(tables: readonly KeyedTable[], changes: readonly RowChange[]): void {
  for (const row of changes) {
    const fixed = tables.find(({ name }) => name === row.table)?.fixed;
    if (fixed !== undefined)
      throw refused("rules_broken", `${nameOfRow(row)}: ${row.table} is read-only: ${fixed}`);
  }
}

function checkForeignKeys(database: DatabaseSync, tables: ReadonlySet<string>): void {
  for (const table of tables) {
    if (database.prepare(`PRAGMA foreign_key_check(${quote(table)})`).get() === undefined) continue;
    throw refused("data_conflict", `a row of ${table} would refer to a row that does not exist`);
  }
}

function refused(code: "changes_differ" | "data_conflict" | "rules_broken", message: string): PermanentError {
  return new PermanentError(`${message}; nothing was changed`, { code });
}

/** Converts SQLite's error for a file that it cannot write. */
export function unwritable(name: string, error: unknown): unknown {
  if (error instanceof PermanentError || error instanceof TransientError) return error;
  return new PermanentError(`source ${name} cannot be changed: ${describeError(error)}`, {
    code: "invalid_source",
    cause: error,
  });
}

/**
 * A sentence about the first row that differs from what the changes expect: which row, and the expected and actual values.
 *
 * @returns Undefined when all rows match.
 */
function findConflict(database: DatabaseSync, changes: readonly RowChange[]): string | undefined {
  for (const change of changes) {
    const { before } = change;
    const columns = before === null ? Object.keys(change.key) : Object.keys(before);
    const row = rowOf(database, change, columns);
    if (before === null) {
      if (row !== undefined) return `${nameOfRow(change)} already exists`;
      continue;
    }
    if (row === undefined) return `${nameOfRow(change)} is gone`;
    const other = columns.find((column) => !isSame(row[column], before[column]));
    if (other !== undefined) {
      return `${nameOfRow(change)}: ${other} is ${inWords(row[other])} by now, it was ${inWords(before[other])}`;
    }
  }
  return undefined;
}

function rowOf(
  database: DatabaseSync,
  { table, key }: RowChange,
  columns: readonly string[],
): Cells | undefined {
  const where = Object.keys(key)
    .map((column) => `${quote(column)} = ?`)
    .join(" AND ");
  const values = database
    .prepare(`SELECT ${columns.map(quote).join(", ")} FROM ${quote(table)} WHERE ${where}`)
    .get(...Object.values(key).map(toSqlInput));
  const cells = z.array(z.unknown()).safeParse(values).data;
  return cells && Object.fromEntries(columns.map((column, index) => [column, toCell(cells[index])]));
}

function isSame(left: Cell | undefined, right: Cell | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function inWords(cell: Cell | undefined): string {
  return JSON.stringify(cell ?? null).slice(0, 200);
}
