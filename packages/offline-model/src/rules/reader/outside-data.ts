/** Times outside the data: `0 callouts in 2022` would mean that there were none. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import type { Moment, Question } from "../data/question.ts";
import { spokenName } from "../text/format-value.ts";
import { filtersOf } from "./deeds.ts";
import type { Filter, Meaning, Span } from "./meaning.ts";

/** Why a meaning has no answer: it asks about a time before the first or after the last one; null otherwise. */
export function outsideData(meaning: Meaning): string | null {
  // Whether there are any is answered by `no`.
  if (meaning.shape === "exists") return null;
  for (const filter of withInner(filtersOf(meaning))) {
    if (filter.t !== "time" || filter.not) continue;
    const { name, min, max } = filter.ref.col;
    const [low, high] = [dayOf(min), dayOf(max)];
    if (low === null || high === null) continue;
    const outside = filter.spans.find((span) => isOutside(span, low, high));
    if (outside !== undefined) return told(outside.name, name, [low, high]);
  }
  return null;
}

/** The same for a question read by the older rules: a year outside the dates of its table. */
export function yearOutsideData({ table, filters }: Question, data: readonly DataSource[]): string | null {
  const years = filters.flatMap((filter) =>
    filter.kind === "time" && !filter.negated ? filter.spans.flatMap(yearsOf) : [],
  );
  if (years.length === 0) return null;
  const described = data.find(({ source }) => source === table.source)?.tables ?? [];
  const columns = described.find(({ name }) => name === table.name)?.columns ?? [];
  const ranges = columns.flatMap(({ name, min, max }) => {
    const [low, high] = [dayOf(min), dayOf(max)];
    return low === null || high === null ? [] : [{ name, low, high }];
  });
  const [first] = ranges;
  const missing = years.find((year) =>
    ranges.every(({ low, high }) => `${year}-12-31` < low || `${year}-01-01` > high),
  );
  if (first === undefined || missing === undefined) return null;
  return told(String(missing), first.name, [first.low, first.high]);
}

function told(time: string, column: string, [low, high]: readonly [string, string]): string {
  return `there is nothing of ${time} in the data: ${spokenName(column)} runs from ${low} to ${high}`;
}

function withInner(filters: readonly Filter[]): readonly Filter[] {
  return filters.flatMap((filter) =>
    filter.t === "exists" ? [filter, ...withInner(filter.filters)] : [filter],
  );
}

function isOutside({ from, to }: Span, low: string, high: string): boolean {
  return (from !== null && from > high) || (to !== null && to < low);
}

/** The day of a date; null for a number, a time of day, or nothing. */
function dayOf(value: string | number | null | undefined): string | null {
  const day = String(value ?? "").slice(0, 10);
  return /^\d{4}-\d\d-\d\d$/.test(day) ? day : null;
}

type Times = Extract<Question["filters"][number], { kind: "time" }>["spans"][number];

/** The years of a time; those of an open end are unknown. */
function yearsOf(span: Times): readonly number[] {
  if (span.kind === "in") return yearOf(span.moment);
  return span.kind === "span" && span.from !== null && span.to !== null
    ? [...yearOf(span.from), ...yearOf(span.to)]
    : [];
}

function yearOf({ year }: Moment): readonly number[] {
  return year === null ? [] : [year];
}
