/** Moments as ISO dates in SQL, and spans as conditions over a row's date. */
import { MONTHS, periodLabel } from "./calendar.ts";
import type { Moment, TimeSpan } from "./question.ts";
import type { Table } from "./tables.ts";

/** SQL for the first day of a moment, or for the day after its last one. */
export function edgeOf(moment: Moment, edge: "start" | "end", table: Table): string {
  if (
    moment.year !== null ||
    (moment.unit !== "day" && moment.index === null) ||
    table.calendar?.hasYears === false
  ) {
    const start = startOf(moment, table);
    return edge === "start" ? start : shifted(start, lengthOf(moment));
  }
  const start = `(SELECT MAX(substr(${isoOf(table)}, 1, 4)) FROM ${table.from} WHERE ${monthsOf(moment, table)}) || '-${monthDay(moment)}'`;
  return edge === "start" ? start : `date(${start}, '${lengthOf(moment)}')`;
}

function startOf(moment: Moment, table: Table): string {
  if (moment.unit !== "day" && moment.index === null) return latestStart(moment.unit, table);
  const year = table.calendar?.hasYears === false ? 2000 : (moment.year ?? 2000);
  return `'${year}-${monthDay(moment)}'`;
}

/** A constant is computed here, so that the statement stays readable. */
function shifted(start: string, length: string): string {
  const constant = /^'(\d{4})-(\d{2})-(\d{2})'$/.exec(start);
  if (constant === null) return `date(${start}, '${length}')`;
  const [, year, month, day] = constant.map(Number);
  const count = Number.parseInt(length, 10);
  const date = new Date(
    length.endsWith("months")
      ? Date.UTC(year ?? 0, (month ?? 1) - 1 + count, day)
      : Date.UTC(year ?? 0, (month ?? 1) - 1, (day ?? 1) + count),
  );
  return `'${date.toISOString().slice(0, 10)}'`;
}

function lengthOf(moment: Moment): string {
  return moment.unit === "day" ? "+1 day" : `+${MONTHS[moment.unit]} months`;
}

function monthDay(moment: Moment): string {
  if (moment.unit === "day") return `${pad(moment.month + 1)}-${pad(moment.day)}`;
  return `${pad((moment.index ?? 0) * MONTHS[moment.unit] + 1)}-01`;
}

/** The months of a moment without a year: the latest year that has rows in them is meant. */
function monthsOf(moment: Moment, table: Table): string {
  const month = `substr(${isoOf(table)}, 6, 2)`;
  if (moment.unit === "day") return `${month} = '${pad(moment.month + 1)}'`;
  const first = (moment.index ?? 0) * MONTHS[moment.unit] + 1;
  return `${month} BETWEEN '${pad(first)}' AND '${pad(first + MONTHS[moment.unit] - 1)}'`;
}

function latestStart(unit: keyof typeof MONTHS, table: Table): string {
  const latest = `(SELECT MAX(${isoOf(table)}) FROM ${table.from})`;
  if (unit === "year") return `substr(${latest}, 1, 4) || '-01-01'`;
  if (unit === "month") return `substr(${latest}, 1, 7) || '-01'`;
  const length = MONTHS[unit];
  return `substr(${latest}, 1, 4) || printf('-%02d-01', (substr(${latest}, 6, 2) - 1) / ${length} * ${length} + 1)`;
}

/** SQL for the start of the period before, or of the same period a year earlier. */
export function earlierEdge(
  moment: Moment,
  edge: "start" | "end",
  { table, lag }: { table: Table; lag: "previous" | "year" },
): string {
  const months = moment.unit === "day" || lag === "year" ? 12 : MONTHS[moment.unit];
  const back = moment.unit === "day" && lag === "previous" ? "-1 days" : `-${months} months`;
  return shifted(edgeOf(moment, edge, table), back);
}

/** SQL for a period's name, such as `2025-Q4`. */
export function momentLabel(start: string, moment: Moment, table: Table): string {
  return periodLabel(`(${start})`, moment.unit, table.calendar?.hasYears ?? true);
}

/** The condition that a row's date lies in a span. */
export function spanSql(span: TimeSpan, table: Table): string {
  const iso = isoOf(table);
  if (span.kind === "in") {
    const start = edgeOf(span.moment, "start", table);
    if (span.moment.unit === "day") return `${iso} = ${start}`;
    return `${iso} >= ${start} AND ${iso} < ${edgeOf(span.moment, "end", table)}`;
  }
  const bounds = [
    ...(span.from === null ? [] : [`${iso} >= ${edgeOf(span.from, span.fromEnd ? "end" : "start", table)}`]),
    ...(span.to === null ? [] : [`${iso} < ${edgeOf(span.to, span.toEnd ? "end" : "start", table)}`]),
  ];
  return bounds.join(" AND ");
}

export function isoOf(table: Table): string {
  return table.calendar?.iso ?? "NULL";
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
