/** Reads one moment at a position in a text: `Q4 2025`, `3 October`, `2025-10`, `last month`, `the second half`. */
import { numberOf } from "../text/words.ts";
import type { MONTHS } from "./calendar.ts";
import type { Moment } from "./question.ts";

const MONTH_NAMES = [
  ["january", "jan"],
  ["february", "feb"],
  ["march", "mar"],
  ["april", "apr"],
  ["may"],
  ["june", "jun"],
  ["july", "jul"],
  ["august", "aug"],
  ["september", "sept", "sep"],
  ["october", "oct"],
  ["november", "nov"],
  ["december", "dec"],
] as const;

const MONTH = `(?<month>${MONTH_NAMES.flat().join("|")})\\b\\.?`;
const DAY = "(?<day>[12]\\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\\d.,]*\\d)";
const YEAR = "(?<year>(?:19|20)\\d{2})(?![\\d]|[-.,]\\d)";
const ORDINAL = "(?<ordinal>first|second|third|fourth|1st|2nd|3rd|4th)";

type Groups = Readonly<Record<string, string | undefined>>;
type Rule = readonly [RegExp, (groups: Groups) => Moment | null];

const rule = (pattern: string, build: Rule[1]): Rule => [new RegExp(`(?:the )?${pattern}`, "iuy"), build];

const RULES: readonly Rule[] = [
  rule("(?<year>(?:19|20)\\d{2})[-/](?<m>0[1-9]|1[0-2])[-/](?<day>0[1-9]|[12]\\d|3[01])(?!\\d)", day),
  rule("(?<day>0?[1-9]|[12]\\d|3[01])\\.(?<m>0?[1-9]|1[0-2])\\.(?<year>(?:19|20)\\d{2})(?!\\d)", day),
  rule("(?<day>1[3-9]|2\\d|3[01])/(?<m>0?[1-9]|1[0-2])/(?<year>(?:19|20)\\d{2})(?!\\d)", day),
  rule("(?<m>0?[1-9]|1[0-2])/(?<day>1[3-9]|2\\d|3[01])/(?<year>(?:19|20)\\d{2})(?!\\d)", day),
  rule(`${DAY} (?:of )?${MONTH}(?:,? (?:of )?${YEAR})?`, day),
  rule(`${MONTH} (?:the )?${DAY}(?:,? (?:of )?${YEAR})?`, day),
  rule("(?<year>(?:19|20)\\d{2})[-/](?<m>0[1-9]|1[0-2])(?![-/\\d])", ({ m, year }) =>
    period("month", Number(m) - 1, year),
  ),
  rule(`${MONTH}(?:,? (?:of |in )?${YEAR})?`, ({ month, year }) => period("month", monthIndex(month), year)),
  rule(`(?:${YEAR}[- ]?)Q(?<q>[1-4])\\b`, quarter),
  rule(`Q(?<q>[1-4])(?:,? (?:of |in )?${YEAR})?(?!\\d)`, quarter),
  rule(`${ORDINAL} quarter(?:,? (?:of |in )?${YEAR})?`, quarter),
  rule(`quarter (?<q>[1-4]|one|two|three|four)\\b(?:,? (?:of |in )?${YEAR})?`, quarter),
  rule(
    `(?:H(?<half>[12])|(?<ordinal>first|second) half)\\b(?:,? (?:of |in )?(?:the year )?${YEAR})?(?: of the year)?`,
    ({ half, ordinal, year }) =>
      period("half", (half === undefined ? ordinalOf(ordinal) : Number(half)) - 1, year),
  ),
  // `the last quarter of 2024` is its fourth one.
  rule(`(?:last|final) (?<unit>quarter|month) (?:of|in) (?:the year )?${YEAR}`, ({ unit, year }) =>
    unit?.toLowerCase() === "month" ? period("month", 11, year) : period("quarter", 3, year),
  ),
  rule("(?:last|latest|this|current|most recent) (?<unit>year|quarter|month)\\b", ({ unit }) => {
    const known = (["year", "quarter", "month"] as const).find((name) => name === unit?.toLowerCase());
    return known === undefined ? null : { unit: known, index: null, year: null };
  }),
  rule(`(?:(?:calendar )?year (?:of )?)?${YEAR}`, ({ year }) => period("year", 0, year)),
];

export type FoundMoment = { readonly moment: Moment; readonly end: number; readonly text: string };

/** The moment that begins at `at`; null if none does. */
export function momentAt(text: string, at: number): FoundMoment | null {
  for (const [pattern, build] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const moment = match === null ? null : build(match.groups ?? {});
    if (match !== null && moment !== null && !isVerb(text, match)) {
      return { moment, end: at + match[0].length, text: match[0] };
    }
  }
  return null;
}

/** `may` and `march` are verbs too: as months they are capitalized, or follow `in` or a similar word. */
function isVerb(text: string, match: RegExpExecArray): boolean {
  if (!/^(?:may|march)$/.test(match[0])) return false;
  return !/\b(?:in|of|since|until|for|from|to|and|before|after|by|during|except|without|till)\s+$/i.test(
    text.slice(0, match.index),
  );
}

/** Null for a day that does not exist, such as 31 June. */
function day({ day: written, m, month, year }: Groups): Moment | null {
  const index = m === undefined ? monthIndex(month) : Number(m) - 1;
  if (Number(written) > new Date(Date.UTC(Number(year ?? 2024), index + 1, 0)).getUTCDate()) return null;
  return { unit: "day", month: index, day: Number(written), year: year === undefined ? null : Number(year) };
}

function quarter({ q, ordinal, year }: Groups): Moment {
  return period("quarter", (q === undefined ? ordinalOf(ordinal) : (numberOf(q) ?? 1)) - 1, year);
}

function period(unit: keyof typeof MONTHS, index: number, year: string | undefined): Moment {
  return { unit, index, year: year === undefined ? null : Number(year) };
}

function monthIndex(name: string | undefined): number {
  return MONTH_NAMES.findIndex((names) => names.some((known) => known === name?.toLowerCase()));
}

function ordinalOf(word: string | undefined): number {
  const digits = Number.parseInt(word ?? "", 10);
  return Number.isNaN(digits)
    ? ["first", "second", "third", "fourth"].indexOf((word ?? "").toLowerCase()) + 1
    : digits;
}

/** A moment as text: `Q4`, `Q4 2025`, `March`, `3 October 2025`, `the latest month in the data`. */
export function momentName(moment: Moment): string {
  const monthName = (index: number) => {
    const name = MONTH_NAMES[index]?.[0] ?? "";
    return name.charAt(0).toUpperCase() + name.slice(1);
  };
  const year = moment.year === null ? "" : ` ${moment.year}`;
  if (moment.unit === "day") return `${moment.day} ${monthName(moment.month)}${year}`;
  if (moment.index === null) return `the latest ${moment.unit} in the data`;
  if (moment.unit === "year") return String(moment.year);
  const name =
    moment.unit === "month"
      ? monthName(moment.index)
      : `${moment.unit === "half" ? "H" : "Q"}${moment.index + 1}`;
  return `${name}${year}`;
}
