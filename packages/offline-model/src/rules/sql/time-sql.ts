/** Moments as ISO dates in SQL, and spans as conditions over a row's date. */
import { MONTHS, periodLabel } from "../data/calendar.ts";
import { type Filter, type Moment, NotUnderstood, type TimeSpan } from "../data/question.ts";
import type { Table } from "../data/tables.ts";

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

/** Constants are computed here, so that the statement stays readable. */
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

/** The months of a moment without a year: the latest year with rows in them. */
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

/** SQL for the start of the previous period, or of the same period a year earlier. */
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
  const { first, next } = edgesOf(span, table);
  if (span.kind === "in" && span.moment.unit === "day") return `${iso} = ${first}`;
  const bounds = [first === null ? [] : `${iso} >= ${first}`, next === null ? [] : `${iso} < ${next}`];
  return bounds.flat().join(" AND ");
}

/** SQL for a span's first day and for the day after its last one; null where it has no such end. */
function edgesOf(
  span: TimeSpan,
  table: Table,
): { readonly first: string | null; readonly next: string | null } {
  if (span.kind === "last") return { first: lastStart(span, table), next: null };
  if (span.kind === "in")
    return { first: edgeOf(span.moment, "start", table), next: edgeOf(span.moment, "end", table) };
  return {
    first: span.from === null ? null : edgeOf(span.from, span.fromEnd ? "end" : "start", table),
    next: span.to === null ? null : edgeOf(span.to, span.toEnd ? "end" : "start", table),
  };
}

/**
 * SQL for the first day of the time that conditions leave, and for the day after its last one, both within the data.
 *
 * @throws {NotUnderstood} When the days are not contiguous.
 */
export function daysOf(
  filters: readonly Filter[],
  table: Table,
): { readonly first: string; readonly next: string } {
  const [time, ...others] = filters.filter(({ kind }) => kind === "time" || kind === "weekday");
  const iso = isoOf(table);
  const start = `(SELECT MIN(${iso}) FROM ${table.from})`;
  const end = `(SELECT date(MAX(${iso}), '+1 day') FROM ${table.from})`;
  if (time === undefined) return { first: start, next: end };
  const [span, ...more] = time.kind === "time" && !time.negated ? time.spans : [];
  if (span === undefined || more.length + others.length > 0)
    throw new NotUnderstood("an average per day over several stretches of time");
  const { first, next } = edgesOf(span, table);
  return {
    first: first === null ? start : `MAX(${first}, ${start})`,
    next: next === null ? end : `MIN(${next}, ${end})`,
  };
}

/** The first of the last days, or of the last calendar months or such; the last date of the data is in the last of them. */
function lastStart({ count, unit }: Extract<TimeSpan, { kind: "last" }>, table: Table): string {
  if (unit === "day" || unit === "week")
    return `date((SELECT MAX(${isoOf(table)}) FROM ${table.from}), '-${count * (unit === "week" ? 7 : 1) - 1} days')`;
  return `date(${latestStart(unit, table)}, '-${(count - 1) * MONTHS[unit]} months')`;
}

export function isoOf(table: Table): string {
  return table.calendar?.iso ?? "NULL";
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
