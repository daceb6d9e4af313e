/** Lists in SQL: rows, and the distinct values of columns. */
import type { Question } from "../data/question.ts";
import {
  direction,
  filterSql,
  type Fragment,
  joinFragments,
  lines,
  partsOf,
  sql,
  type Subquery,
  whereOf,
} from "./sql-parts.ts";
import { type Column, ownKeyOf, quoteName } from "../data/tables.ts";
import { isoOf } from "./time-sql.ts";

/** Maximum rows of a list; a longer one is truncated, and its description says so. */
export const ROWS_MAX = 200;

/** Maximum columns of a listed row; further ones are dropped. */
const COLUMNS_MAX = 12;

const GROUPS_MAX = 500;

/** The rows themselves; for a rank, including all ties. */
export function rowsSql(question: Question, subquery: Subquery): Fragment {
  const { table, orderBy, ranks, filters } = question;
  const columns = rowColumns(question);
  const names = columns.map(({ name }) => quoteName(name));
  const select = columns.map((column) =>
    column.sql === quoteName(column.name) ? column.sql : `${column.sql} AS ${quoteName(column.name)}`,
  );
  const where = whereOf(filters, table, subquery);
  const first = columns[0] === undefined ? "1" : names[0];
  const key = orderBy === null ? null : orderBy.kind === "date" ? isoOf(table) : orderBy.sql;
  if (key === null || ranks === null) {
    const order = key === null ? null : `ORDER BY ${key} ${direction(question)}, ${first}`;
    return lines(`SELECT ${select.join(", ")}`, `FROM ${table.from}`, where, order, `LIMIT ${ROWS_MAX}`);
  }
  const place = `${question.onlyRank ? "DENSE_RANK" : "RANK"}() OVER (ORDER BY ${key} ${direction(question)}) AS place`;
  return lines(
    `SELECT ${names.join(", ")} FROM (`,
    `SELECT ${[...select, place].join(", ")}`,
    `FROM ${table.from}`,
    where === null ? `WHERE ${key} IS NOT NULL` : sql`${where} AND ${key} IS NOT NULL`,
    `) WHERE place ${question.onlyRank ? "=" : "<="} ${ranks} ORDER BY place, ${first} LIMIT ${ROWS_MAX}`,
  );
}

/** For a thing with a name, its name and the requested columns; for other rows, every column. */
function rowColumns({ table, orderBy, shown, filters }: Question): readonly Column[] {
  const { label, columns } = table;
  const asked = [
    ...shown,
    orderBy,
    ...filters.flatMap((filter) => ("column" in filter ? [filter.column] : [])),
  ].filter((column) => column !== null);
  const name = label ?? (shown.length === 0 ? undefined : ownKeyOf(table));
  if (name !== undefined && asked.length > 0) return [...new Set([name, ...asked])];
  return columns.slice(0, COLUMNS_MAX);
}

/** The distinct values of columns. A room without an alarm is one none of whose rows has an alarm. */
export function valuesSql(question: Question, subquery: Subquery): Fragment {
  const { table, filters } = question;
  const parts = partsOf(question);
  const names = parts.map(({ name, sql: text }) => (name === text ? name : `${text} AS ${name}`));
  const present = parts.map((part) => `${part.sql} IS NOT NULL`).join(" AND ");
  const lacks = filters.filter((filter) => "negated" in filter && filter.negated);
  const where = whereOf(
    filters.filter((filter) => !lacks.includes(filter)),
    table,
    subquery,
  );
  const every = lacks.map(
    (filter) => sql`MIN(CASE WHEN ${filterSql(filter, table, subquery)} THEN 1 ELSE 0 END) = 1`,
  );
  return lines(
    `SELECT ${names.join(", ")}`,
    `FROM ${table.from}`,
    where === null ? `WHERE ${present}` : sql`${where} AND ${present}`,
    `GROUP BY ${parts.map((_, index) => index + 1).join(", ")}`,
    every.length === 0 ? null : sql`HAVING ${joinFragments(every, " AND ")}`,
    `ORDER BY ${parts.map((_, index) => index + 1).join(", ")} LIMIT ${GROUPS_MAX}`,
  );
}
