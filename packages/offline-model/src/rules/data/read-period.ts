/** The periods that a clause names: `Q4`, `third quarter of 2024`, `in March`, `last month`, `2025`, `2025-10`. */
import { numberOf } from "../text/words.ts";
import type { Unit } from "./calendar.ts";
import type { Period } from "./question.ts";

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

const ORDINALS = ["first", "second", "third", "fourth"];

/** A year on its own: no part of a date or a figure, and no bound (`over 2000`). */
const YEAR =
  /(?<![\d.,$€£-]|\b(?:over|above|under|below|than|least|most|exceeding)\s{1,3}[$€£]?)((?:19|20)\d{2})(?!\d|-\d|[.,]\d)/gi;

/** Periods in the order in which they are named; a year beside a quarter or month belongs to it. */
export function readPeriods(clause: string): readonly Period[] {
  const years = [...clause.matchAll(YEAR)].map((match) => Number(match[1]));
  const year = years[0] ?? null;
  const found = [...quarters(clause), ...halves(clause), ...months(clause), ...latest(clause)]
    .sort((a, b) => a.at - b.at)
    .map(({ unit, index, ownYear }) => ({ unit, index, year: ownYear ?? (index === null ? null : year) }));
  if (found.length > 0) return found;
  return years.map((named) => ({ unit: "year", index: 0, year: named }));
}

type Found = { at: number; unit: Unit; index: number | null; ownYear: number | null };

function quarters(clause: string): Found[] {
  const short = [...clause.matchAll(/\b(?:((?:19|20)\d{2})[- ]?)?Q([1-4])\b/gi)].map((match) => ({
    at: match.index,
    index: Number(match[2]) - 1,
    ownYear: match[1] === undefined ? null : Number(match[1]),
  }));
  const words =
    /\b(?:(first|second|third|fourth|[1-4](?:st|nd|rd|th))\s+quarter|quarter\s+([1-4]|one|two|three|four))\b/gi;
  const long = [...clause.matchAll(words)].map((match) => ({
    at: match.index,
    index: (numberOf(match[2] ?? "") ?? ordinal(match[1] ?? "")) - 1,
    ownYear: null,
  }));
  return [...short, ...long].map((found) => ({ ...found, unit: "quarter" }));
}

function halves(clause: string): Found[] {
  return [...clause.matchAll(/\b(?:H([12])|(first|second)\s+half)\b/gi)].map((match) => ({
    at: match.index,
    unit: "half",
    index: (match[1] === undefined ? ordinal(match[2] ?? "") : Number(match[1])) - 1,
    ownYear: null,
  }));
}

function months(clause: string): Found[] {
  const dated = [...clause.matchAll(/\b((?:19|20)\d{2})-(0[1-9]|1[0-2])\b(?!-\d)/g)].map((match) => ({
    at: match.index,
    unit: "month" as const,
    index: Number(match[2]) - 1,
    ownYear: Number(match[1]),
  }));
  const named = [...clause.matchAll(/\p{L}+/gu)].flatMap((match) => {
    const index = MONTH_NAMES.findIndex((names) => names.some((name) => name === match[0].toLowerCase()));
    // "may" and "march" are verbs too: as months they are written with a capital, or stand behind "in".
    const certain =
      !/^(may|march)$/.test(match[0]) || /\b(in|of|since|until|for)\s+$/i.test(clause.slice(0, match.index));
    return index === -1 || !certain
      ? []
      : [{ at: match.index, unit: "month" as const, index, ownYear: null }];
  });
  return [...dated, ...named];
}

function latest(clause: string): Found[] {
  return [
    ...clause.matchAll(/\b(?:last|latest|this|current|most recent)\s+(year|quarter|month)\b/gi),
  ].flatMap((match) => {
    const unit = (["year", "quarter", "month"] as const).find((name) => name === match[1]?.toLowerCase());
    return unit === undefined ? [] : [{ at: match.index, unit, index: null, ownYear: null }];
  });
}

function ordinal(word: string): number {
  const digits = Number.parseInt(word, 10);
  return Number.isNaN(digits) ? ORDINALS.indexOf(word.toLowerCase()) + 1 : digits;
}

/** A period as words: `Q4`, `Q4 2025`, `March`, `the latest month`. */
export function periodName({ unit, index, year }: Period): string {
  if (index === null) return `the latest ${unit} in the data`;
  if (unit === "year") return String(year);
  const name = MONTH_NAMES[index]?.[0] ?? "";
  const short =
    unit === "month"
      ? name.charAt(0).toUpperCase() + name.slice(1)
      : `${unit === "half" ? "H" : "Q"}${index + 1}`;
  return year === null ? short : `${short} ${year}`;
}
