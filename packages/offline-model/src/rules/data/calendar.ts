/** Periods in SQL: every period of one unit is one whole number, so that the one before is that less one. */
import { quoteName } from "./quote.ts";

export type Unit = "year" | "half" | "quarter" | "month";

export const MONTHS: Readonly<Record<Unit, number>> = { year: 12, half: 6, quarter: 3, month: 1 };

export type Calendar = {
  readonly column: string;
  /** The units that the table's columns can tell. */
  readonly units: readonly Unit[];
  /** A column that queries add to the table, and its SQL: the number of the smallest unit. */
  readonly derived: { readonly name: string; readonly sql: string };
  /** SQL for a period's number, over {@link derived}: with years, years × periods a year + index from 0. */
  key(unit: Unit): string;
  /** False when no column tells the year. */
  readonly hasYears: boolean;
};

/** The part of a column that this needs; `tables.ts` has the whole. */
type CalendarColumn = { readonly name: string; readonly kind: string; readonly samples: readonly string[] };

export function calendarOf(columns: readonly CalendarColumn[]): Calendar | null {
  const date = columns.find((column) => column.kind === "date");
  if (date !== undefined) return dateCalendar(date.name);
  const quarter = columns.find(
    ({ samples }) => samples.length > 0 && samples.every((text) => QUARTER.test(text)),
  );
  const year = columns.find(
    ({ name, samples }) => /^year$/i.test(name) && samples.every((text) => YEAR.test(text)),
  );
  if (quarter !== undefined) return quarterCalendar(quarter, year?.name ?? null);
  return year === undefined ? null : yearCalendar(year.name);
}

const QUARTER = /^(\d{4}[- ]?)?Q[1-4]$/i;
const YEAR = /^(19|20)\d{2}$/;

function dateCalendar(name: string): Calendar {
  const column = quoteName(name);
  const sql = `CAST(substr(${column}, 1, 4) AS INTEGER) * 12 + CAST(substr(${column}, 6, 2) AS INTEGER) - 1`;
  return {
    column: name,
    units: ["year", "half", "quarter", "month"],
    hasYears: true,
    derived: { name: "month_number", sql },
    key: (unit) => (unit === "month" ? "month_number" : `month_number / ${MONTHS[unit]}`),
  };
}

function quarterCalendar(quarter: CalendarColumn, yearColumn: string | null): Calendar {
  const column = quoteName(quarter.name);
  const inText = quarter.samples.every((text) => /^\d{4}/.test(text));
  const year = inText ? `substr(${column}, 1, 4)` : yearColumn === null ? null : quoteName(yearColumn);
  const index = `CAST(substr(${column}, -1) AS INTEGER) - 1`;
  return {
    column: quarter.name,
    units: year === null ? ["quarter"] : ["year", "quarter"],
    hasYears: year !== null,
    derived: {
      name: "quarter_number",
      sql: year === null ? index : `CAST(${year} AS INTEGER) * 4 + ${index}`,
    },
    key: (unit) => (unit === "year" ? "quarter_number / 4" : "quarter_number"),
  };
}

function yearCalendar(name: string): Calendar {
  const sql = `CAST(${quoteName(name)} AS INTEGER)`;
  return {
    column: name,
    units: ["year"],
    hasYears: true,
    derived: { name: "year_number", sql },
    key: () => "year_number",
  };
}

/** SQL that writes a period's number as people do: `2025`, `2025-H2`, `2025-Q4`, `2025-12`. */
export function periodLabel(key: string, unit: Unit, hasYears: boolean): string {
  const perYear = 12 / MONTHS[unit];
  if (unit === "year") return `CAST(${key} AS TEXT)`;
  const format = unit === "month" ? "%02d" : `${unit === "half" ? "H" : "Q"}%d`;
  if (!hasYears) return `printf('${format}', ${key} + 1)`;
  return `printf('%04d-${format}', (${key}) / ${perYear}, (${key}) % ${perYear} + 1)`;
}
