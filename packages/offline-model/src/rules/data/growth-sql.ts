/** Growth in SQL: one period against another, or every period against the one before. */
import { MONTHS, periodLabel, type Unit } from "./calendar.ts";
import type { Period, Question } from "./question.ts";
import { quoteName } from "./quote.ts";
import {
  aggregateSql,
  alias,
  clauses,
  datedTable,
  type Fragment,
  filterFragments,
  periodNumber,
  rounded,
} from "./sql-parts.ts";

type Subquery = (question: Question) => Fragment;

const GROWTH = "100.0 * (after - before) / NULLIF(before, 0)";

/** One row a group: both periods' figures and the change in percent, rounded to one decimal. */
export function growthSql(question: Question, subquery: Subquery): Fragment {
  const { table } = question;
  const { unit, later, earlier } = comparedPeriods(question);
  const key = table.calendar?.key(unit) ?? "NULL";
  const hasYears = table.calendar?.hasYears === true;
  const groups = question.groupBy.map(({ name }) => quoteName(name));
  const filters = filterFragments(question, subquery);
  const before = `${aggregateSql(question, `${key} = earlier`)} AS before`;
  const after = `${aggregateSql(question, `${key} = later`)} AS after`;
  const direction = question.order === "least" ? "ASC" : "DESC";
  const name = alias(question);
  const text = clauses(
    `WITH ${datedTable(question) ?? ""},`,
    `compared AS (SELECT ${earlier} AS earlier, ${later} AS later),`,
    `totals AS (SELECT ${[...groups, "earlier", "later", before, after].join(", ")}`,
    "  FROM dated, compared",
    `  WHERE ${[`${key} IN (earlier, later)`, ...filters.map((filter) => filter.text)].join(" AND ")}`,
    `  GROUP BY ${[...groups, "earlier", "later"].join(", ")})`,
    `SELECT ${groups.map((group) => `${group}, `).join("")}${periodLabel("earlier", unit, hasYears)} AS earlier_period,`,
    `  ${rounded(question, "before")} AS ${quoteName(`earlier_${name}`)},`,
    `  ${periodLabel("later", unit, hasYears)} AS period, ${rounded(question, "after")} AS ${quoteName(name)},`,
    `  ROUND(${GROWTH}, 1) AS growth_percent`,
    "FROM totals",
    `ORDER BY ${[`${GROWTH} IS NULL`, `${GROWTH} ${direction}`, ...groups].join(", ")} LIMIT ${question.limit}`,
  );
  return { text, params: filters.flatMap(({ params }) => params) };
}

/** One row a period, each with the period before it. */
export function stepwiseGrowthSql(question: Question, subquery: Subquery): Fragment {
  const { table, bucket } = question;
  const unit = bucket ?? "month";
  const name = alias(question);
  const filters = filterFragments(question, subquery);
  const key = table.calendar?.key(unit) ?? "NULL";
  const ranking = `${GROWTH} IS NULL, ${GROWTH} ${question.order === "least" ? "ASC" : "DESC"}, number`;
  const text = clauses(
    `WITH ${datedTable(question) ?? ""},`,
    `totals AS (SELECT ${key} AS number, ${aggregateSql(question)} AS after FROM dated`,
    filters.length === 0 ? null : `  WHERE ${filters.map((filter) => filter.text).join(" AND ")}`,
    "  GROUP BY 1),",
    "changes AS (SELECT number, after, LAG(after) OVER (ORDER BY number) AS before FROM totals)",
    `SELECT ${periodLabel("number", unit, table.calendar?.hasYears === true)} AS ${quoteName(unit)},`,
    `  ${rounded(question, "before")} AS ${quoteName(`earlier_${name}`)},`,
    `  ${rounded(question, "after")} AS ${quoteName(name)}, ROUND(${GROWTH}, 1) AS growth_percent`,
    "FROM changes WHERE before IS NOT NULL",
    `ORDER BY ${question.order === "label" ? "number" : ranking} LIMIT ${question.limit}`,
  );
  return { text, params: filters.flatMap(({ params }) => params) };
}

/** Q4 means Q4 against Q3; two named periods mean the one against the other; none means the latest quarter. */
function comparedPeriods({ table, periods, lag }: Question): { unit: Unit; later: string; earlier: string } {
  const last = periods.at(-1) ?? latestPeriod(table.calendar?.units ?? []);
  const first = periods.find((period) => period.unit === last.unit);
  const later = periodNumber(table, last);
  if (first !== undefined && first !== last) {
    return { unit: last.unit, later, earlier: earlierOf(table, first, last) };
  }
  const back = lag === "year" ? 12 / MONTHS[last.unit] : 1;
  return { unit: last.unit, later, earlier: `${later} - ${back}` };
}

function latestPeriod(units: readonly Unit[]): Period {
  const unit = (["quarter", "year"] as const).find((known) => units.includes(known)) ?? "month";
  return { unit, index: null, year: null };
}

/** `from Q1 to Q4` without a year is one year's Q1 and Q4. */
function earlierOf(table: Question["table"], first: Period, last: Period): string {
  const sameYear = first.year === null && last.year === null && first.index !== null && last.index !== null;
  if (!sameYear || first.index >= last.index) return periodNumber(table, first);
  return `${periodNumber(table, last)} - ${last.index - first.index}`;
}
