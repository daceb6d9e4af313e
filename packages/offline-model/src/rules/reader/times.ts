/** Times as goals name them: days, months, quarters, years, and ranges. */
import type { Span } from "./meaning.ts";
import type { Col } from "./schema.ts";
import type { Token } from "../words/tokens.ts";

/** A named period; without a year it must be the only such one in the data. */
type Moment = {
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
  /** The first month of a quarter or half, and its number of months. */
  readonly months: number | null;
};

export type TimeSense = {
  readonly end: number;
  readonly from: Moment | null;
  readonly to: Moment | null;
  /** `after` begins after its moment, `before` ends before it. */
  readonly bound: "in" | "since" | "after" | "before" | "until";
};

const MONTHS = `january february march april may june july august september october november december`.split(
  " ",
);
const SHORT = `jan feb mar apr may jun jul aug sep oct nov dec`.split(" ");
const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 };

/** The times that begin at a token, longest first. */
export function timesAt(tokens: readonly Token[], at: number): readonly TimeSense[] {
  const word = tokens[at]?.lower ?? "";
  const found: TimeSense[] = [];
  const add = (sense: TimeSense | null) => {
    if (sense !== null) found.push(sense);
  };
  if (word === "between") add(rangeAt(tokens, at + 1, ["and"]));
  if (word === "from") add(rangeAt(tokens, at + 1, ["to", "until", "till", "through"]));
  if (/^(?:since|after|before|until)$/.test(word)) {
    const moment = momentAt(tokens, at + 1);
    if (moment !== null)
      add({ end: moment.end, from: moment.moment, to: moment.moment, bound: word as TimeSense["bound"] });
  }
  const moment = momentAt(tokens, at);
  if (moment !== null) add({ end: moment.end, from: moment.moment, to: moment.moment, bound: "in" });
  return found;
}

function rangeAt(tokens: readonly Token[], at: number, links: readonly string[]): TimeSense | null {
  const first = momentAt(tokens, at) ?? bareDayAt(tokens, at);
  if (first === null || !links.includes(tokens[first.end]?.lower ?? "")) return null;
  const last = momentAt(tokens, first.end + 1);
  if (last === null) return null;
  const from = {
    ...first.moment,
    month: first.moment.month ?? last.moment.month,
    year: first.moment.year ?? last.moment.year,
  };
  return { end: last.end, from, to: last.moment, bound: "in" };
}

/** `22` of `from 22 to 28 September`. */
function bareDayAt(tokens: readonly Token[], at: number): { moment: Moment; end: number } | null {
  const day = dayOf(tokens[at]?.lower);
  return day === null ? null : { moment: { year: null, month: null, day, months: null }, end: at + 1 };
}

function dayOf(word: string | undefined): number | null {
  const match = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word ?? "");
  const day = Number(match?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : null;
}

function monthOf(token: Token | undefined): number | null {
  if (token === undefined) return null;
  const index = MONTHS.indexOf(token.lower);
  // `may` is a verb unless it is capitalized.
  if (index >= 0) return index !== 4 || token.isCapital ? index + 1 : null;
  const short = SHORT.indexOf(token.lower);
  return short >= 0 && token.isCapital && short !== 4 ? short + 1 : null;
}

function yearOf(token: Token | undefined): number | null {
  return token !== undefined && /^(?:19|20)\d\d$/.test(token.text) ? Number(token.text) : null;
}

function momentAt(tokens: readonly Token[], at: number): { moment: Moment; end: number } | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(token.text);
  if (iso !== null)
    return {
      moment: { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]), months: null },
      end: at + 1,
    };
  const withYear = (moment: Moment, end: number) => {
    const skip = tokens[end]?.lower === "of" ? 1 : 0;
    const year = yearOf(tokens[end + skip]);
    return year === null ? { moment, end } : { moment: { ...moment, year }, end: end + skip + 1 };
  };
  const the = token.lower === "the" ? 1 : 0;
  const named = periodAt(tokens, at + the);
  if (named !== null) return withYear(named.moment, named.end);
  const day = dayOf(tokens[at + the]?.lower);
  const ofWord = tokens[at + the + 1]?.lower === "of" ? 1 : 0;
  const after = monthOf(tokens[at + the + 1 + ofWord]);
  if (day !== null && after !== null)
    return withYear({ year: null, month: after, day, months: null }, at + the + ofWord + 2);
  const month = monthOf(token);
  if (month !== null) {
    const next = dayOf(tokens[at + 1]?.lower);
    if (next !== null) return withYear({ year: null, month, day: next, months: null }, at + 2);
    return withYear({ year: null, month, day: null, months: 1 }, at + 1);
  }
  const year = yearOf(token);
  return year === null ? null : { moment: { year, month: null, day: null, months: 12 }, end: at + 1 };
}

/** `first quarter`, `Q3`, `second half`. */
function periodAt(tokens: readonly Token[], at: number): { moment: Moment; end: number } | null {
  const short = /^q([1-4])$/.exec(tokens[at]?.lower ?? "");
  if (short !== null)
    return { moment: { year: null, month: Number(short[1]) * 3 - 2, day: null, months: 3 }, end: at + 1 };
  const ordinal = ORDINALS[tokens[at]?.lower ?? ""];
  const unit = tokens[at + 1]?.lower;
  if (ordinal === undefined || (unit !== "quarter" && unit !== "half")) return null;
  const length = unit === "quarter" ? 3 : 6;
  const count = 12 / length;
  const index = ordinal === -1 ? count : ordinal;
  // `the last quarter` alone could mean the latest one.
  const named = tokens[at + 2]?.lower === "of" && yearOf(tokens[at + 3]) !== null;
  if (index > count || (ordinal === -1 && !named)) return null;
  return { moment: { year: null, month: (index - 1) * length + 1, day: null, months: length }, end: at + 2 };
}

/** The days of a time, within a date column's range; null when it could be in several years or in none. */
export function spanOf({ from, to, bound }: TimeSense, col: Col): Span | null {
  const [first, last] = [from, to].map((moment) => (moment === null ? null : daysOf(moment, col)));
  if (first === null || last === null || first === undefined || last === undefined) return null;
  switch (bound) {
    case "in":
      return {
        from: first.from,
        to: last.to,
        name:
          first === last || first.from === last.from
            ? nameOf(first.from, last.to)
            : `from ${first.from} to ${last.to}`,
      };
    case "since":
      return { from: first.from, to: null, name: `since ${first.from}` };
    case "after":
      return { from: shifted(first.to, 1), to: null, name: `after ${first.to}` };
    case "before":
      return { from: null, to: shifted(first.from, -1), name: `before ${first.from}` };
    case "until":
      return { from: null, to: first.to, name: `until ${first.to}` };
    default:
      return bound satisfies never;
  }
}

function nameOf(from: string, to: string): string {
  if (from === to) return from;
  if (from.endsWith("-01-01") && to.endsWith("-12-31") && from.slice(0, 4) === to.slice(0, 4))
    return from.slice(0, 4);
  return from.slice(0, 7) === to.slice(0, 7) && from.endsWith("-01") && shifted(to, 1).endsWith("-01")
    ? from.slice(0, 7)
    : `from ${from} to ${to}`;
}

type Days = { readonly from: string; readonly to: string };

function daysOf(moment: Moment, col: Col): Days | null {
  if (moment.year !== null) return within(moment, moment.year);
  const [low, high] = [String(col.min ?? "").slice(0, 10), String(col.max ?? "").slice(0, 10)];
  const [firstYear, lastYear] = [Number(low.slice(0, 4)), Number(high.slice(0, 4))];
  if (!(firstYear >= 1000) || lastYear - firstYear > 30) return null;
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const all = years.flatMap((year) => within(moment, year) ?? []);
  const known = all.filter(({ from, to }) => to >= low && from <= high);
  if (known.length === 1) return known[0] ?? null;
  return known.length === 0 && years.length === 1 ? (all[0] ?? null) : null;
}

function within({ month, day, months }: Moment, year: number): Days | null {
  const start = month ?? 1;
  if (day !== null) {
    const iso = isoDay(year, start, day);
    return iso === null ? null : { from: iso, to: iso };
  }
  const from = isoDay(year, start, 1);
  const last = new Date(Date.UTC(year, start - 1 + (months ?? 12), 0));
  return from === null ? null : { from, to: last.toISOString().slice(0, 10) };
}

function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : null;
}

function shifted(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function latestYearOf(col: Col): Span | null {
  const year = String(col.max ?? "").slice(0, 4);
  return /^\d{4}$/.test(year) ? { from: `${year}-01-01`, to: `${year}-12-31`, name: year } : null;
}
