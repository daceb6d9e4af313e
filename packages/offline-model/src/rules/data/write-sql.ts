/** Text to SQL, second half: one question as one read-only SELECT of SQLite. */

import { periodLabel } from "./calendar.ts";
import { growthSql, stepwiseGrowthSql } from "./growth-sql.ts";
import type { Question } from "./question.ts";
import { quoteName } from "./quote.ts";
import {
  aggregateSql,
  alias,
  clauses,
  columnLimit,
  conditions,
  datedTable,
  type Fragment,
  rounded,
  type SqlParam,
} from "./sql-parts.ts";

export type SqlQuery = {
  readonly sql: string;
  /** In the order of the `?` in `sql`. */
  readonly params: readonly SqlParam[];
  /** Which output column names the rows and which holds the figure; null when there is none. */
  readonly label: string | null;
  readonly value: string | null;
};

/** Writes the query; every value that came from the goal is a parameter, never text of the statement. */
export function writeSql(question: Question): SqlQuery {
  const { text, params } = statement(question);
  return { sql: text, params, label: labelOf(question), value: valueOf(question) };
}

function statement(question: Question): Fragment {
  switch (question.shape) {
    case "growth":
      return question.bucket === null
        ? growthSql(question, statement)
        : stepwiseGrowthSql(question, statement);
    case "rows":
      return rowsSql(question);
    case "values":
      return valuesSql(question);
    case "share":
    case "totals":
      return totalsSql(question);
    default:
      return question.shape satisfies never;
  }
}

function totalsSql(question: Question): Fragment {
  const { table, bucket, shape, aggregate } = question;
  const key = bucket === null || table.calendar === null ? null : table.calendar.key(bucket);
  const hasYears = table.calendar?.hasYears === true;
  const bucketLabel =
    key === null || bucket === null ? [] : [`${periodLabel(key, bucket, hasYears)} AS ${quoteName(bucket)}`];
  const dimensions = aggregate === "distinct" ? [] : groupNames(question);
  const figure = aggregateSql(question);
  const { where, having } = conditions(question, statement);
  const share =
    shape === "share" ? [`ROUND(100.0 * ${figure} / SUM(${figure}) OVER (), 1) AS share_percent`] : [];
  const select = [
    ...dimensions,
    ...bucketLabel,
    `${rounded(question, figure)} AS ${quoteName(alias(question))}`,
    ...share,
  ];
  const groups = [...dimensions, ...(key === null ? [] : [key])];
  const ranked = [`${figure} ${question.order === "least" ? "ASC" : "DESC"}`, ...groups];
  const order = question.order === "label" ? [...(key === null ? [] : [key]), ...dimensions] : ranked;
  const among = question.filters.find((filter) => filter.kind === "among");
  if (among !== undefined && groups.length > 1 && question.order !== "label") {
    return bestOfEach(question, {
      partition: quoteName(among.column.name),
      columns: [...dimensions, ...(bucket === null ? [] : [quoteName(bucket)]), quoteName(alias(question))],
      select,
      groups,
      figure,
      where,
      having,
    });
  }
  const text = clauses(
    withDated(question),
    `SELECT ${select.join(", ")}`,
    `FROM ${tableName(question)}`,
    where.text,
    groups.length === 0 ? null : `GROUP BY ${groups.join(", ")}`,
    having,
    groups.length === 0 ? null : `ORDER BY ${order.join(", ")} LIMIT ${question.limit}`,
  );
  return { text, params: where.params };
}

type Ranked = {
  readonly partition: string;
  /** The names of what `select` gives. */
  readonly columns: readonly string[];
  readonly select: readonly string[];
  readonly groups: readonly string[];
  readonly figure: string;
  readonly where: Fragment;
  readonly having: string;
};

/** `the top 3 regions and their best products`: the limit counts within each region. */
function bestOfEach(
  question: Question,
  { partition, columns, select, groups, figure, where, having }: Ranked,
): Fragment {
  const direction = question.order === "least" ? "ASC" : "DESC";
  const place = `ROW_NUMBER() OVER (PARTITION BY ${partition} ORDER BY ${figure} ${direction}, ${groups.join(", ")}) AS place`;
  const text = clauses(
    withDated(question),
    `SELECT ${columns.join(", ")} FROM (SELECT ${[...select, place].join(", ")}`,
    `FROM ${tableName(question)}`,
    where.text,
    `GROUP BY ${groups.join(", ")}`,
    having,
    `) WHERE place <= ${question.limit} ORDER BY ${partition}, place`,
  );
  return { text, params: where.params };
}

function withDated(question: Question): string | null {
  const dated = datedTable(question);
  return dated === null ? null : `WITH ${dated}`;
}

function tableName(question: Question): string {
  return datedTable(question) === null ? quoteName(question.table.name) : "dated";
}

/** The column of a reference is selected too, so that the rows say which value it was. */
function groupNames({ filters, groupBy }: Question): readonly string[] {
  const referenced = filters.flatMap((filter) =>
    filter.kind === "first" || filter.kind === "among" ? [filter.column] : [],
  );
  return [...new Set([...referenced, ...groupBy].map(({ name }) => quoteName(name)))];
}

function rowsSql(question: Question): Fragment {
  const { table, measure } = question;
  const { where } = conditions({ ...question, groupBy: [] }, statement);
  const columns = table.columns.slice(0, columnLimit).map(({ name }) => quoteName(name));
  const direction = question.order === "least" ? "ASC" : "DESC";
  const text = clauses(
    withDated(question),
    `SELECT ${columns.join(", ")}`,
    `FROM ${tableName(question)}`,
    where.text,
    measure === null ? null : `ORDER BY ${quoteName(measure.name)} ${direction}, ${columns[0] ?? "1"}`,
    `LIMIT ${question.limit}`,
  );
  return { text, params: where.params };
}

function valuesSql(question: Question): Fragment {
  const names = question.groupBy.map(({ name }) => quoteName(name)).join(", ");
  const { where } = conditions(question, statement);
  const text = clauses(
    withDated(question),
    `SELECT DISTINCT ${names}`,
    `FROM ${tableName(question)}`,
    where.text,
    `ORDER BY ${names} LIMIT ${question.limit}`,
  );
  return { text, params: where.params };
}

function labelOf({ bucket, groupBy, aggregate }: Question): string | null {
  if (aggregate === "distinct") return null;
  return bucket ?? groupBy.at(-1)?.name ?? null;
}

function valueOf(question: Question): string | null {
  if (question.shape === "values") return null;
  if (question.shape === "rows") return question.measure?.name ?? null;
  if (question.shape === "growth") return "growth_percent";
  return question.shape === "share" ? "share_percent" : alias(question);
}
