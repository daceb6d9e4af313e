/** Growth in SQL: one period compared with another, or every period with the previous one. */
import { periodLabel } from "../data/calendar.ts";
import type { Moment, Question } from "../data/question.ts";
import { alias, figureSql, type Fragment, lines, whereOf } from "./sql-parts.ts";
import { quoteName, type Table } from "../data/tables.ts";
import { earlierEdge, edgeOf, isoOf, momentLabel } from "./time-sql.ts";

type Subquery = (question: Question) => Fragment;

/** Growth from zero or a negative value has no percentage. */
const GROWTH = "CASE WHEN before > 0 THEN 100.0 * (after - before) / before END";
const GROUPS_MAX = 500;

/** One row per group: both periods' figures and the change in percent, rounded to one decimal. */
export function growthSql(question: Question, subquery: Subquery): Fragment {
  const { table, figures, ranks } = question;
  const { later, earlier } = comparedPeriods(question);
  const figure = figures[0] ?? { aggregate: "count" as const, column: null };
  const iso = isoOf(table);
  const groups = question.groupBy.map(({ name }) => quoteName(name));
  const select = question.groupBy.map((column) =>
    column.sql === quoteName(column.name) ? column.sql : `${column.sql} AS ${quoteName(column.name)}`,
  );
  const inside = (edges: Edges) => `${iso} >= ${edges.name}_start AND ${iso} < ${edges.name}_end`;
  // A period without any rows in the table is not one without sales.
  const covered = (edges: Edges) => `EXISTS (SELECT 1 FROM ${table.from}, periods WHERE ${inside(edges)})`;
  const value = (edges: Edges) => {
    const own = figureSql(figure, inside(edges));
    return figure.aggregate === "sum" ? `COALESCE(${own}, 0)` : own;
  };
  const name = alias(figure, table);
  const by = [...question.groupBy.map((column) => column.sql), "earlier_start", "later_start"];
  return lines(
    `WITH periods AS (SELECT ${[earlier, later].map((edges) => `${edges.start} AS ${edges.name}_start, ${edges.end} AS ${edges.name}_end`).join(", ")}),`,
    `totals AS (SELECT ${[...select, "earlier_start", "later_start", `${value(earlier)} AS before`, `${value(later)} AS after`].join(", ")}`,
    `  FROM ${table.from}, periods`,
    whereOf(question.filters, table, subquery),
    `${question.filters.length === 0 ? "  WHERE" : "  AND"} ((${inside(earlier)}) OR (${inside(later)}))`,
    `  GROUP BY ${by.join(", ")})`,
    `SELECT ${groups.map((group) => `${group}, `).join("")}${momentLabel("earlier_start", earlier.moment, table)} AS earlier_period,`,
    `  before AS ${quoteName(`earlier_${name}`)},`,
    `  ${momentLabel("later_start", later.moment, table)} AS period, after AS ${quoteName(name)},`,
    `  ROUND(${GROWTH}, 1) AS growth_percent`,
    "FROM totals",
    `WHERE ${[covered(earlier), covered(later), ...(question.only === null ? [] : [`after ${question.only === "grew" ? ">" : "<"} before`])].join("\n  AND ")}`,
    `ORDER BY ${[`growth_percent IS NULL`, `${GROWTH} ${question.order === "least" ? "ASC" : "DESC"}`, ...groups].join(", ")} LIMIT ${ranks ?? GROUPS_MAX}`,
  );
}

/** One row per period, each with the previous period that has rows. */
export function stepwiseGrowthSql(question: Question, subquery: Subquery): Fragment {
  const { table, bucket, figures, ranks } = question;
  const unit = bucket ?? "month";
  const figure = figures[0] ?? { aggregate: "count" as const, column: null };
  const name = alias(figure, table);
  const label = periodLabel(isoOf(table), unit, table.calendar?.hasYears === true);
  const ranking = `growth_percent IS NULL, ${GROWTH} ${question.order === "least" ? "ASC" : "DESC"}, ${quoteName(unit)}`;
  return lines(
    `WITH totals AS (SELECT ${label} AS ${quoteName(unit)}, ${figureSql(figure)} AS after FROM ${table.from}`,
    whereOf(question.filters, table, subquery),
    "  GROUP BY 1),",
    `changes AS (SELECT *, LAG(after) OVER (ORDER BY ${quoteName(unit)}) AS before FROM totals)`,
    `SELECT ${quoteName(unit)}, before AS ${quoteName(`earlier_${name}`)},`,
    `  after AS ${quoteName(name)}, ROUND(${GROWTH}, 1) AS growth_percent`,
    "FROM changes WHERE before IS NOT NULL",
    `ORDER BY ${question.order === "label" ? quoteName(unit) : ranking} LIMIT ${ranks ?? GROUPS_MAX}`,
  );
}

type Edges = {
  readonly name: "earlier" | "later";
  readonly moment: Moment;
  readonly start: string;
  readonly end: string;
};

/** Q4 means Q4 against Q3; two times mean one against the other; none means the latest quarter. */
function comparedPeriods({ table, times, lag }: Question): { later: Edges; earlier: Edges } {
  const last = times.at(-1) ?? latestPeriod(table);
  const [first] = times;
  const later = edges("later", last, table);
  if (first !== undefined && times.length > 1) return { later, earlier: edges("earlier", first, table) };
  const start = earlierEdge(last, "start", { table, lag });
  return {
    later,
    earlier: { name: "earlier", moment: last, start, end: earlierEdge(last, "end", { table, lag }) },
  };
}

function edges(name: Edges["name"], moment: Moment, table: Table): Edges {
  return { name, moment, start: edgeOf(moment, "start", table), end: edgeOf(moment, "end", table) };
}

function latestPeriod({ calendar }: Table): Moment {
  const unit =
    (["quarter", "year"] as const).find((known) => calendar?.units.includes(known) === true) ?? "month";
  return { unit, index: null, year: null };
}
