import type { DatabaseSync } from "node:sqlite";

/** A database that is read-only from now on. */
export type OpenedDatabase = {
  readonly database: DatabaseSync;
  /** Details of the CSV files that SQLite does not keep: additional types, and the original headers. */
  readonly csvColumns: ReadonlyMap<string, readonly CsvColumn[]>;
};

export type CsvColumn = { readonly name: string; readonly header: string; readonly type: ColumnType };

export type ColumnType = "integer" | "real" | "date" | "datetime" | "text";
