/** The parts that totals and growth share: aggregates, conditions and the numbers of periods. */
import { MONTHS } from "./calendar.ts";
import type { Filter, Period, Question } from "./question.ts";
import { quoteName } from "./quote.ts";

export type SqlParam = string | number | { readonly $ref: string };

export type Fragment = { readonly text: string; readonly params: readonly SqlParam[] };

/** Columns of a listed row; a wider table is cut. */
export const columnLimit = 12;

/** The aggregate over all rows, or over those for which `condition` holds. */
export function aggregateSql(
  { aggregate, measure, groupBy }: Question,
  condition: string | null = null,
): string {
  const when = (value: string) => (condition === null ? value : `CASE WHEN ${condition} THEN ${value} END`);
  if (aggregate === "distinct") return `COUNT(DISTINCT ${when(quoteName(groupBy[0]?.name ?? ""))})`;
  if (measure === null || aggregate === "count")
    return condition === null ? "COUNT(*)" : `COUNT(${when("1")})`;
  const functions = { sum: "SUM", average: "AVG", lowest: "MIN", highest: "MAX" };
  return `${functions[aggregate]}(${when(quoteName(measure.name))})`;
}

/** Sums of decimals are rounded to the cent: binary fractions would show otherwise. */
export function rounded({ aggregate, measure }: Question, figure: string): string {
  const whole = measure === null || aggregate === "count" || aggregate === "distinct";
  return whole || (measure.wholeNumbers && aggregate !== "average") ? figure : `ROUND(${figure}, 2)`;
}

/** The name of the figure's column: `revenue`, `average_revenue`, `order_count`. */
export function alias({ aggregate, measure, groupBy, entity }: Question): string {
  if (aggregate === "distinct") return `${groupBy[0]?.name ?? "value"}_count`;
  if (measure === null || aggregate === "count") return `${entity ?? "row"}_count`;
  return aggregate === "sum" ? measure.name : `${aggregate}_${measure.name}`;
}

type Subquery = (question: Question) => Fragment;

/** The WHERE and HAVING of a question, periods included. */
export function conditions(question: Question, subquery: Subquery): { where: Fragment; having: string } {
  const grouped =
    question.shape !== "rows" && question.groupBy.length > 0 && question.aggregate !== "distinct";
  const bounds = question.filters.filter((filter) => filter.kind === "number");
  const having = grouped ? bounds.map(({ sign, value }) => `${aggregateSql(question)} ${sign} ${value}`) : [];
  const rowBounds = grouped
    ? []
    : bounds.map(({ column, sign, value }) => `${quoteName(column.name)} ${sign} ${value}`);
  const filters = filterFragments(question, subquery);
  const texts = [...periodCondition(question), ...filters.map(({ text }) => text), ...rowBounds];
  return {
    where: {
      text: texts.length === 0 ? "" : `WHERE ${texts.join("\n  AND ")}`,
      params: filters.flatMap(({ params }) => params),
    },
    having: having.length === 0 ? "" : `HAVING ${having.join(" AND ")}`,
  };
}

export function filterFragments(question: Question, subquery: Subquery): readonly Fragment[] {
  return question.filters
    .filter((filter) => filter.kind !== "number")
    .map((filter) => fragmentOf(filter, subquery));
}

function fragmentOf(filter: Exclude<Filter, { kind: "number" }>, subquery: Subquery): Fragment {
  if (filter.kind === "anywhere") {
    const marks = filter.values.map(() => "?").join(", ");
    const columns = filter.columns.map(({ name }) => `${quoteName(name)} COLLATE NOCASE IN (${marks})`);
    return { text: `(${columns.join(" OR ")})`, params: filter.columns.flatMap(() => filter.values) };
  }
  const column = quoteName(filter.column.name);
  if (filter.kind === "first") return { text: `${column} = ?`, params: [{ $ref: filter.ref }] };
  if (filter.kind === "among") {
    const { text, params } = subquery(filter.question);
    return { text: `${column} IN (SELECT ${column} FROM (\n${text}\n))`, params };
  }
  const marks = filter.values.map(() => "?").join(", ");
  return { text: `${column} COLLATE NOCASE IN (${marks})`, params: filter.values };
}

function periodCondition({ table, periods, shape }: Question): readonly string[] {
  const [first] = periods;
  if (table.calendar === null || first === undefined || shape === "growth") return [];
  const numbers = periods.map((period) => periodNumber(table, period));
  return [`${table.calendar.key(first.unit)} IN (${numbers.join(", ")})`];
}

/** SQL for a period's number; without a year it is the latest such period that the data has. */
export function periodNumber(table: Question["table"], { unit, index, year }: Period): string {
  const { calendar } = table;
  if (calendar === null) return "NULL";
  const perYear = 12 / MONTHS[unit];
  if (!calendar.hasYears && index !== null) return String(index);
  if (year !== null && index !== null) return String(year * perYear + index);
  const among = index === null ? "" : ` WHERE ${calendar.key(unit)} % ${perYear} = ${index}`;
  return `(SELECT MAX(${calendar.key(unit)}) FROM dated${among})`;
}

/** The common table that adds the period's number to every row; null when a question names no period. */
export function datedTable({ table, bucket, periods, shape }: Question): string | null {
  if (table.calendar === null || (bucket === null && periods.length === 0 && shape !== "growth")) return null;
  const { name, sql } = table.calendar.derived;
  return `dated AS (SELECT *, ${sql} AS ${name} FROM ${quoteName(table.name)})`;
}

/** Joins the clauses that are there, one a line. */
export function clauses(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join("\n");
}
