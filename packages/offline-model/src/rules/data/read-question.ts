/**
 * Text to SQL, first half: what a clause asks of which table.
 *
 * A clause counts as a question about data when the table explains more of its words than it leaves
 * unexplained; everything else is left to the other rules.
 */
import { numberOf } from "../text/words.ts";
import type { Unit } from "./calendar.ts";
import * as lexicon from "./lexicon.ts";
import type { Aggregate, Antecedent, Filter, Question } from "./question.ts";
import { isLinked, linkedFilter } from "./read-link.ts";
import { type Mentions, readMentions } from "./read-mentions.ts";
import { readPeriods } from "./read-period.ts";
import type { Column, Table } from "./tables.ts";

export function readQuestion(
  clause: string,
  { tables, antecedent }: { tables: readonly Table[]; antecedent: Antecedent | null },
): Question | null {
  const readings = tables
    .map((table) => readAgainst(clause, table, antecedent))
    .filter(
      ({ score, unknown, schema }) =>
        schema > 0 && (unknown === 0 ? score >= 1 : score >= 2 && score > unknown),
    );
  return readings.toSorted((a, b) => b.score - a.score)[0]?.question ?? null;
}

type Reading = { question: Question; score: number; schema: number; unknown: number };

function readAgainst(clause: string, table: Table, antecedent: Antecedent | null): Reading {
  const mentions = readMentions(clause, table);
  const link =
    antecedent?.question.table === table && isLinked(clause, antecedent.question) ? antecedent : null;
  const growth = lexicon.GROWTH.test(clause) && table.calendar !== null;
  const order = lexicon.readOrder(clause);
  const bucket = readBucket(clause, table);
  const counted = lexicon.COUNT.test(clause);
  const periods =
    table.calendar === null
      ? []
      : readPeriods(clause).filter(({ unit }) => table.calendar?.units.includes(unit));
  const average = lexicon.AVERAGE.test(clause);
  const words = [
    growth,
    order !== null,
    bucket !== null,
    counted,
    periods.length > 0,
    average,
    lexicon.TOTAL.test(clause),
  ];
  const schema =
    (mentions.measure?.strength ?? 0) +
    mentions.dimensions.reduce((sum, { strength }) => sum + strength, 0) +
    mentions.values.length +
    (mentions.entity === null ? 0 : 1) +
    (link === null ? 0 : 1.5);
  const score = schema + words.filter(Boolean).length;

  const groupBy = groupColumns(mentions, link, sharesOf(clause, mentions));
  const measure = measureOf(mentions, table, link);
  const filters = [
    ...filtersOf(mentions, measure, clause),
    ...(link === null ? [] : linkedFilter(link, clause)),
  ];
  const inherited = link !== null || /^\p{Ll}/u.test(clause) ? (antecedent?.question.periods ?? []) : [];
  const ownPeriods = periods.length > 0 || bucket !== null ? periods : inherited;
  const aggregate = aggregateOf({ mentions, measure, average, counted, order, groupBy, bucket });
  const shape = shapeOf({ clause, mentions, growth, order, groupBy, bucket, aggregate });
  const question: Question = {
    table,
    shape,
    aggregate,
    measure: aggregate === "count" || aggregate === "distinct" ? null : measure,
    groupBy: aggregate === "distinct" ? mentions.dimensions.slice(0, 1).map(({ column }) => column) : groupBy,
    bucket: bucket ?? bucketOfPeriods(ownPeriods, growth),
    filters,
    periods: ownPeriods,
    lag: lexicon.YEAR_ON_YEAR.test(clause) ? "year" : "previous",
    order: order ?? (bucket === null && periods.length < 2 ? "most" : "label"),
    limit: filters.some(({ kind }) => kind === "among")
      ? Math.min(3, limitOf(clause, { order, groupBy, shape, bucket }))
      : limitOf(clause, { order, groupBy, shape, bucket }),
    focus: shape === "share" ? valueFilters(mentions) : [],
    entity: entityOf(table),
  };
  return { question, score, schema, unknown: mentions.unknownWords.length };
}

function readBucket(clause: string, table: Table): Unit | null {
  const units = table.calendar?.units ?? [];
  const named =
    /\b(?:by|per|each|every|across|which|what|of the|best|worst|strongest|weakest)\s+(?:\w+\s+)?(month|quarter|half|year)s?\b/i.exec(
      clause,
    );
  const adverb = /\b(month|quarter|year|annual)ly?\b(?<=ly|annual)/i.exec(clause);
  const word = (named?.[1] ?? adverb?.[1] ?? (lexicon.TREND.test(clause) ? "month" : "")).toLowerCase();
  const unit = word === "annual" ? "year" : word;
  return units.find((known) => known === unit) ?? null;
}

/** Several periods side by side are compared, so they are told apart. */
function bucketOfPeriods(periods: Question["periods"], growth: boolean): Unit | null {
  const [first] = periods;
  if (growth || first === undefined || periods.length < 2) return null;
  return periods.every(({ unit }) => unit === first.unit) ? first.unit : null;
}

/** A column is grouped by unless one of its values is named; two values of it are compared. */
function groupColumns(mentions: Mentions, link: Antecedent | null, share: boolean): readonly Column[] {
  const valuesOf = (column: Column) => mentions.values.filter((value) => value.column === column).length;
  // A share needs the other values too: the value is found in the list, not filtered for.
  const compared = mentions.values
    .map(({ column }) => column)
    .filter((column) => share || valuesOf(column) > 1);
  const named = mentions.dimensions.map(({ column }) => column).filter((column) => valuesOf(column) === 0);
  if (mentions.names.length > 1 && mentions.nameColumns.length === 1) compared.push(...mentions.nameColumns);
  const fixed = link?.question.groupBy ?? [];
  return [...new Set([...compared, ...named])].filter((column) => !fixed.includes(column)).slice(0, 3);
}

function measureOf(mentions: Mentions, table: Table, link: Antecedent | null): Column | null {
  if (mentions.measure !== null) return mentions.measure.column;
  if (link?.question.measure) return link.question.measure;
  const measures = table.columns.filter(({ kind }) => kind === "measure");
  const usual = lexicon.USUAL_MEASURES.map((word) => measures.find(({ words }) => words.includes(word)));
  return (
    usual.find((column) => column !== undefined) ??
    measures.find(({ words }) => !lexicon.isRate(words)) ??
    null
  );
}

function valueFilters({ values }: Mentions): Filter[] {
  return [...new Set(values.map(({ column }) => column))].map((column) => ({
    kind: "values",
    column,
    values: values.filter((value) => value.column === column).map(({ value }) => value),
  }));
}

function filtersOf(mentions: Mentions, measure: Column | null, clause: string): Filter[] {
  const { names: values, nameColumns: columns } = mentions;
  const filters = sharesOf(clause, mentions) ? [] : valueFilters(mentions);
  if (values.length > 0) filters.push({ kind: "anywhere", columns, values });
  const bound =
    /\b(over|above|more than|greater than|exceeding|at least|under|below|less than|fewer than|at most)\s+[$€£]?\s?(\d[\d,]*(?:\.\d+)?)(?!\s*%)/i.exec(
      clause,
    );
  if (bound === null || measure === null) return filters;
  const sign = signOf(bound[1] ?? "");
  return [
    ...filters,
    { kind: "number", column: measure, sign, value: Number((bound[2] ?? "").replaceAll(",", "")) },
  ];
}

function signOf(words: string): ">" | "<" | ">=" | "<=" {
  if (/at least/i.test(words)) return ">=";
  if (/at most/i.test(words)) return "<=";
  return /under|below|less|fewer/i.test(words) ? "<" : ">";
}

/** `discount_percent` is a column, `what percent of revenue` a share. */
function sharesOf(clause: string, { measure, dimensions, values }: Mentions): boolean {
  const isColumn = measure !== null && lexicon.SHARE.test(measure.column.name.replaceAll("_", " "));
  return lexicon.SHARE.test(clause) && !isColumn && dimensions.length + values.length > 0;
}

/** What the id column numbers: `order` of `order_id`. */
function entityOf(table: Table): string | null {
  const id = table.columns.find(({ kind }) => kind === "id")?.name.toLowerCase();
  return id?.replace(/_?(id|uuid|key|code|no|nr)$/, "") || null;
}

type Understood = {
  readonly mentions: Mentions;
  readonly order: "most" | "least" | null;
  readonly groupBy: readonly Column[];
  readonly bucket: Unit | null;
};

function aggregateOf(
  read: Understood & { measure: Column | null; average: boolean; counted: boolean },
): Aggregate {
  const { mentions, measure, average, counted, order, groupBy, bucket } = read;
  if (counted && mentions.measure === null) {
    return mentions.entity === null && mentions.dimensions.length > 0 && order === null && bucket === null
      ? "distinct"
      : "count";
  }
  if (measure === null) return "count";
  if (average) return "average";
  if (!lexicon.isRate(measure.words))
    return mentions.entity !== null && mentions.measure === null && order !== null && groupBy.length > 0
      ? "count"
      : "sum";
  if (groupBy.length > 0 || bucket !== null || order === null) return "average";
  return order === "least" ? "lowest" : "highest";
}

function shapeOf(
  read: Understood & { clause: string; growth: boolean; aggregate: Aggregate },
): Question["shape"] {
  const { clause, mentions, growth, order, groupBy, bucket, aggregate } = read;
  if (aggregate === "distinct") return "totals";
  if (growth) return "growth";
  if (sharesOf(clause, mentions)) return "share";
  const asksForFigures =
    lexicon.TOTAL.test(clause) || lexicon.AVERAGE.test(clause) || lexicon.COUNT.test(clause);
  if (asksForFigures || bucket !== null) return "totals";
  if (mentions.entity !== null && groupBy.length === 0)
    return order !== null || mentions.measure === null ? "rows" : "totals";
  const onlyNames =
    mentions.measure === null && order === null && groupBy.length > 0 && mentions.values.length === 0;
  return onlyNames && !lexicon.COMPARE.test(clause) && !/\b(by|per|sales|sold|sell)\b/i.test(clause)
    ? "values"
    : "totals";
}

function limitOf(
  clause: string,
  {
    order,
    groupBy,
    shape,
    bucket,
  }: Pick<Understood, "order" | "groupBy" | "bucket"> & { shape: Question["shape"] },
): number {
  const said =
    /\b(?:top|bottom|first|best|worst)\s+(\d{1,2}|\p{L}+)\b|\b(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:top|best|worst|largest|biggest|smallest|highest|lowest|most|least|strongest|weakest|fastest)\b/iu.exec(
      clause,
    );
  const number = numberOf(said?.[1] ?? said?.[2] ?? "");
  if (number !== null && number > 0) return number;
  if (shape === "rows")
    return /\b(order|row|record|entry|line|sale)\b/i.test(clause) && order !== null ? 1 : 10;
  if (
    /\b(top|bottom|best|worst|cheapest|expensive|largest|smallest)\s+(\w+[- ])?\p{L}+s\b/iu.test(clause) &&
    groupBy.length > 0
  )
    return 5;
  return bucket === null && shape !== "values" ? 20 : 100;
}
