/** Loads CSV files into tables with typed columns. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { describeError, PermanentError } from "@planwright/shared/errors";
import { quote, toIdentifiers } from "./identifiers.ts";
import type { CsvColumn, ColumnType } from "./opened-database.ts";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import Papa from "papaparse";

const COLUMNS_MAX = 500;
const ROWS_MAX = 1_000_000;

/**
 * Creates one table per file.
 *
 * Names become identifiers; a column gets the narrowest type that holds all of its values; dates stay text.
 *
 * @returns The columns of each table, by table name.
 * @throws {PermanentError} `invalid_source`, naming the invalid file and row.
 */
export function loadCsvFiles(
  database: DatabaseSync,
  files: readonly { readonly path: string; readonly title: string }[],
): ReadonlyMap<string, readonly CsvColumn[]> {
  const names = toIdentifiers(
    database,
    files.map(({ title }) => title),
    "table",
  );
  const tables = new Map<string, readonly CsvColumn[]>();
  for (const [index, { path }] of files.entries()) {
    const table = names[index] ?? `table_${index + 1}`;
    const csv = readCsv(path);
    const columns = readColumns(database, csv);
    fillTable(database, { table, csv, columns });
    tables.set(table, columns);
  }
  return tables;
}

function readColumns(database: DatabaseSync, csv: CsvText): readonly CsvColumn[] {
  let headers: readonly string[] = [];
  const types: TypeSoFar[] = [];
  eachCsvRow(csv, (cells, row) => {
    if (row === 0) {
      headers = trimTrailing(cells);
      if (headers.length <= COLUMNS_MAX) return;
      throw csvFault(csv.file, 0, `wanted at most ${COLUMNS_MAX} columns, got ${headers.length}`);
    }
    if (row > ROWS_MAX) throw csvFault(csv.file, row, `the limit is ${ROWS_MAX} rows`);
    if (trimTrailing(cells).length > headers.length) {
      throw csvFault(
        csv.file,
        row,
        `wanted at most ${headers.length} cells as in the header, got ${cells.length}`,
      );
    }
    for (const index of headers.keys()) types[index] = widenType(types[index], (cells[index] ?? "").trim());
  });
  if (headers.length === 0) throw csvFault(csv.file, 0, "wanted a header row, got nothing");
  const names = toIdentifiers(database, headers, "column");
  return headers.map((header, index) => ({
    header,
    name: names[index] ?? `column_${index + 1}`,
    type: types[index] ?? "text",
  }));
}

/** Spreadsheets leave empty cells at the end of rows. */
function trimTrailing(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1).map((cell) => cell.trim());
}

type Filling = { readonly table: string; readonly csv: CsvText; readonly columns: readonly CsvColumn[] };

function fillTable(database: DatabaseSync, { table, csv, columns }: Filling): void {
  const declared = columns.map(({ name, type }) => `${quote(name)} ${STORAGE[type]}`);
  database.exec(`BEGIN; CREATE TABLE ${quote(table)} (${declared.join(", ")})`);
  const insert: StatementSync = database.prepare(
    `INSERT INTO ${quote(table)} VALUES (${columns.map(() => "?").join(", ")})`,
  );
  eachCsvRow(csv, (cells, row) => {
    if (row === 0) return;
    try {
      insert.run(...columns.map(({ type }, index) => toSqlValue((cells[index] ?? "").trim(), type)));
    } catch (error) {
      throw csvFault(csv.file, row, describeError(error));
    }
  });
  database.exec("COMMIT");
}

const REAL = /^[-+]?(?:0|[1-9]\d*)?\.\d+(?:[eE][-+]?\d{1,3})?$/;
// Longer numbers are identifiers, which would lose digits as numbers; 00501 would lose its zeros.
const INTEGER = /^[-+]?(?:0|[1-9]\d{0,14})$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?$/;

/** Markers for "no value" in a column of numbers or dates; in a text column they are ordinary words. */
const MISSING: ReadonlySet<string> = new Set(["", "-", "NA", "N/A", "NaN", "NULL", "null", "None"]);

/** The type of a column so far; `undefined` while every value was missing. */
type TypeSoFar = ColumnType | undefined;

function widenType(current: TypeSoFar, cell: string): TypeSoFar {
  if (current === "text" || MISSING.has(cell)) return current;
  const type = typeOf(cell);
  if (current === undefined || current === type) return type;
  if ((current === "integer" && type === "real") || (current === "real" && type === "integer")) return "real";
  if ((current === "date" && type === "datetime") || (current === "datetime" && type === "date"))
    return "datetime";
  return "text";
}

function typeOf(cell: string): ColumnType {
  if (INTEGER.test(cell)) return "integer";
  if (REAL.test(cell) && digitsOf(cell) <= 17 && Number.isFinite(Number(cell))) return "real";
  if (DATE.test(cell)) return "date";
  return DATE_TIME.test(cell) ? "datetime" : "text";
}

function digitsOf(cell: string): number {
  const [mantissa = ""] = cell.split(/[eE]/);
  return mantissa.replaceAll(/\D/g, "").length;
}

/** The cell as SQLite stores it. */
function toSqlValue(cell: string, type: ColumnType): string | number | bigint | null {
  if (type === "text") return cell === "" ? null : cell;
  if (MISSING.has(cell)) return null;
  if (type === "integer") return BigInt(cell.replace("+", ""));
  return type === "real" ? Number(cell) : cell;
}

const STORAGE: Readonly<Record<ColumnType, "INTEGER" | "REAL" | "TEXT">> = {
  integer: "INTEGER",
  real: "REAL",
  date: "TEXT",
  datetime: "TEXT",
  text: "TEXT",
};

/** A CSV file's text, which can be scanned more than once. */
type CsvText = { readonly file: string; readonly text: string; readonly delimiter: string };

/**
 * Reads a file as UTF-8, UTF-16 with a byte order mark, or Windows-1252 when it is neither.
 *
 * @throws {PermanentError} `invalid_source` when it is not text.
 */
function readCsv(path: string): CsvText {
  const bytes = readFileSync(path);
  // A program that adds rows may use other line ends than the one that wrote the file; normalised for the code below.
  const text = decode(bytes).replaceAll(/\r\n?/g, "\n");
  // Never typed by a user; SQLite's functions would treat it as the end of the text.
  if (text.includes("\0")) throw csvFault(basename(path), 0, "wanted text, got a binary file");
  const { meta } = Papa.parse<string[]>(text, { preview: 20, skipEmptyLines: "greedy" });
  return { file: basename(path), text, delimiter: meta.delimiter };
}

/**
 * Calls back with every non-empty row; the header is row 0.
 *
 * @throws {PermanentError} `invalid_source` at a quote that never closes.
 */
function eachCsvRow({ file, text, delimiter }: CsvText, take: (cells: string[], row: number) => void): void {
  let row = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: "\n",
    skipEmptyLines: "greedy",
    step: ({ data, errors: [error] }) => {
      if (error !== undefined) throw csvFault(file, row, error.message);
      take(data, row);
      row += 1;
    },
  });
}

function csvFault(file: string, row: number, fault: string): PermanentError {
  return new PermanentError(`${file}, row ${row}: ${fault}`, { code: "invalid_source" });
}

function decode(bytes: Buffer): string {
  // TextDecoder drops the byte order mark itself.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Any byte sequence is valid Windows-1252, which spreadsheets use when they do not save UTF-8.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
