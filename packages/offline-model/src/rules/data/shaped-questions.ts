/** Questions with a special shape: growth, shares and differences; and the parts that every question has. */
import type { Figures, Target } from "./figures.ts";
import type { Link } from "../marks/link.ts";
import { type Figure, type Filter, type Moment, type Question, NotUnderstood } from "./question.ts";
import type { Listed } from "./read-filters.ts";
import type { Rank } from "./read-rank.ts";
import { spanName } from "./read-times.ts";
import type { Column, Table } from "./tables.ts";

export type Base = {
  readonly table: Table;
  readonly link: Link | null;
  readonly growth: boolean;
  readonly yearOnYear: boolean;
  readonly shrinking: boolean;
  /** Selects only groups that grew or declined: `which products declined`. */
  readonly trend: Question["only"];
  readonly filters: readonly Filter[];
  readonly having: Question["having"];
  readonly listed: readonly Listed[];
  readonly rank: Rank | null;
  readonly target: Target;
  readonly inherits: Question | null;
};

export function question(base: Base, own: Partial<Question> & Pick<Question, "shape" | "figures">): Question {
  const inherited = base.inherits?.filters.filter(({ kind }) => kind === "time") ?? [];
  const hasTime = base.filters.some(({ kind }) => kind === "time") || (own.bucket ?? null) !== null;
  const times = base.inherits === null || hasTime ? [] : inheritedTimes(base.inherits, inherited);
  return {
    table: base.table,
    groupBy: [],
    bucket: null,
    filters: [...base.filters, ...times],
    having: base.having,
    times: [],
    lag: "previous",
    order: "most",
    ranks: null,
    onlyRank: false,
    orderBy: null,
    shown: [],
    focus: [],
    within: [],
    isWithinTime: false,
    only: null,
    isTogether: false,
    ...own,
  };
}

/** The time of the previous question: its filter, or the later time of its growth. */
function inheritedTimes({ shape, times }: Question, inherited: readonly Filter[]): readonly Filter[] {
  const last = times.at(-1);
  if (shape !== "growth" || last === undefined) return inherited;
  return [{ kind: "time", spans: [{ kind: "in", moment: last }], negated: false }];
}

export function withoutLinked(columns: readonly Column[], link: Base["link"]): readonly Column[] {
  return columns.filter((column) => link === null || !link.columns.includes(column));
}

export function growthQuestion(base: Base, { figures, groups }: Figures): Question {
  const { rank, target, listed, shrinking, having } = base;
  if (having.length > 0) throw new NotUnderstood("a bound on growth");
  const spans = base.filters.flatMap((filter) => (filter.kind === "time" ? filter.spans : []));
  if (base.filters.some((filter) => filter.kind === "time" && filter.negated))
    throw new NotUnderstood("growth without a time");
  const bucket = target.bucket ?? groups.bucket;
  const times = bucket === null || spans.length > 0 ? momentsOf(spans) : [];
  const compared = listed.flatMap(({ column, joined }) =>
    joined === "and" && column !== null ? [column] : [],
  );
  const columns = [...new Set([...compared, ...withoutLinked(groups.columns, base.link)])];
  if (base.table.calendar === null) throw new NotUnderstood("growth: the table has no dates");
  if (columns.length > 1 && bucket !== null) throw new NotUnderstood("growth by several groups over time");
  const wanted = rank === null ? (shrinking ? "least" : null) : shrinking ? opposite(rank.dir) : rank.dir;
  const stepwise = bucket !== null && times.length === 0;
  if (bucket !== null && (!stepwise || columns.length > 0))
    throw new NotUnderstood("growth by group and time together");
  return question(base, {
    shape: "growth",
    figures,
    groupBy: columns,
    bucket: stepwise ? bucket : null,
    filters: base.filters.filter(({ kind }) => kind !== "time"),
    times,
    lag: base.yearOnYear ? "year" : "previous",
    order: wanted ?? (stepwise ? "label" : "most"),
    ranks: stepwise && rank !== null ? (rank.count ?? 1) : (rank?.count ?? null),
    only: base.trend,
  });
}

function opposite(dir: "most" | "least"): "most" | "least" {
  return dir === "most" ? "least" : "most";
}

/** Growth in one period, or from one to another. */
function momentsOf(spans: Listed["spans"]): readonly Moment[] {
  const moments = spans.flatMap((span) => {
    if (span.kind === "in") return [span.moment];
    if (span.kind === "last") throw new NotUnderstood(`growth ${spanName(span)}: against what`);
    if (span.from === null || span.to === null) throw new NotUnderstood("growth over a time without an end");
    return [span.from, span.to];
  });
  if (moments.length > 2) throw new NotUnderstood("growth over more than two times");
  if (new Set(moments.map(({ unit }) => unit)).size > 1)
    throw new NotUnderstood("growth between times of different lengths");
  return moments;
}

export function shareQuestion(base: Base, figures: readonly Figure[]): Question {
  if (figures.some(({ aggregate }) => aggregate !== "sum" && aggregate !== "count"))
    throw new NotUnderstood("a share of what is not added up");
  const { target, rank, having, filters } = base;
  if (rank !== null || having.length > 0 || target.bucket !== null)
    throw new NotUnderstood("a share with a rank, a bound or a time unit");
  const values = filters.filter((filter) => filter.kind === "values" && !filter.negated);
  const bounds = filters.filter(({ kind }) => kind === "number");
  const [value] = values;
  if (
    target.columns.length === 1 &&
    values.every((filter) => filter.kind === "values" && filter.column !== target.columns[0])
  ) {
    return question(base, { shape: "share", figures, groupBy: target.columns });
  }
  if (target.columns.length > 0) throw new NotUnderstood("a share of what");
  const isOneWord = base.listed.some(
    ({ column, values: own }) =>
      value?.kind === "values" && column === value.column && own.length < value.values.length,
  );
  if (
    values.length === 1 &&
    !isOneWord &&
    bounds.length === 0 &&
    value?.kind === "values" &&
    filters.every(({ kind }) => kind !== "anywhere")
  ) {
    const rest = filters.filter((filter) => filter !== value);
    return question(base, {
      shape: "share",
      figures,
      groupBy: [value.column],
      filters: rest,
      focus: [value],
    });
  }
  const times = filters.filter(({ kind }) => kind === "time");
  const left = filters.filter((filter) => filter.kind === "values" && filter.negated);
  const part =
    bounds.length > 0 ? bounds : isOneWord ? values : values.length === 0 && left.length === 1 ? left : times;
  if (part.length === 0 || (values.length > 0 && part !== values))
    throw new NotUnderstood("which part a share is of");
  return question(base, {
    shape: "part",
    figures,
    filters: filters.filter((filter) => !part.includes(filter)),
    focus: part,
  });
}

/** `how much more revenue did West make than South`: two values of a column, or two times. */
export function contrastQuestion(base: Base, { figures, isLess }: Figures): Question {
  const pair = base.listed.find(({ values, spans }) => values.length === 2 || spans.length === 2);
  if (pair === undefined || base.rank !== null || base.target.grouped > 0 || base.having.length > 0) {
    throw new NotUnderstood("a difference of what");
  }
  const { column } = pair;
  const focus: Filter[] =
    column === null
      ? pair.spans.map((span) => ({ kind: "time", spans: [span], negated: false }))
      : pair.values.map((value) => ({ kind: "values", column, values: [value], negated: false }));
  const isPair = (filter: Filter) =>
    column === null
      ? filter.kind === "time" && !filter.negated
      : filter.kind === "values" && filter.column === column;
  return question(base, {
    shape: "contrast",
    figures,
    filters: base.filters.filter((filter) => !isPair(filter)),
    // `how much less did West make than South` is South minus West.
    focus: isLess ? focus.toReversed() : focus,
  });
}
