/** The parts that all queries share: fragments with their parameters, aggregates, conditions and names. */
import { periodLabel, periodOrder, WEEKDAYS } from "../data/calendar.ts";
import type { Figure, Filter, Question } from "../data/question.ts";
import { quoteName, type Table } from "../data/tables.ts";
import { isoOf, spanSql } from "./time-sql.ts";

export type SqlParam = string | number | { readonly $ref: string };

export type Fragment = { readonly text: string; readonly params: readonly SqlParam[] };

/** Text with fragments in it: their parameters are kept in order of occurrence. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (string | Fragment)[]): Fragment {
  const fragments = parts.map((part) => (typeof part === "string" ? { text: part, params: [] } : part));
  const text = strings.map((piece, index) => piece + (fragments[index]?.text ?? "")).join("");
  return { text, params: fragments.flatMap(({ params }) => params) };
}

export function joinFragments(fragments: readonly Fragment[], between: string): Fragment {
  return {
    text: fragments.map(({ text }) => text).join(between),
    params: fragments.flatMap(({ params }) => params),
  };
}

/** Joins the non-empty lines. */
export function lines(...parts: readonly (string | Fragment | null)[]): Fragment {
  const present = parts.map((part) => (typeof part === "string" ? { text: part, params: [] } : part));
  return joinFragments(
    present
      .filter((part) => part !== null && part.text !== "")
      .map((part) => part ?? { text: "", params: [] }),
    "\n",
  );
}

/** The aggregate over all rows, or over those that meet a condition; sums of decimals are rounded to the cent. */
export function figureSql(figure: Figure, condition: string | null = null): string {
  const raw = aggregateSql(figure, condition);
  return isWhole(figure) ? raw : `ROUND(${raw}, 2)`;
}

function aggregateSql({ aggregate, column }: Figure, condition: string | null): string {
  const when = (value: string) => (condition === null ? value : `CASE WHEN ${condition} THEN ${value} END`);
  if (aggregate === "distinct") return `COUNT(DISTINCT ${when(column?.sql ?? "1")})`;
  if (aggregate === "count" || column === null)
    return condition === null ? "COUNT(*)" : `COUNT(${when("1")})`;
  const functions = { sum: "SUM", average: "AVG", median: "AVG", lowest: "MIN", highest: "MAX" } as const;
  return `${functions[aggregate]}(${when(column.sql)})`;
}

function isWhole({ aggregate, column }: Figure): boolean {
  if (column === null || aggregate === "count" || aggregate === "distinct") return true;
  return column.wholeNumbers && aggregate !== "average" && aggregate !== "median";
}

/** The name of a figure's column: `revenue`, `average_revenue`, `order_count`. */
export function alias({ aggregate, column }: Figure, { entity }: Table): string {
  if (aggregate === "distinct") return `${column?.name ?? "value"}_count`;
  if (column === null || aggregate === "count") return `${(entity ?? "row").replaceAll(" ", "_")}_count`;
  if (aggregate === "sum") return column.adds === "rate" ? `total_${column.name}` : column.name;
  return `${aggregate}_${column.name}`;
}

export type Subquery = (question: Question) => Fragment;

export function whereOf(filters: readonly Filter[], table: Table, subquery: Subquery): Fragment | null {
  if (filters.length === 0) return null;
  const conditions = filters.map((filter) => filterSql(filter, table, subquery));
  return sql`WHERE ${joinFragments(conditions, "\n  AND ")}`;
}

/** One condition on a row. Excluding a value keeps rows without a value: they do not have it. */
export function filterSql(filter: Filter, table: Table, subquery: Subquery): Fragment {
  switch (filter.kind) {
    case "values": {
      const column = filter.column.joined?.value ?? filter.column.sql;
      const list = `${column} COLLATE NOCASE ${filter.negated ? "NOT IN" : "IN"} (${filter.values.map(() => "?").join(", ")})`;
      return { text: filter.negated ? `(${column} IS NULL OR ${list})` : list, params: filter.values };
    }
    case "number": {
      const { sql: column } = filter.column;
      if (filter.isZeroSome === true) return { text: `${column} IS NULL`, params: [] };
      if (filter.orNone === true) return { text: `COALESCE(${column}, 0) = 0`, params: [] };
      if (filter.others !== undefined)
        return { text: `${column} IN (${[filter.value, ...filter.others].join(", ")})`, params: [] };
      return { text: `${column} ${filter.sign} ${filter.value}`, params: [] };
    }
    case "time": {
      const spans = filter.spans.map((span) => `(${spanSql(span, table)})`).join(" OR ");
      if (filter.negated) return { text: `NOT COALESCE(${spans}, FALSE)`, params: [] };
      return { text: filter.spans.length === 1 ? spans.slice(1, -1) : `(${spans})`, params: [] };
    }
    case "weekday": {
      const days = filter.days.map((day) => `'${day}'`).join(", ");
      return {
        text: `strftime('%w', ${isoOf(table)}) ${filter.negated ? "NOT IN" : "IN"} (${days})`,
        params: [],
      };
    }
    case "anywhere": {
      const marks = filter.values.map(() => "?").join(", ");
      const columns = filter.columns.map(
        (column) => `${column.joined?.value ?? column.sql} COLLATE NOCASE IN (${marks})`,
      );
      return { text: `(${columns.join(" OR ")})`, params: filter.columns.flatMap(() => filter.values) };
    }
    case "childless":
      return { text: `NOT EXISTS (${filter.child.rows})`, params: [] };
    case "first":
      return { text: `${filter.column.sql} = ?`, params: [{ $ref: filter.ref }] };
    case "among": {
      const name = quoteName(filter.column.name);
      return sql`${filter.column.sql} IN (SELECT ${name} FROM (\n${subquery(filter.question)}\n))`;
    }
    default:
      return filter satisfies never;
  }
}

export const weekdayNames = (days: readonly number[]): string =>
  days.map((day) => `${WEEKDAYS[day]}s`).join(" or ");

/** The grouping of a query's rows: columns, and a period. */
export type Part = { readonly name: string; readonly sql: string; readonly order: string };

export function partsOf({ table, bucket, groupBy, filters, figures }: Question): readonly Part[] {
  if (figures[0]?.aggregate === "distinct") return [];
  // The referenced column is selected too, so that the rows show which value it was.
  const referred = filters.flatMap((filter) =>
    filter.kind === "first" || filter.kind === "among" ? [filter.column] : [],
  );
  const columns = [...new Set([...referred, ...groupBy])].map((column) => ({
    name: quoteName(column.name),
    sql: column.sql,
    order: column.sql,
  }));
  if (bucket === null) return columns;
  const label = periodLabel(isoOf(table), bucket, table.calendar?.hasYears === true);
  return [
    ...columns,
    { name: quoteName(bucket), sql: label, order: periodOrder(label, bucket, isoOf(table)) },
  ];
}

export function direction({ order }: Question): "ASC" | "DESC" {
  return order === "least" ? "ASC" : "DESC";
}
