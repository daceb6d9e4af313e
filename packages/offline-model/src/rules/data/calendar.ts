/** Dates in SQL: whatever a column's format, every rule works on one ISO expression (`2025-10-03`). */

export type Unit = "year" | "half" | "quarter" | "month" | "week" | "weekday" | "day";

/** The units that a goal can name, such as `Q4`, with their length in months. */
export const MONTHS = { year: 12, half: 6, quarter: 3, month: 1 } as const;
export type PeriodUnit = keyof typeof MONTHS;

export type Calendar = {
  /** The column that the dates come from. */
  readonly column: string;
  /** The units that the table's columns distinguish. */
  readonly units: readonly Unit[];
  /** SQL for a row's date as ISO text; for quarters and years, their first day. */
  readonly iso: string;
  /** False when no column names the year. */
  readonly hasYears: boolean;
};

/** The part of a column that this module needs; `tables.ts` has the whole. */
type CalendarColumn = {
  readonly name: string;
  readonly sql: string;
  readonly kind: string;
  readonly samples: readonly string[];
};

const QUARTER = /^(\d{4}[- ]?)?Q[1-4]$/i;
const YEAR = /^(19|20)\d{2}$/;

/** The calendar of one date column. */
export function dateCalendar({ name, sql, samples }: CalendarColumn): Calendar | null {
  const iso = isoExpression(sql, samples);
  if (iso === null) return null;
  const units: readonly Unit[] = ["year", "half", "quarter", "month", "week", "weekday", "day"];
  return { column: name, units: iso.days ? units : units.slice(0, 4), iso: iso.sql, hasYears: true };
}

/** The calendar of a table without a date column: from a quarter or year column, if it has one. */
export function periodCalendar(columns: readonly CalendarColumn[]): Calendar | null {
  const matching = (pattern: RegExp) => (column: CalendarColumn) =>
    column.samples.length > 0 && column.samples.every((text) => pattern.test(text));
  const quarter = columns.find(matching(QUARTER));
  const year = columns.find((column) => /^year$/i.test(column.name) && matching(YEAR)(column));
  if (quarter === undefined) {
    if (year === undefined) return null;
    return { column: year.name, units: ["year"], iso: `${year.sql} || '-01-01'`, hasYears: true };
  }
  const inText = quarter.samples.every((text) => /^\d{4}/.test(text));
  const yearSql = inText ? `substr(${quarter.sql}, 1, 4)` : year === undefined ? null : year.sql;
  const month = `printf('%02d', substr(${quarter.sql}, -1) * 3 - 2)`;
  return {
    column: quarter.name,
    units: yearSql === null ? ["quarter"] : ["year", "quarter"],
    iso: `${yearSql ?? "'2000'"} || '-' || ${month} || '-01'`,
    hasYears: yearSql !== null,
  };
}

/** Whether a text is a date in a format that {@link dateCalendar} reads. */
export function isDateText(text: string): boolean {
  return /^\d{4}[-/]\d{2}([-/]\d{2}([T ].*)?)?$|^\d{1,2}[./]\d{1,2}[./]\d{4}$/.test(text);
}

/** Null when the samples do not show which number is the day and which the month. */
function isoExpression(sql: string, samples: readonly string[]): { sql: string; days: boolean } | null {
  const all = (pattern: RegExp) => samples.every((text) => pattern.test(text));
  if (all(/^\d{4}-\d{2}-\d{2}$/)) return { sql, days: true };
  if (all(/^\d{4}-\d{2}-\d{2}/)) return { sql: `substr(${sql}, 1, 10)`, days: true };
  if (all(/^\d{4}-\d{2}$/)) return { sql: `${sql} || '-01'`, days: false };
  if (all(/^\d{4}\/\d{2}\/\d{2}/)) return { sql: `replace(substr(${sql}, 1, 10), '/', '-')`, days: true };
  if (all(/^\d{1,2}\.\d{1,2}\.\d{4}$/)) return { sql: fromParts(sql, ".", "day-first"), days: true };
  const numbers = samples.map((text) => text.split("/").map(Number));
  const dayFirst = numbers.some(([first = 0]) => first > 12);
  const monthFirst = numbers.some(([, second = 0]) => second > 12);
  if (!all(/^\d{1,2}\/\d{1,2}\/\d{4}$/) || dayFirst === monthFirst) return null;
  return { sql: fromParts(sql, "/", dayFirst ? "day-first" : "month-first"), days: true };
}

function fromParts(sql: string, separator: string, order: "day-first" | "month-first"): string {
  const rest = `substr(${sql}, instr(${sql}, '${separator}') + 1)`;
  const first = `substr(${sql}, 1, instr(${sql}, '${separator}') - 1)`;
  const second = `substr(${rest}, 1, instr(${rest}, '${separator}') - 1)`;
  const [day, month] = order === "day-first" ? [first, second] : [second, first];
  return `printf('%04d-%02d-%02d', substr(${sql}, -4), ${month}, ${day})`;
}

/** SQL that names the period of an ISO date, in an order that sorts: `2025`, `2025-H2`, `2025-Q4`, `2025-12`. */
export function periodLabel(iso: string, unit: Unit, hasYears: boolean): string {
  const year = hasYears ? `substr(${iso}, 1, 4) || '-` : "'";
  const month = `substr(${iso}, 6, 2)`;
  switch (unit) {
    case "year":
      return `substr(${iso}, 1, 4)`;
    case "half":
      return `${year}H' || ((${month} + 5) / 6)`;
    case "quarter":
      return `${year}Q' || ((${month} + 2) / 3)`;
    case "month":
      return `substr(${iso}, 1, 7)`;
    case "week":
      return `strftime('%G-W%V', ${iso})`;
    case "day":
      return iso;
    case "weekday":
      return weekdayName(iso);
    default:
      return unit satisfies never;
  }
}

/** SQL to sort periods by; weeks begin on Monday. */
export function periodOrder(label: string, unit: Unit, iso: string): string {
  return unit === "weekday" ? `(strftime('%w', ${iso}) + 6) % 7` : label;
}

export const WEEKDAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

function weekdayName(iso: string): string {
  const cases = WEEKDAYS.map((name, index) => `WHEN '${index}' THEN '${name}'`);
  return `CASE strftime('%w', ${iso}) ${cases.join(" ")} END`;
}
