/** Text to SQL, second half: one question as one read-only SELECT of SQLite. */
import { contrastSql, partSql } from "./contrast-sql.ts";
import { growthSql, stepwiseGrowthSql } from "./growth-sql.ts";
import { rowsSql, valuesSql } from "./list-sql.ts";
import type { Figure, Question } from "../data/question.ts";
import {
  alias,
  direction,
  figureSql,
  type Fragment,
  lines,
  type Part,
  partsOf,
  sql,
  type SqlParam,
  whereOf,
} from "./sql-parts.ts";
import { quoteName, type Table } from "../data/tables.ts";
import { daysOf, isoOf } from "./time-sql.ts";

export type SqlQuery = {
  readonly sql: string;
  /** In the order of the `?` in `sql`. */
  readonly params: readonly SqlParam[];
  /** The output column that names the rows and the one with the figure; null when there is none. */
  readonly label: string | null;
  readonly value: string | null;
};

const GROUPS_MAX = 500;

/** Writes the query; every value that came from the goal is a parameter, never text of the statement. */
export function writeSql(question: Question): SqlQuery {
  const { text, params } = statement(question);
  return {
    sql: withoutIdleJoins(text, question.table),
    params,
    label: labelOf(question),
    value: valueOf(question),
  };
}

/** Drops joins whose columns the query does not use, last first: one join may need another before it. */
function withoutIdleJoins(text: string, { joins = [] }: Table): string {
  return joins.toReversed().reduce((kept, join) => {
    const rest = kept.replaceAll(join.sql, "");
    return rest.includes(`${join.alias}.`) ? kept : rest;
  }, text);
}

function statement(question: Question): Fragment {
  switch (question.shape) {
    case "growth":
      return question.bucket === null
        ? growthSql(question, statement)
        : stepwiseGrowthSql(question, statement);
    case "rows":
      return rowsSql(question, statement);
    case "values":
      return valuesSql(question, statement);
    case "contrast":
      return contrastSql(question, statement);
    case "part":
      return partSql(question, statement);
    case "groups":
      return lines(
        `SELECT COUNT(*) AS ${quoteName(`${groupName(question)}_count`)} FROM (`,
        figuresSql({ ...question, order: "label" }),
        ")",
      );
    case "average":
      return averageSql(question);
    case "share":
    case "figures":
      return question.figures[0]?.aggregate === "median" ? medianSql(question) : figuresSql(question);
    default:
      return question.shape satisfies never;
  }
}

function figuresSql(question: Question): Fragment {
  const { table, figures, shape, ranks } = question;
  const parts = partsOf(question);
  const [figure] = figures;
  const main = figure === undefined ? null : figureSql(figure);
  const own = figures.map((one) => `${figureSql(one)} AS ${quoteName(alias(one, table))}`);
  const share =
    shape === "share" && main !== null
      ? [`ROUND(100.0 * ${main} / SUM(${main}) OVER (), 1) AS share_percent`]
      : [];
  const select = [
    ...parts.map(({ name, sql: text }) => (name === text ? name : `${text} AS ${name}`)),
    ...own,
    ...share,
  ];
  const body = (extra: readonly string[]): Fragment =>
    lines(
      `SELECT ${[...select, ...extra].join(", ")}`,
      `FROM ${table.from}`,
      whereOf(question.filters, table, statement),
      parts.length === 0 ? null : `GROUP BY ${parts.map((part) => part.sql).join(", ")}`,
      havingSql(question, main, parts.length > 0),
    );
  if (parts.length === 0) return body([]);
  if (ranks === null || main === null)
    return lines(body([]), `ORDER BY ${orderOf(question, parts, main)} LIMIT ${GROUPS_MAX}`);
  const names = [...parts.map(({ name }) => name), ...figures.map((one) => quoteName(alias(one, table)))];
  const among = question.filters.find((filter) => filter.kind === "among");
  const each = [
    ...(among === undefined || parts.length < 2 ? [] : [among.column.sql]),
    ...question.within.map((column) => column.sql),
    ...(question.isWithinTime ? parts.slice(-1).map((part) => part.sql) : []),
  ];
  const within = each.length === 0 ? "" : `PARTITION BY ${each.join(", ")} `;
  const first = question.isWithinTime ? names[parts.length - 1] : names[0];
  const place = `${question.onlyRank ? "DENSE_RANK" : "RANK"}() OVER (${within}ORDER BY ${main} ${direction(question)}) AS place`;
  return lines(
    `SELECT ${names.join(", ")} FROM (`,
    body([place]),
    `) WHERE place ${question.onlyRank ? "=" : "<="} ${ranks} ORDER BY ${within === "" ? "" : `${first}, `}place, ${names.slice(0, parts.length).join(", ")} LIMIT ${GROUPS_MAX}`,
  );
}

function orderOf(question: Question, parts: readonly Part[], main: string | null): string {
  const labels = parts.map(({ order }) => order);
  const focus = question.focus[0];
  const first =
    question.shape === "share" && focus?.kind === "values"
      ? [
          `${focus.column.sql} COLLATE NOCASE NOT IN (${focus.values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")})`,
        ]
      : [];
  if (question.order === "label" || main === null) return [...first, ...labels.toReversed()].join(", ");
  return [...first, `${main} ${direction(question)}`, ...labels].join(", ");
}

/** Groups without a figure have no rank; a name without rows returns no row instead of a zero. */
function havingSql(
  { having, ranks, filters, groupBy }: Question,
  main: string | null,
  isGrouped: boolean,
): string | null {
  const conditions = having.map(({ figure, sign, value }) => `${figureSql(figure)} ${sign} ${value}`);
  if (ranks !== null && isGrouped && main !== null) conditions.push(`${main} IS NOT NULL`);
  // An order without a customer has no customer to rank.
  if (ranks !== null && isGrouped)
    for (const { joined, sql: value } of groupBy)
      if (joined !== undefined) conditions.push(`${value} IS NOT NULL`);
  if (!isGrouped && filters.some(({ kind }) => kind === "anywhere")) conditions.push("COUNT(*) > 0");
  return conditions.length === 0 ? null : `HAVING ${conditions.join(" AND ")}`;
}

/** The middle value, or the mean of the two middle ones. */
function medianSql(question: Question): Fragment {
  const { table, filters, ranks } = question;
  const column = question.figures[0]?.column;
  if (column === undefined || column === null) return figuresSql(question);
  const parts = partsOf(question);
  const partition = parts.length === 0 ? "" : `PARTITION BY ${parts.map((part) => part.sql).join(", ")} `;
  const where = whereOf(filters, table, statement);
  const name = quoteName(`median_${column.name}`);
  const names = parts.map((part) => part.name);
  const middle = lines(
    `SELECT ${[...names, `ROUND(AVG(value), 2) AS ${name}`].join(", ")} FROM (`,
    `SELECT ${[...parts.map((part) => `${part.sql} AS ${part.name}, `), `${column.sql} AS value`].join("")},`,
    `  ROW_NUMBER() OVER (${partition}ORDER BY ${column.sql}) AS place, COUNT(*) OVER (${partition.trim()}) AS places`,
    `FROM ${table.from}`,
    where === null ? `WHERE ${column.sql} IS NOT NULL` : sql`${where} AND ${column.sql} IS NOT NULL`,
    ") WHERE place IN ((places + 1) / 2, (places + 2) / 2)",
    names.length === 0 ? "HAVING COUNT(*) > 0" : `GROUP BY ${names.join(", ")}`,
  );
  if (names.length === 0) return middle;
  const order =
    question.order === "label"
      ? names.toReversed().join(", ")
      : `${name} ${direction(question)}, ${names.join(", ")}`;
  if (ranks === null) return lines(middle, `ORDER BY ${order} LIMIT ${GROUPS_MAX}`);
  return lines(
    `SELECT ${[...names, name].join(", ")} FROM (SELECT *, RANK() OVER (ORDER BY ${name} ${direction(question)}) AS rank_place FROM (`,
    middle,
    `)) WHERE rank_place ${question.onlyRank ? "=" : "<="} ${ranks} ORDER BY rank_place, ${names.join(", ")}`,
  );
}

/** An average per day divides by every day of the requested time that the data covers, not only by days with rows. */
function perDaySql(question: Question, inner: Figure): Fragment {
  const { table, filters, groupBy } = question;
  const { first, next } = daysOf(filters, table);
  const name = alias(inner, table);
  const groups = groupBy.map((column) => `${column.sql} AS ${quoteName(column.name)}, `).join("");
  const all = `(julianday(${next}) - julianday(${first}))`;
  // If a row is a day, a day with a missing figure does not count as zero.
  const isDaily = `COUNT(*) = COUNT(DISTINCT ${isoOf(table)})`;
  const days =
    inner.column === null || groupBy.length > 0 || table.columns[0]?.name !== table.calendar?.column
      ? all
      : `(CASE WHEN ${isDaily} THEN COUNT(${inner.column.sql}) ELSE ${all} END)`;
  return lines(
    `SELECT ${groups}ROUND(1.0 * ${figureSql(inner)} / ${days}, 2) AS ${quoteName(`average_${name}_per_day`)},`,
    `  ${figureSql(inner)} AS ${quoteName(name)}, CAST(${days} AS INTEGER) AS days`,
    `FROM ${table.from}`,
    whereOf(filters, table, statement),
    groupBy.length === 0
      ? "HAVING COUNT(*) > 0"
      : `GROUP BY ${groupBy.map((column) => column.sql).join(", ")} ORDER BY 1`,
  );
}

function averageSql(question: Question): Fragment {
  const { figures, table, bucket } = question;
  const [figure] = figures;
  const inner: Figure =
    figure?.aggregate === "average"
      ? { ...figure, aggregate: "sum" }
      : (figure ?? { aggregate: "count", column: null });
  if (bucket === "day") return perDaySql(question, inner);
  const name = alias(inner, table);
  const body = figuresSql({ ...question, shape: "figures", figures: [inner], order: "label" });
  const group = groupName(question);
  const rest = question.groupBy.map((column) => quoteName(column.name));
  return lines(
    `SELECT ${[...rest, `ROUND(AVG(${quoteName(name)}), 2) AS ${quoteName(`average_${name}_per_${bucket ?? group}`)}`, `COUNT(*) AS ${quoteName(`${bucket ?? group}s`)}`].join(", ")} FROM (`,
    body,
    `)${rest.length === 0 ? "" : ` GROUP BY ${rest.join(", ")}`}`,
  );
}

function groupName({ groupBy, bucket }: Question): string {
  return bucket ?? groupBy[0]?.name ?? "group";
}

function labelOf({ bucket, groupBy, figures, shape, table }: Question): string | null {
  if (shape === "groups" || shape === "contrast" || figures[0]?.aggregate === "distinct") return null;
  if (shape === "rows") return table.label?.name ?? null;
  return bucket ?? groupBy.at(-1)?.name ?? null;
}

function valueOf({ shape, orderBy, figures, table }: Question): string | null {
  if (shape === "values" || shape === "groups" || shape === "contrast" || shape === "average") return null;
  if (shape === "rows") return orderBy?.kind === "measure" ? orderBy.name : null;
  if (shape === "growth") return "growth_percent";
  if (shape === "share" || shape === "part") return "share_percent";
  const [figure] = figures;
  return figure === undefined ? null : alias(figure, table);
}
