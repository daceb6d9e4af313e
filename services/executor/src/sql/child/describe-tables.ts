import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { SourceColumn, SourceDescription, SourceTable } from "../source-tables.ts";
import { quote } from "./identifiers.ts";
import { listTables, type Table, tablesInWords } from "./list-tables.ts";
import type { OpenedDatabase } from "./opened-database.ts";
import { orElse } from "./or-else.ts";
import { toJsonValue } from "./to-json-value.ts";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { isBusy, isDamage } from "./sqlite-code.ts";

const SAMPLES = 5;
/** A text column with at most this many distinct values, of limited total length, is described with all of them. */
const ALL_VALUES = 40;
const ALL_VALUES_CHARS = 800;
const SAMPLED_ROWS = 1_000;
const SAMPLE_CHARS_MAX = 60;
const TYPE_CHARS_MAX = 40;
/** Larger tables' values are not counted per column. */
const COUNTED_ROWS_MAX = 20_000;
const COUNTED_COLUMNS_MAX = 100;
/** The whole description is one registry entry. */
const DESCRIPTION_CHARS_MAX = 256 * 1024;

const CountRow = z.tuple([z.bigint()]);

/**
 * Describes every table for a planner: its row count, and a few different values of each column. If the description would be too
 * long, values are left out first, then the last tables.
 *
 * @param looksIntoViews - If false, views have no values: reading some could run arbitrary code.
 * @throws {PermanentError} `invalid_source` when the file is damaged.
 * @throws {TransientError} While another program has it locked.
 */
export function describeTables(
  opened: OpenedDatabase,
  { looksIntoViews }: { readonly looksIntoViews: boolean },
): SourceDescription {
  try {
    const tables = listTables(opened.database);
    return { tables: bounded(tables.map((table) => describeTable(opened, table, looksIntoViews))) };
  } catch (error) {
    throw explainError(opened.database, error);
  }
}

function describeTable(
  { database, csvColumns }: OpenedDatabase,
  table: Table,
  looksIntoViews: boolean,
): SourceTable {
  const known = csvColumns.get(table.name);
  const isRead = looksIntoViews || !table.isView;
  const rows = table.isView
    ? null
    : orElse(
        () => countRows(database, table.name),
        () => null,
      );
  return {
    name: table.name,
    rows,
    columns: table.columns.map((column, index): SourceColumn => {
      const isText = known === undefined || known[index]?.type === "text";
      const all =
        isRead && isText && !table.isView
          ? orElse(
              () => allTexts(database, table, column.name),
              () => undefined,
            )
          : undefined;
      const few = (): SourceColumn["samples"] =>
        orElse(
          () => sample(database, table, column.name),
          () => [],
        );
      const values =
        all === undefined ? { samples: isRead ? few() : [] } : { samples: all, complete: true as const };
      const csv = known?.[index];
      const type = csv?.type ?? typeName(column.declaredType, values.samples);
      const facts =
        rows === null || rows > COUNTED_ROWS_MAX || table.columns.length > COUNTED_COLUMNS_MAX
          ? {}
          : orElse(
              () =>
                factsOf(database, {
                  table,
                  column: column.name,
                  rows,
                  isOrdered: isOrdered(values.samples, type),
                }),
              () => ({}),
            );
      if (csv === undefined) return { name: column.name, type, ...values, ...facts };
      const header = csv.header === csv.name ? {} : { header: csv.header.slice(0, SAMPLE_CHARS_MAX) };
      return { name: column.name, type, ...values, ...facts, ...header };
    }),
  };
}

function bounded(tables: readonly SourceTable[]): SourceTable[] {
  if (JSON.stringify(tables).length <= DESCRIPTION_CHARS_MAX) return [...tables];
  const shown: SourceTable[] = [];
  let chars = 0;
  for (const table of tables) {
    const bare = {
      ...table,
      columns: table.columns.map(({ name, type, header }) => ({
        name,
        type,
        samples: [],
        ...(header === undefined ? {} : { header }),
      })),
    };
    chars += JSON.stringify(bare).length;
    if (chars > DESCRIPTION_CHARS_MAX) break;
    shown.push(bare);
  }
  return shown;
}

function countRows(database: DatabaseSync, table: string): number {
  const [count] = CountRow.parse(database.prepare(`SELECT count(*) FROM ${quote(table)}`).get());
  return Number(count);
}

function sample(database: DatabaseSync, table: Table, column: string): SourceColumn["samples"] {
  const name = quote(column);
  const rows = database
    .prepare(
      `SELECT DISTINCT ${name} FROM (SELECT ${name} FROM ${quote(table.name)} LIMIT ${SAMPLED_ROWS})
       WHERE ${name} IS NOT NULL LIMIT ${SAMPLES}`,
    )
    .all();
  return rows.map((row) => {
    const [value] = z.tuple([z.unknown()]).parse(row);
    const sampled = toJsonValue(value);
    return typeof sampled === "string" ? sampled.slice(0, SAMPLE_CHARS_MAX) : sampled;
  });
}

/** All values of a column that only holds a few short texts; otherwise `undefined`. */
function allTexts(database: DatabaseSync, table: Table, column: string): string[] | undefined {
  const name = quote(column);
  const rows = database
    .prepare(
      `SELECT DISTINCT ${name} FROM ${quote(table.name)} WHERE ${name} IS NOT NULL LIMIT ${ALL_VALUES + 1}`,
    )
    .all();
  const texts = z.array(z.tuple([z.string().max(SAMPLE_CHARS_MAX)])).safeParse(rows);
  if (!texts.success || rows.length === 0 || rows.length > ALL_VALUES) return undefined;
  const values = texts.data.map(([value]) => value);
  return values.join("").length > ALL_VALUES_CHARS ? undefined : values;
}

const FactsRow = z.tuple([
  z.union([z.bigint(), z.number()]).transform(Number),
  z.union([z.bigint(), z.number()]).transform(Number),
  z.unknown(),
  z.unknown(),
]);

type Facts = Pick<SourceColumn, "unique" | "empty" | "min" | "max">;

/** What the values of a column have in common: helps a planner to tell a key from a measure and a gap from a zero. */
function factsOf(
  database: DatabaseSync,
  of: { readonly table: Table; readonly column: string; readonly rows: number; readonly isOrdered: boolean },
): Facts {
  const name = quote(of.column);
  const row = database
    .prepare(
      `SELECT count(${name}), count(DISTINCT ${name}), min(${name}), max(${name}) FROM ${quote(of.table.name)}`,
    )
    .get();
  const [filled, different, min, max] = FactsRow.parse(row);
  return {
    ...(different === of.rows && of.rows > 1 ? { unique: true as const } : {}),
    ...(filled < of.rows ? { empty: of.rows - filled } : {}),
    ...(of.isOrdered ? rangeOf(min, max) : {}),
  };
}

function rangeOf(min: unknown, max: unknown): Pick<SourceColumn, "min" | "max"> {
  const [low, high] = [toJsonValue(min), toJsonValue(max)];
  return isShort(low) && isShort(high) ? { min: low, max: high } : {};
}

function isShort(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value.length <= SAMPLE_CHARS_MAX);
}

/** True for numbers and for texts that are dates: the alphabetical minimum of other texts means nothing. */
function isOrdered(samples: SourceColumn["samples"], type: string): boolean {
  if (type === "date" || type === "datetime") return true;
  return (
    samples.length > 0 &&
    samples.every(
      (sample) => typeof sample === "number" || (typeof sample === "string" && DATE_TEXT.test(sample)),
    )
  );
}

const DATE_TEXT = /^\d{4}-\d{2}-\d{2}/;

function typeName(declared: string, samples: SourceColumn["samples"]): string {
  if (declared !== "") return declared.toLowerCase().slice(0, TYPE_CHARS_MAX);
  const [first] = samples;
  if (typeof first === "number") return Number.isInteger(first) ? "integer" : "real";
  return "text";
}

const SCHEMA_CHARS_MAX = 1_500;

/** SQLite's error for a statement, explained for its author. */
export function explainError(database: DatabaseSync, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PermanentError) return error;
  if (isBusy(error))
    return new TransientError("the database is busy: another program writes to it", { cause: error });
  if (isDamage(error)) {
    return new PermanentError("the database file is damaged", { code: "invalid_source", cause: error });
  }
  if (/not authorized|prohibited/.test(error.message))
    return invalidSql("only SELECT statements that read tables are allowed", error);
  if (/no such (column|table)|ambiguous column/.test(error.message)) {
    return invalidSql(`${error.message}. There are: ${tablesInWords(database, SCHEMA_CHARS_MAX)}`);
  }
  return invalidSql(error.message);
}

export function invalidSql(message: string, cause?: unknown): PermanentError {
  return new PermanentError(message, { code: "invalid_sql", cause });
}
