import type { DatabaseSync } from "node:sqlite";

/** A database that can only be read from now on. */
export type OpenedDatabase = {
  readonly database: DatabaseSync;
  /** What the CSV files knew and SQLite does not: types beyond SQLite's, and the headers as they were. */
  readonly csvColumns: ReadonlyMap<string, readonly CsvColumn[]>;
};

export type CsvColumn = { readonly name: string; readonly header: string; readonly type: ColumnType };

export type ColumnType = "integer" | "real" | "date" | "datetime" | "text";
