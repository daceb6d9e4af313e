import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { SourceColumn, SourceDescription, SourceTable } from "../source-tables.ts";
import { explainError } from "./explain-error.ts";
import { quote } from "./identifiers.ts";
import { listTables, type Table } from "./list-tables.ts";
import type { OpenedDatabase } from "./opened-database.ts";
import { orElse } from "./or-else.ts";
import { toJsonValue } from "./to-json-value.ts";

const SAMPLES = 5;
/** A column of text with no more values, and no more characters of them, is described with all of them. */
const ALL_VALUES = 40;
const ALL_VALUES_CHARS = 800;
const SAMPLED_ROWS = 1_000;
const SAMPLE_CHARS_MAX = 60;
const TYPE_CHARS_MAX = 40;
/** All of it is one entry of a registry. */
const DESCRIPTION_CHARS_MAX = 256 * 1024;

const CountRow = z.tuple([z.bigint()]);

/**
 * Every table with its rows counted and a few different values of each column, as a planner needs it. What would be
 * too long is left out: first the values, then the last tables.
 *
 * @param looksIntoViews - Without it views have no values: to find some may mean running anything.
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
  return {
    name: table.name,
    rows: table.isView
      ? null
      : orElse(
          () => countRows(database, table.name),
          () => null,
        ),
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
      if (csv === undefined)
        return { name: column.name, type: typeName(column.declaredType, values.samples), ...values };
      const header = csv.header === csv.name ? {} : { header: csv.header.slice(0, SAMPLE_CHARS_MAX) };
      return { name: column.name, type: csv.type, ...values, ...header };
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

/** All values of a column that holds nothing but a few short texts; `undefined` of any other. */
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

function typeName(declared: string, samples: SourceColumn["samples"]): string {
  if (declared !== "") return declared.toLowerCase().slice(0, TYPE_CHARS_MAX);
  const [first] = samples;
  if (typeof first === "number") return Number.isInteger(first) ? "integer" : "real";
  return "text";
}
