/** The type of a CSV column: the narrowest that holds every value of it. */
import type { ColumnType } from "./opened-database.ts";

const REAL = /^[-+]?(?:0|[1-9]\d*)?\.\d+(?:[eE][-+]?\d{1,3})?$/;
// Longer ones are identifiers, and would lose digits as numbers; so would 00501 its zeros.
const INTEGER = /^[-+]?(?:0|[1-9]\d{0,14})$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?$/;

/** How files say "no value" in a column of numbers or dates; in text they are words. */
const MISSING: ReadonlySet<string> = new Set(["", "-", "NA", "N/A", "NaN", "NULL", "null", "None"]);

/** The type of a column so far; `undefined` while every value was missing. */
export type TypeSoFar = ColumnType | undefined;

export function widenType(current: TypeSoFar, cell: string): TypeSoFar {
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
export function toSqlValue(cell: string, type: ColumnType): string | number | bigint | null {
  if (type === "text") return cell === "" ? null : cell;
  if (MISSING.has(cell)) return null;
  if (type === "integer") return BigInt(cell.replace("+", ""));
  return type === "real" ? Number(cell) : cell;
}

export const STORAGE: Readonly<Record<ColumnType, "INTEGER" | "REAL" | "TEXT">> = {
  integer: "INTEGER",
  real: "REAL",
  date: "TEXT",
  datetime: "TEXT",
  text: "TEXT",
};
