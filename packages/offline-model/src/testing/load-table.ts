/** A table for tests: in SQLite, and described as executors describe it to the planner. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { DataSource } from "../prompt/plan-prompt.ts";

export type TableData = {
  readonly description: readonly DataSource[];
  query(sql: string, params?: readonly SQLInputValue[]): readonly Record<string, unknown>[];
};

export type Cell = string | number | null;

/** Creates a table as a separate source; a column is INTEGER or REAL when all of its cells are such numbers. */
export function loadTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): TableData {
  return loadTables(name, { [name]: { columns, rows } });
}

/** Creates one source of several tables. */
export function loadTables(
  source: string,
  tables: Readonly<Record<string, { columns: readonly string[]; rows: readonly (readonly Cell[])[] }>>,
): TableData {
  const database = new DatabaseSync(":memory:");
  const described = Object.entries(tables).map(([name, { columns, rows }]) => {
    const cells = columns.map((_, index) => rows.map((row) => row[index] ?? null));
    const types = cells.map(typeOf);
    database.exec(
      `CREATE TABLE ${name} (${columns.map((column, index) => `${column} ${types[index]}`).join(", ")})`,
    );
    const insert = database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...row);
    const shown = columns.map((column, index) =>
      describeColumn(column, types[index] ?? "TEXT", cells[index] ?? []),
    );
    return { name, rows: rows.length, columns: shown };
  });
  return {
    description: [{ source, tables: described }],
    query: (sql, params = []) =>
      database
        .prepare(sql)
        .all(...params)
        .map((row) => ({ ...row })),
  };
}

/** All values of a text column with few, else five of them; and the common form of all its values. */
function describeColumn(name: string, type: string, cells: readonly Cell[]) {
  const filled = cells.filter((cell) => cell !== null);
  const values = [...new Set(filled)];
  const complete = type === "TEXT" && values.length <= 40;
  const isOrdered =
    values.length > 0 &&
    (type !== "TEXT" || values.every((value) => /^\d{4}-\d{2}-\d{2}/.test(String(value))));
  const sorted = isOrdered ? values.toSorted(compare) : [];
  const [min, max] = [sorted[0], sorted.at(-1)];
  return {
    name,
    type,
    samples: complete ? values : values.slice(0, 5),
    complete,
    ...(values.length === cells.length && cells.length > 1 ? { unique: true } : {}),
    ...(filled.length < cells.length ? { empty: cells.length - filled.length } : {}),
    ...(min === undefined || max === undefined ? {} : { min, max }),
  };
}

function compare(one: string | number, other: string | number): number {
  const [left, right] = [Number(one), Number(other)];
  if (Number.isNaN(left) || Number.isNaN(right)) return String(one) < String(other) ? -1 : 1;
  return left - right;
}

function typeOf(cells: readonly Cell[]): "INTEGER" | "REAL" | "TEXT" {
  const texts = cells.filter((cell) => cell !== null).map(String);
  if (texts.every((text) => /^-?\d+$/.test(text))) return "INTEGER";
  return texts.every((text) => /^-?\d+(\.\d+)?$/.test(text)) ? "REAL" : "TEXT";
}
