import type { DatabaseSync } from "node:sqlite";
import { type Cell, type Cells, nameOfRow, type RowChange } from "@planwright/plan";
import { z } from "zod";
import { toCell, toSqlInput } from "../../changeset/cells.ts";
import { quote } from "./identifiers.ts";

/**
 * The first row that is not as the changes found it, in a sentence: which one, what was wanted and what is there.
 *
 * @returns Undefined when all of them are.
 */
export function findConflict(database: DatabaseSync, changes: readonly RowChange[]): string | undefined {
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
