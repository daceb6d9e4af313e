/** Differences between two sides, and parts of a whole, in SQL: one row with both and the result. */
import type { Question } from "../data/question.ts";
import { quoteName } from "../data/tables.ts";
import { spanName } from "../data/read-times.ts";
import { alias, figureSql, filterSql, type Fragment, lines, type Subquery, whereOf } from "./sql-parts.ts";

export function contrastSql(question: Question, subquery: Subquery): Fragment {
  const { table, figures, focus } = question;
  const [figure] = figures;
  const sides = focus.map((filter) => ({
    condition: filterText(filter, question, subquery),
    name: sideName(filter),
  }));
  const values = sides.map(
    ({ condition }) => `COALESCE(${figureSql(figure ?? { aggregate: "count", column: null }, condition)}, 0)`,
  );
  const [first = "0", second = "0"] = values;
  const select = [
    ...values.map((value, index) => `${value} AS ${quoteName(sides[index]?.name ?? "")}`),
    `ROUND(${first} - ${second}, 2) AS difference`,
  ];
  return lines(
    `SELECT ${select.join(", ")}`,
    `FROM ${table.from}`,
    whereOf(question.filters, table, subquery),
  );
}

/** A condition with its values inlined: it occurs several times in a statement, and the values come from the data itself. */
function filterText(filter: Question["focus"][number], { table }: Question, subquery: Subquery): string {
  const { text, params } = filterSql(filter, table, subquery);
  let index = 0;
  return text.replaceAll("?", () => {
    const param = params[index++];
    return `'${(typeof param === "object" ? "" : String(param ?? "")).replaceAll("'", "''")}'`;
  });
}

export function sideName(filter: Question["focus"][number]): string {
  if (filter.kind === "values") return filter.values.join(" or ");
  const span = filter.kind === "time" ? filter.spans[0] : undefined;
  return span === undefined ? "other" : spanName(span).replace(/^(in|on) /, "");
}

export function partSql(question: Question, subquery: Subquery): Fragment {
  const { table, figures, focus } = question;
  const figure = figures[0] ?? { aggregate: "count" as const, column: null };
  const condition = focus.map((filter) => `(${filterText(filter, question, subquery)})`).join(" AND ");
  const part = `COALESCE(${figureSql(figure, condition)}, 0)`;
  const whole = figureSql(figure);
  const name = alias(figure, table);
  const select = [
    `${part} AS ${quoteName(name)}`,
    `${whole} AS ${quoteName(`total_${name}`)}`,
    `ROUND(100.0 * ${part} / NULLIF(${whole}, 0), 1) AS share_percent`,
  ];
  return lines(
    `SELECT ${select.join(", ")}`,
    `FROM ${table.from}`,
    whereOf(question.filters, table, subquery),
  );
}
