/** Reads a time with the words that make it a bound: `between 3 and 9 October`, `after 15 May`, `Q1 to Q3`, `in 2025`. */
import { MONTHS } from "./calendar.ts";
import { numberOf } from "../text/words.ts";
import { type FoundMoment, momentAt, momentName } from "./read-moment.ts";
import type { Moment, TimeSpan } from "./question.ts";

type FoundTime = { readonly span: TimeSpan; readonly end: number };

const FROM = /(?:between|from)\s+/iy;
const TO = /\s*(?:\b(?:and|to|until|till|through|thru|up to|till the end of)\b|[-–—])\s*/iuy;
const BARE_TO = /\s*(?:\b(?:to|until|till|through|thru)\b|[-–—])\s*/iuy;
/** The first day of `between 3 and 9 October`: the month follows the second one. */
const BARE_DAY =
  /(?:the )?(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?=\s*(?:\b(?:and|to|until|till|through)\b|[-–—]))/iy;

const BOUNDS: readonly (readonly [RegExp, (moment: Moment) => TimeSpan])[] = [
  [
    /(?:(?:on|in) or after|from and including|no earlier than|not before|on and after)\s+(?:the start of\s+)?/iy,
    (from) => ({ kind: "span", from, fromEnd: false, to: null, toEnd: false }),
  ],
  [
    /(?:(?:on|in) or before|no later than|not after|not later than)\s+(?:the end of\s+)?/iy,
    (to) => ({ kind: "span", from: null, fromEnd: false, to, toEnd: true }),
  ],
  [
    /(?:after|later than)\s+(?:the end of\s+)?/iy,
    (from) => ({ kind: "span", from, fromEnd: true, to: null, toEnd: false }),
  ],
  [
    /(?:before|prior to|earlier than)\s+(?:the start of\s+)?/iy,
    (to) => ({ kind: "span", from: null, fromEnd: false, to, toEnd: false }),
  ],
  [
    /(?:since|starting (?:in|from|on|with)|beginning (?:in|with|on)|from)\s+/iy,
    (from) => ({ kind: "span", from, fromEnd: false, to: null, toEnd: false }),
  ],
  [
    /(?:until|till|through|up to|up until)\s+(?:the end of\s+)?/iy,
    (to) => ({ kind: "span", from: null, fromEnd: false, to, toEnd: true }),
  ],
];
/** Words that can follow `from Q3 …` to make it an open range. */
const ONWARDS =
  /\s+(?:onwards?\b|on(?=\s*(?:$|[?.,!;]|(?:in|for|by|of|to|and|without|except|excluding|with)\b)))/iy;

const LAST =
  /(?:(?:in|over|during|for|within|from)\s+)?(?:the\s+)?(?:last|past|latest|most recent)\s+(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(day|week|month|quarter|year)s?\b(?:\s+(?:of|in) the data)?/iy;

function lastAt(text: string, at: number): FoundTime | null {
  LAST.lastIndex = at;
  const match = LAST.exec(text);
  const count = match === null ? null : numberOf(match[1] ?? "");
  const unit = (["day", "week", "month", "quarter", "year"] as const).find(
    (name) => name === match?.[2]?.toLowerCase(),
  );
  if (match === null || count === null || count < 1 || unit === undefined) return null;
  return { span: { kind: "last", count, unit }, end: at + match[0].length };
}

/** The time that begins at `at`, with its preposition; null if none does. */
export function timeAt(text: string, at: number): FoundTime | null {
  const last = lastAt(text, at);
  if (last !== null) return last;
  const range = rangeAt(text, at);
  if (range !== null) return range;
  for (const [pattern, build] of BOUNDS) {
    const start = matchEnd(pattern, text, at);
    const found = start === null ? null : momentAt(text, start);
    if (found === null) continue;
    // `from October` alone is not a bound, but an origin.
    const onwards = matchEnd(ONWARDS, text, found.end);
    if (/^from/i.test(text.slice(at)) && onwards === null)
      return { span: { kind: "in", moment: found.moment }, end: found.end };
    return { span: build(found.moment), end: onwards ?? found.end };
  }
  const found = momentAt(text, at);
  if (found === null) return null;
  const onwards = matchEnd(ONWARDS, text, found.end);
  if (onwards !== null && /onwards?$/i.test(text.slice(0, onwards))) {
    return {
      span: { kind: "span", from: found.moment, fromEnd: false, to: null, toEnd: false },
      end: onwards,
    };
  }
  return { span: { kind: "in", moment: found.moment }, end: found.end };
}

function rangeAt(text: string, at: number): FoundTime | null {
  const opened = matchEnd(FROM, text, at);
  const start = opened ?? at;
  const joint = opened === null ? BARE_TO : TO;
  const bare = BARE_DAY;
  bare.lastIndex = start;
  const day = bare.exec(text);
  const first: FoundMoment | null = momentAt(text, start);
  if (first !== null) {
    const next = matchEnd(joint, text, first.end);
    const second = next === null ? null : (momentAt(text, next) ?? bareDayAfter(text, next, first));
    if (second !== null) return spanOf(first.moment, second);
  }
  if (day === null) return null;
  const next = matchEnd(joint, text, start + day[0].length);
  const second = next === null ? null : momentAt(text, next);
  if (second?.moment.unit !== "day") return null;
  return spanOf({ ...second.moment, day: Number(day[1]) }, second);
}

/** `October 3 to 9`: the second day is in the first one's month. */
function bareDayAfter(text: string, at: number, first: FoundMoment): FoundMoment | null {
  if (first.moment.unit !== "day") return null;
  const match = /^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d.,]*\d)(?:,?\s+((?:19|20)\d{2}))?/.exec(
    text.slice(at),
  );
  if (match === null) return null;
  const year = match[2] === undefined ? first.moment.year : Number(match[2]);
  return {
    moment: { ...first.moment, day: Number(match[1]), year },
    end: at + match[0].length,
    text: match[0],
  };
}

/** A year named at only one end applies to the other too. Null when the span would run backwards. */
function spanOf(first: Moment, { moment: second, end }: FoundMoment): FoundTime | null {
  const from = first.year === null && second.year !== null ? { ...first, year: second.year } : first;
  const to = second.year === null && first.year !== null ? { ...second, year: first.year } : second;
  if (from.year === to.year && firstDay(from) > firstDay(to)) return null;
  return { span: { kind: "span", from, fromEnd: false, to, toEnd: true }, end };
}

/** For comparing two moments of one year. */
function firstDay(moment: Moment): number {
  if (moment.unit === "day") return moment.month * 31 + moment.day;
  return (moment.index ?? 0) * MONTHS[moment.unit] * 31;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? null : at + match[0].length;
}

/** A span as part of a sentence: ` in Q4`, `, 3 October to 9 October`, ` after 15 May`. */
export function spanName(span: TimeSpan): string {
  if (span.kind === "last")
    return `in the last ${span.count} ${span.unit}${span.count === 1 ? "" : "s"} up to the last date of the data`;
  if (span.kind === "in") return `${span.moment.unit === "day" ? "on" : "in"} ${momentName(span.moment)}`;
  const { from, fromEnd, to, toEnd } = span;
  if (from !== null && to !== null) return `from ${momentName(from)} to ${momentName(to)}`;
  if (from !== null) return `${fromEnd ? "after" : "from"} ${momentName(from)}${fromEnd ? "" : " on"}`;
  return to === null ? "at any time" : `${toEnd ? "until the end of" : "before"} ${momentName(to)}`;
}
