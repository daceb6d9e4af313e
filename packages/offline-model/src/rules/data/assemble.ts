/** Turns marks into a question: how the parts of a clause belong together. */
import { stemsOf } from "../text/words.ts";
import { dateCalendar, type Unit } from "./calendar.ts";
import { type Figures, piecesColumn, moneyColumn } from "./figures.ts";
import { linkTo } from "../marks/link.ts";
import { daysOf } from "../sql/time-sql.ts";
import type { Mark, MarkList } from "../marks/marks.ts";
import { type Antecedent, type Question, NotUnderstood } from "./question.ts";
import { type Listed, readFilters } from "./read-filters.ts";
import { readFigures } from "./read-figures.ts";
import { readGroups } from "./read-groups.ts";
import { readRank } from "./read-rank.ts";
import {
  type Base,
  contrastQuestion,
  growthQuestion,
  question,
  shareQuestion,
  withoutLinked,
} from "./shaped-questions.ts";
import type { Column, Table } from "./tables.ts";

type AssembleContext = {
  readonly table: Table;
  readonly antecedent: Antecedent | null;
  /** The clause continues where another one ended. */
  readonly isFollowUp: boolean;
};

/** @throws {NotUnderstood} When known words do not form a question together. */
export function assemble(
  marks: MarkList,
  { table: given, antecedent, isFollowUp }: AssembleContext,
): readonly Question[] {
  const table = datedBy(marks, given);
  checkSold(marks, table);
  const wantsYesNo = marks.take(/Q/) !== null;
  if (wantsYesNo) throw new NotUnderstood("a question that wants yes or no");
  const link = linkTo(marks, antecedent, table);
  const growth = marks.takeAll(/y?[AK]?Yy?/).flat();
  if (growth.length > 0 && marks.has(/H_*D/)) throw new NotUnderstood("a number of what grew or shrank");
  const ofTop = growth.length === 0 ? figureOfTop(marks) : null;
  const read = readFilters(marks, table);
  const rank = readRank(marks, table);
  const target = readGroups(marks, table);
  const base: Base = {
    table,
    link,
    growth: growth.length > 0,
    yearOnYear: growth.some(({ letter }) => letter === "y") || marks.take(/y/) !== null,
    shrinking: growth.some(({ letter, dir }) => letter === "Y" && dir === "least"),
    trend: trendOf(marks, growth, rank),
    filters: [...read.filters, ...(link?.filters ?? [])],
    having: read.having,
    listed: read.listed,
    rank,
    target,
    inherits: link !== null || isFollowUp ? (antecedent?.question ?? null) : null,
  };
  const figures = readFigures(marks, {
    table,
    rank,
    target,
    growth: base.growth,
    inherited: base.inherits,
    having: read.having,
    filters: read.filters,
  });
  const wantsAll = marks.take(/g/) !== null && rank !== null;
  const isTogether = (ofTop !== null || wantsAll) && canBeAdded(figures, rank);
  if (ofTop !== null && !isTogether)
    throw new NotUnderstood(`“${ofTop.said}”: of all of them, or of each (for each say “${ofTop.each}”)`);
  marks.takeAll(/s/);
  const questions = questionsOf(base, figures).map((one) => ({ ...one, isTogether }));
  questions.forEach(checkRepeated);
  for (const { shape, bucket, filters } of questions)
    if (shape === "average" && bucket === "day") daysOf(filters, table);
  return questions;
}

/** `which products declined` selects those that did; a rank or the noun `growth` selects all of them in order. */
function trendOf(marks: MarkList, growth: readonly Mark[], rank: Base["rank"]): Question["only"] {
  const verb = growth.find(({ letter, text }) => letter === "Y" && !/^(?:growth|growing|change)/i.test(text));
  if (verb === undefined || rank !== null || !marks.has(/W_*D/)) return null;
  return verb.dir === "least" ? "shrank" : "grew";
}

/** Figures whose sum over the ranked groups is a figure of all of them. */
function canBeAdded({ shape, figures, readings }: Figures, rank: Base["rank"]): boolean {
  const [figure, ...others] = figures;
  const isSum =
    figure?.aggregate === "count" || (figure?.aggregate === "sum" && figure.column?.adds === "flow");
  return (
    shape === "figures" &&
    isSum &&
    others.length === 0 &&
    readings.length === 1 &&
    rank !== null &&
    !rank.only
  );
}

/** `revenue of the top 3 products` in front of several ranks; behind `by` or a rank, a figure is the one to rank by. */
function figureOfTop({ letters, marks }: MarkList): { readonly said: string; readonly each: string } | null {
  const found = /(?<!G_*)[ME][^G&,|SM]*?(S_*(N?)_*[DB])/.exec(letters);
  if (found === null) return null;
  const [all, ranked = "", counted] = found;
  const end = found.index + all.length;
  const group = marks[end - 1];
  const top = marks.slice(end - ranked.length, end).filter((_, index) => ranked[index] !== "_");
  const isOne = counted === "" ? group?.plural !== true : top.some(({ number }) => number === 1);
  const figure = marks[found.index]?.text.toLowerCase() ?? "";
  const name = top.map(({ text }) => text).join(" ");
  return isOne ? null : { said: `${figure} of ${name}`, each: `${name} by ${figure}` };
}

function questionsOf(base: Base, figures: Figures): readonly Question[] {
  if (base.growth) return [growthQuestion(base, figures)];
  if (figures.shape === "share") return [shareQuestion(base, figures.figures)];
  if (figures.contrast) return [contrastQuestion(base, figures)];
  if (figures.shape === "rows" || figures.shape === "values") return [listQuestion(base, figures)];
  return figures.readings.map((own) => figuresQuestion(base, { ...figures, figures: own }));
}

/** `how many customers ordered` cannot be answered from a table without pieces or money. */
function checkSold(marks: MarkList, table: Table): void {
  const sold = marks
    .left("s")
    .find(({ text }) => /^(?:sold|sells?|selling|ordered|bought|purchased|buy)$/i.test(text));
  if (sold !== undefined && piecesColumn(table) === null && moneyColumn(table) === null)
    throw new NotUnderstood(`“${sold.text}”: ${table.name} has neither pieces nor money`);
}

/** An order's amount is repeated in each of its items: summing or averaging it would count it several times. */
function checkRepeated({ figures, having, table }: Question): void {
  const repeated = [...figures, ...having.map(({ figure }) => figure)].find(
    ({ aggregate, column }) =>
      column?.joined !== undefined &&
      column.kind === "measure" &&
      !["highest", "lowest", "distinct"].includes(aggregate),
  );
  if (repeated !== undefined)
    throw new NotUnderstood(
      `${repeated.column?.name} belongs to ${repeated.column?.joined?.table} and would be counted once for each row of ${table.name}`,
    );
}

/** The table with the calendar of the clause's date: the named one, the only one, or the row's own. */
function datedBy(marks: MarkList, table: Table): Table {
  const dates = nearestDates(table);
  const usesTime = marks.has(/[PbBzYy]/);
  const named = [...new Set(marks.left("T").flatMap(({ column }) => (column === undefined ? [] : [column])))];
  if (named.length > 1) throw new NotUnderstood(`both ${named.map(({ name }) => name).join(" and ")}`);
  // Beside a time the date's name is spent; behind `by` it is what the rows are grouped by.
  if (marks.has(/[Pz]/)) while (marks.has(/(?<!G)T/)) marks.take(/(?<!G)T/);
  const [column] = named;
  if (column !== undefined)
    return column.name === table.calendar?.column ? table : { ...table, calendar: dateCalendar(column) };
  if (!usesTime) return table;
  const [only, ...others] = dates;
  if (only !== undefined && others.length === 0) return { ...table, calendar: dateCalendar(only) };
  const entity = table.entity === null ? "" : (stemsOf(table.entity)[0] ?? "");
  const own =
    dates.find(({ words }) => words[0] === entity) ??
    dates.find(({ words }) => isVerbLike(words[0] ?? "", entity));
  if (dates.length === 0) return table;
  if (own === undefined)
    throw new NotUnderstood(`the time could be ${dates.map(({ name }) => name).join(" or ")}`);
  return { ...table, calendar: dateCalendar(own) };
}

/** `admitted` of an admission. */
function isVerbLike(verb: string, noun: string): boolean {
  return verb.length >= VERB_LETTERS_MIN && noun.startsWith(verb.slice(0, VERB_LETTERS_MIN));
}

const VERB_LETTERS_MIN = 4;

/** The dates of the row itself, or of the nearest row that its keys refer to; empty when periods are identified otherwise. */
function nearestDates({ columns, calendar }: Table): readonly Column[] {
  const dates = columns.filter(({ kind }) => kind === "date");
  if (!dates.some(({ name }) => name === calendar?.column)) return [];
  const depthOf = ({ joined }: Column) => joined?.depth ?? 0;
  const nearest = Math.min(...dates.map(depthOf));
  return dates.filter((date) => depthOf(date) === nearest);
}

function figuresQuestion(base: Base, { figures, groups, shape }: Figures): Question {
  const { rank, target, listed } = base;
  if (figures.some(({ aggregate }) => aggregate === "distinct") && target.grouped > 0)
    throw new NotUnderstood("a number of different things for each of others");
  const bucket = target.bucket ?? groups.bucket;
  const named = withoutLinked([...target.columns, ...groups.columns], base.link);
  // `the top 3 products and their prices`: for each of them.
  const columns = named.length === 0 && bucket === null ? severalOf(base.link) : named;
  const ranked = rank !== null && !rank.isOrder && (columns.length > 0 || bucket !== null);
  const each =
    ranked || shape === "groups" || shape === "average"
      ? []
      : listed.filter(({ joined }) => joined === "and");
  const compared = each.flatMap(({ column, values }) =>
    column !== null && values.length > 1 ? [column] : [],
  );
  const timed = each.flatMap(({ column, spans }) => (column === null ? [unitOfSpans(spans)] : []));
  const groupBy = [...new Set([...compared, ...columns])];
  // If names are unique, each has one row.
  if (
    ranked &&
    figures[0]?.aggregate === "count" &&
    groupBy.some((one) => one === base.table.label && one.complete)
  )
    throw new NotUnderstood(`“${rank.word}”: each ${base.table.entity ?? "row"} is one row`);
  const kept = bucket ?? timed[0] ?? null;
  // `the top 2 products per region`: the rank applies within what `per` names.
  const within = ranked && (groups.columns.length > 0 || groups.bucket !== null) ? target.columns : [];
  const isWithinTime = ranked && groups.columns.length > 0 && target.bucket !== null;
  return question(base, {
    shape,
    figures,
    groupBy,
    bucket: kept,
    within,
    isWithinTime,
    order: rank?.dir ?? (base.having.length > 0 || kept === null ? "most" : "label"),
    ranks: ranked ? limitOf(base, groups.plural) : null,
    onlyRank: rank?.only ?? false,
  });
}

function severalOf(link: Base["link"]): readonly Column[] {
  return (link?.filters ?? []).flatMap((filter) => (filter.kind === "among" ? [filter.column] : []));
}

/** `the top 3 regions and their best products` ranks within each region. */
function limitOf({ rank, link }: Base, plural: boolean): number {
  const most = link?.filters.some(({ kind }) => kind === "among") === true ? 3 : 5;
  if (rank?.count !== null && rank?.count !== undefined) return rank.count;
  return plural ? most : 1;
}

/** Listed times are compared side by side if they have the same length. */
function unitOfSpans(spans: Listed["spans"]): Unit {
  const units = new Set(spans.map((span) => (span.kind === "in" ? span.moment.unit : "span")));
  const [unit] = units;
  if (units.size !== 1 || unit === undefined || unit === "span")
    throw new NotUnderstood("times of different lengths side by side");
  return unit;
}

function listQuestion(base: Base, { shape, figures, groups, orderBy, shown }: Figures): Question {
  const { rank, target } = base;
  if (base.having.length > 0) throw new NotUnderstood("a bound on groups in a list of rows");
  return question(base, {
    shape,
    figures,
    groupBy: shape === "values" ? withoutLinked([...target.columns, ...groups.columns], base.link) : [],
    orderBy,
    shown,
    order: rank?.dir ?? (orderBy === null ? "label" : "most"),
    ranks: rank === null || rank.isOrder ? null : (rank.count ?? (groups.plural ? 5 : 1)),
    onlyRank: rank?.only ?? false,
  });
}
