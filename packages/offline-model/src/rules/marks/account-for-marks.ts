/**
 * The second check of a reading: whether the finished question contains everything that the clause says.
 *
 * `assemble` spends a mark when a pattern takes it. That alone does not prove that the mark is in the query: a pattern can
 * take more than it uses. So every mark is looked up in the question again, by its kind and without the patterns: a
 * number must be a bound or a rank, a value a condition, an aggregate the aggregate of a figure, an exception a
 * condition that excludes something. Each bound, condition and figure accounts for one mark only.
 */
import type { Mark } from "./marks.ts";
import { countedIn } from "../data/read-bounds.ts";
import type { Figure, Filter, Question, TimeSpan } from "../data/question.ts";

/** The words of the marks that are missing from the question. */
export function unaccounted(marks: readonly Mark[], question: Question): readonly string[] {
  const said = saidBy(question);
  return marks
    .filter((mark, index) => !isSaid(mark, { marks, index, question, said }))
    .map(({ text }) => text);
}

type Said = {
  readonly filters: readonly Filter[];
  readonly figures: readonly Figure[];
  readonly columns: ReadonlySet<string>;
  /** The meanings of numbers in the query; each is used up by one number of the clause. */
  readonly numbers: number[];
  /** One entry for each condition that excludes something. */
  readonly exceptions: unknown[];
  /** One entry for each bound. */
  readonly bounds: unknown[];
};

function saidBy(question: Question): Said {
  const { figures, filters, focus, having, groupBy, within, orderBy, shown, ranks, table } = question;
  const all = [...filters, ...focus];
  const computed = [...figures, ...having.map(({ figure }) => figure)];
  const bounds = [...all.filter(({ kind }) => kind === "number"), ...having].filter(
    (bound) => !("orNone" in bound && bound.orNone === true) && !("isSome" in bound && bound.isSome === true),
  );
  return {
    filters: all,
    figures: computed,
    columns: new Set(
      [
        ...computed.map(({ column }) => column?.name),
        ...all.flatMap((filter) => ("column" in filter ? [filter.column.name] : [])),
        ...groupBy.map(({ name }) => name),
        ...within.map(({ name }) => name),
        orderBy?.name,
        ...shown.map(({ name }) => name),
        question.shape === "rows" ? table.label?.name : undefined,
      ].filter((name) => name !== undefined),
    ),
    numbers: [
      ...bounds.flatMap((bound) => [
        ...("value" in bound ? [bound.value] : []),
        ...("others" in bound ? (bound.others ?? []) : []),
      ]),
      ...(ranks === null ? [] : [ranks]),
    ],
    exceptions: all.filter(
      (filter) =>
        ("negated" in filter && filter.negated) ||
        filter.kind === "childless" ||
        (filter.kind === "number" && filter.orNone === true),
    ),
    bounds: [...bounds],
  };
}

type Look = {
  readonly marks: readonly Mark[];
  readonly index: number;
  readonly question: Question;
  readonly said: Said;
};

function isSaid(mark: Mark, look: Look): boolean {
  const { question, said, marks, index } = look;
  const { shape, bucket } = question;
  switch (mark.letter) {
    case "N":
      return question.table.columns.some((column) => useNumber(said.numbers, countedIn(mark, column)));
    case "V":
      return (mark.values ?? []).every((value) => isCondition(value, mark, said.filters));
    case "F":
      return said.filters.some(
        (filter) =>
          filter.kind === "anywhere" && (mark.values ?? []).every((value) => filter.values.includes(value)),
      );
    case "P":
      return mark.span !== undefined && momentsOf(mark.span).every((moment) => isTime(moment, question));
    case "h":
      return said.filters.some((filter) => filter.kind === "childless" && filter.child === mark.child);
    case "z":
      return said.filters.some(
        (filter) => filter.kind === "weekday" && (mark.days ?? []).every((day) => filter.days.includes(day)),
      );
    case "M":
    case "k":
      return said.columns.has(mark.column?.name ?? "");
    case "D":
      return (
        said.columns.has(mark.column?.name ?? "") ||
        isNoun(marks, index) ||
        question.table.label === mark.column
      );
    case "B":
      return (
        bucket === mark.unit ||
        isBesideTime(marks, index) ||
        (shape === "growth" && mark.unit === timeUnit(question))
      );
    case "b":
      return bucket === mark.unit;
    default:
      return isComputed(mark, look);
  }
}

/** The same for the words of the computation and its rank. */
function isComputed(mark: Mark, look: Look): boolean {
  const { question, said, marks, index } = look;
  const { shape, order, ranks, orderBy, lag } = question;
  switch (mark.letter) {
    case "r":
      // `versus` is between two things.
      return /^compar/i.test(mark.text) || "VPMzEDF".includes(marks[index - 1]?.letter ?? "-");
    case "A":
      return isAggregate(mark, look);
    case "S":
    case "n":
    case "v":
    case "o":
      // `the first weekend` is not a rank of rows.
      if (mark.byDate === true) return orderBy?.kind === "date";
      if (!isRankedBy(mark, look)) return false;
      return (
        ranks !== null ||
        orderBy !== null ||
        isExtreme(said.figures) ||
        shape === "growth" ||
        order !== "label"
      );
    case "O":
      return question.onlyRank && ranks === mark.number;
    case "X":
      return said.exceptions.pop() !== undefined;
    case "C":
    case "c":
      return said.bounds.pop() !== undefined;
    case "Y":
      return shape === "growth";
    case "y":
      return lag === "year";
    case "K":
      return shape === "share" || shape === "part" || shape === "growth";
    case "R":
    case "Z":
      return shape === "contrast";
    case "g":
      return question.isTogether || isUngrouped(question);
    case "d":
      return (
        said.figures.some(({ aggregate }) => aggregate === "distinct") ||
        shape === "groups" ||
        shape === "values"
      );
    case "H":
      return isCounted(look);
    default:
      return true;
  }
}

/** `cheapest` is a rank by its column, and `most often` a rank by a count. */
function isRankedBy({ column, readings }: Mark, { question, said }: Look): boolean {
  if (column !== undefined) return said.columns.has(column.name);
  const isCountOnly = readings?.every((reading) => reading === "count") === true;
  return (
    !isCountOnly || said.figures.some(({ aggregate }) => aggregate === "count") || question.shape === "growth"
  );
}

/** One figure, or several that are reported separately and together, if they add up. */
function isUngrouped({ shape, groupBy, bucket, filters, figures }: Question): boolean {
  if (shape !== "figures") return shape !== "values" && shape !== "rows";
  const isListed = filters.some(
    (filter) =>
      (filter.kind === "values" && filter.values.length > 1 && groupBy.includes(filter.column)) ||
      (filter.kind === "time" && filter.spans.length > 1 && bucket !== null),
  );
  const addsUp = figures.every(({ aggregate }) => aggregate === "count" || aggregate === "sum");
  return (isListed && addsUp) || (groupBy.length === 0 && bucket === null);
}

function useNumber(numbers: number[], number: number): boolean {
  const at = numbers.indexOf(number);
  if (at >= 0) numbers.splice(at, 1);
  return at >= 0;
}

function isCondition(value: string, { column }: Mark, filters: readonly Filter[]): boolean {
  return filters.some(
    (filter) =>
      filter.kind === "values" && filter.column.name === column?.name && filter.values.includes(value),
  );
}

function momentsOf(span: TimeSpan): readonly unknown[] {
  if (span.kind === "last") return [span];
  return span.kind === "in" ? [span.moment] : [span.from, span.to].filter((moment) => moment !== null);
}

/** A year that another time of the clause has adopted counts as used. */
function isTime(moment: unknown, { filters, focus, times }: Question): boolean {
  const spans = [...filters, ...focus].flatMap((filter) => (filter.kind === "time" ? filter.spans : []));
  const said = [...spans.flatMap(momentsOf), ...times] as readonly Record<string, unknown>[];
  const wanted = moment as Record<string, unknown>;
  const isYear = wanted["unit"] === "year" && wanted["index"] !== null;
  return said.some((one) =>
    isYear
      ? one["year"] === wanted["year"]
      : Object.keys(wanted).every(
          (key) => one[key] === wanted[key] || (key === "year" && wanted[key] === null),
        ),
  );
}

function timeUnit({ times }: Question): string | undefined {
  return times.at(-1)?.unit;
}

/** `Kitchen products`, `customers from Graz`: the noun of a value. */
function isNoun(marks: readonly Mark[], index: number): boolean {
  const joined = marks[index]?.column?.joined?.table;
  const next = marks[index + 1];
  return (
    marks[index - 1]?.letter === "V" ||
    (next?.letter === "V" && (joined === undefined || next.column?.joined?.table === joined))
  );
}

function isBesideTime(marks: readonly Mark[], index: number): boolean {
  return marks[index + 1]?.letter === "P" || marks[index - 1]?.letter === "P";
}

function isAggregate({ aggregate }: Mark, { question, said }: Look): boolean {
  if (aggregate === "sum")
    return said.figures.some((figure) => figure.aggregate === "sum" || figure.aggregate === "count");
  if (aggregate === "average" && question.shape === "average") return true;
  return said.figures.some((figure) => figure.aggregate === aggregate);
}

function isExtreme(figures: readonly Figure[]): boolean {
  return figures.some(({ aggregate }) => aggregate === "highest" || aggregate === "lowest");
}

function isCounted({ question, said }: Look): boolean {
  if (["groups", "contrast", "growth", "part", "share", "average"].includes(question.shape)) return true;
  return said.figures.some(
    ({ aggregate, column }) =>
      aggregate === "count" || aggregate === "distinct" || aggregate === "sum" || column !== null,
  );
}
