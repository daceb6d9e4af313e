import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { quote } from "./identifiers.ts";
import { EFFECTS_TABLE } from "./keyed-tables.ts";
import { orElse } from "./or-else.ts";

const TABLES_MAX = 100;

export type Table = {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: readonly { readonly name: string; readonly declaredType: string }[];
};

const TableRow = z.tuple([z.string(), z.enum(["table", "view", "virtual"])]);
const ColumnRow = z.tuple([z.string(), z.string()]);

/** The tables and views that a query can name, without SQLite's own, ours, and those that cannot be inspected; the first 100. */
export function listTables(database: DatabaseSync): readonly Table[] {
  const rows = orElse(
    () => database.prepare(`${ALL} LIMIT ${TABLES_MAX}`).all(),
    // The query inspects every table, and one that cannot be opened makes it fail for all.
    () => database.prepare(`${DECLARED} LIMIT ${TABLES_MAX}`).all(),
  );
  return rows.flatMap((row) => {
    const [name, type] = TableRow.parse(row);
    const columns = orElse(
      () => listColumns(database, name),
      () => [],
    );
    return columns.length === 0 ? [] : [{ name, isView: type === "view", columns }];
  });
}

const ALL = `SELECT name, type FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND name <> '${EFFECTS_TABLE}' ORDER BY name`;
const DECLARED = `SELECT name, type FROM sqlite_schema
  WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND name <> '${EFFECTS_TABLE}' ORDER BY name`;

function listColumns(database: DatabaseSync, table: string): Table["columns"] {
  // Hidden columns (1) belong to virtual tables; generated ones (2, 3) can be read like any other.
  const rows = database
    .prepare("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid")
    .all(table);
  return rows.map((row) => {
    const [name, declaredType] = ColumnRow.parse(row);
    return { name, declaredType };
  });
}

/** `sales(region, units); stores(id, city)`: for the error when a query names something that does not exist. */
export function tablesInWords(database: DatabaseSync, charsMax: number): string {
  const words = listTables(database)
    .map(({ name, columns }) => `${plain(name)}(${columns.map((column) => plain(column.name)).join(", ")})`)
    .join("; ");
  return words.length > charsMax ? `${words.slice(0, charsMax)}…` : words;
}

function plain(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : quote(name);
}
