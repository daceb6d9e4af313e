/** The bundled sales table as tests need it: in SQLite, and described as the planner's prompt does. */
import { readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { DataSource } from "../prompt/plan-prompt.ts";

export type SalesData = {
  readonly description: readonly DataSource[];
  query(sql: string, params?: readonly SQLInputValue[]): readonly Record<string, unknown>[];
};

const FILE = new URL("../../../../examples/data/sales.csv", import.meta.url);

/** Loads the CSV, after `change` has had its way with its lines (the header is the first). */
export function loadSales(change: (line: string) => string = (line) => line): SalesData {
  // No field of this file is quoted.
  const [header = "", ...lines] = readFileSync(FILE, "utf8").trim().split("\n").map(change);
  const names = header.split(",");
  const rows = lines.map((line) => line.split(","));
  const types = names.map((_, index) => typeOf(rows.map((row) => row[index] ?? "")));
  const database = new DatabaseSync(":memory:");
  database.exec(`CREATE TABLE sales (${names.map((name, index) => `${name} ${types[index]}`).join(", ")})`);
  const insert = database.prepare(`INSERT INTO sales VALUES (${names.map(() => "?").join(", ")})`);
  for (const row of rows) insert.run(...row);
  return {
    description: [
      {
        source: "sales",
        tables: [
          {
            name: "sales",
            rows: rows.length,
            columns: names.map((name, index) =>
              describeColumn(
                name,
                types[index] ?? "TEXT",
                rows.map((row) => row[index] ?? ""),
              ),
            ),
          },
        ],
      },
    ],
    query: (sql, params = []) =>
      database
        .prepare(sql)
        .all(...params)
        .map((row) => ({ ...row })),
  };
}

/** As executors describe it: all values of a column of text that has few, else five of them. */
function describeColumn(name: string, type: string, cells: readonly string[]) {
  const values = [...new Set(cells)];
  const complete = type === "TEXT" && values.length <= 40;
  return { name, type, samples: complete ? values : values.slice(0, 5), complete };
}

function typeOf(values: readonly string[]): "INTEGER" | "REAL" | "TEXT" {
  if (values.every((value) => /^-?\d+$/.test(value))) return "INTEGER";
  return values.every((value) => /^-?\d+(\.\d+)?$/.test(value)) ? "REAL" : "TEXT";
}
