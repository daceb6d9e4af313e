import type { Json, JsonObject } from "../api/api-types.ts";

export type Table = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
  /** True when the tool returned fewer rows than there are. */
  readonly truncated: boolean;
};

const COLUMNS_MAX = 40;

/** A value as a table: a query's `{columns, rows}`, or a list of flat objects; undefined for anything else. */
export function tableOf(value: Json): Table | undefined {
  if (Array.isArray(value)) return ofObjects(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { columns, rows, truncated } = value;
  if (!Array.isArray(rows)) return undefined;
  const names = Array.isArray(columns) ? columns.map(nameOf) : undefined;
  const table =
    names === undefined
      ? ofObjects(rows)
      : { columns: names, rows: rows.map((row) => cellsOf(row, names)), truncated: false };
  return table === undefined ? undefined : { ...table, truncated: truncated === true };
}

/** A value that contains only tables, each under its name; empty for anything else. */
export function tablesOf(value: Json): { name: string; table: Table }[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const tables = Object.entries(value).map(([name, entry]) => ({ name, table: tableOf(entry) }));
  const found = tables.flatMap(({ name, table }) => (table === undefined ? [] : [{ name, table }]));
  return found.length === tables.length ? found : [];
}

function ofObjects(rows: readonly Json[]): Table | undefined {
  if (rows.length === 0 || !rows.every(isFlatObject)) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > COLUMNS_MAX) return undefined;
  return { columns, rows: rows.map((row) => cellsOf(row, columns)), truncated: false };
}

function cellsOf(row: Json, columns: readonly string[]): Json[] {
  if (Array.isArray(row)) return row;
  if (typeof row !== "object" || row === null) return [row];
  return columns.map((column) => (Object.hasOwn(row, column) ? (row[column] ?? null) : null));
}

/** Columns are names, or objects with a name. */
function nameOf(column: Json): string {
  if (
    typeof column === "object" &&
    column !== null &&
    !Array.isArray(column) &&
    typeof column["name"] === "string"
  ) {
    return column["name"];
  }
  return typeof column === "string" ? column : JSON.stringify(column);
}

function isFlatObject(value: Json): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((entry) => typeof entry !== "object" || entry === null);
}
