/** The tables of a database as passed to programs, with their last numbers and running balances. */
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { GuestTable } from "../../sandbox/program.ts";
import { quote } from "./identifiers.ts";

/** Our own table in a file that plans change: the effects that were applied to it. */
export const EFFECTS_TABLE = "planwright_effects";
const TABLES_MAX = 100;

const TableRow = z.tuple([z.string(), z.bigint()]);
/** Name, position in the primary key, and 0 for a regular column. */
const ColumnRow = z.tuple([z.string(), z.bigint(), z.bigint()]);

export type KeyedTable = GuestTable & { readonly hasRowId: boolean };

/** The first 100 tables, without views and without the internal tables of SQLite and Planwright. */
export function keyedTables(database: DatabaseSync): KeyedTable[] {
  const rows = database
    .prepare(
      `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '${EFFECTS_TABLE}' ORDER BY name LIMIT ${TABLES_MAX}`,
    )
    .all();
  const triggered = new Set(
    database
      .prepare("SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger'")
      .all()
      .map((row) => z.tuple([z.string()]).parse(row)[0]),
  );
  return rows.map((row) => {
    const [name, withoutRowId] = TableRow.parse(row);
    return { ...describeKey(database, name, triggered.has(name)), hasRowId: withoutRowId === 0n };
  });
}

function describeKey(database: DatabaseSync, name: string, hasTrigger: boolean): GuestTable {
  const columns = database
    .prepare("SELECT name, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid")
    .all(name)
    .map((row) => ColumnRow.parse(row));
  const key = columns.filter(([, place]) => place > 0n).map(([column]) => column);
  const table = { name, columns: columns.map(([column]) => column), key };
  if (key.length === 0) return { ...table, fixed: "it has no primary key, so its rows cannot be identified" };
  if (columns.some(([, , hidden]) => hidden !== 0n))
    return { ...table, fixed: "it has columns that are computed" };
  return hasTrigger ? { ...table, fixed: "a trigger would make further changes" } : table;
}

/** The column's value in the row that was added last; null when there is no row, or no number in it. */
export function lastNumber(
  database: DatabaseSync,
  { name, key, hasRowId }: KeyedTable,
  column: string,
): number | null {
  const order = hasRowId ? "rowid" : key.map(quote).join(", ");
  const row = database
    .prepare(`SELECT ${quote(column)} FROM ${quote(name)} ORDER BY ${order} DESC LIMIT 1`)
    .get();
  const [value] = z.tuple([z.unknown()]).safeParse(row).data ?? [];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** The balances before any change, for the tables that keep a running one. */
export function runningBalances(
  database: DatabaseSync,
  tables: readonly KeyedTable[],
  running: Readonly<Record<string, string>>,
): Record<string, number | null> {
  return Object.fromEntries(
    tables.flatMap((table) => {
      const column = Object.hasOwn(running, table.name) ? running[table.name] : undefined;
      if (column === undefined || !table.columns.includes(column)) return [];
      return [[table.name, lastNumber(database, table, column)] as const];
    }),
  );
}
