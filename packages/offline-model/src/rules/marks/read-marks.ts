/** Cuts a clause into marks against one table: at each position the longest known phrase. */
import { stem } from "../text/words.ts";
import { WEEKDAYS } from "../data/calendar.ts";
import {
  classOf,
  isFunctionWord,
  isIdleNoun,
  isInPlace,
  phraseWithoutMeaningEnd,
  type Token,
  type WordClass,
} from "./function-words.ts";
import { phraseAt } from "./lexicon.ts";
import { ambiguous, type Mark, MarkList, type Placed } from "./marks.ts";
import { ADJECTIVE_PHRASES, meaningOf } from "../data/measures.ts";
import { columnAt, truthAt } from "./name-marks.ts";
import { childAt, entityAt, isOwnVerb, parentAt } from "./row-marks.ts";
import { timeAt } from "../data/read-times.ts";
import { settle } from "./settle-marks.ts";
import { isPlace, measureNounEnd, tableNamedAt } from "./said-again.ts";
import type { Column, Table } from "../data/tables.ts";
import { comparedValues } from "./two-sides.ts";
import { PART_RANK, valueAt } from "./value-marks.ts";

/** A minus in front of a number, or between spaces, and `!=` have a meaning. */
const SEPARATORS = /(?:[\s.?:()[\]–—]|!(?!=)|-(?!\d)(?!\s)|(?<=\p{L})-)+/uy;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]*|[^\s]/uy;
const NUMBER =
  /(-?[$€£])?\s?(-?(?:\d{1,3}(?:,\d{3})+|\d+))(\.\d+)?\s?(k\b|thousand\b|m\b|million\b)?(\s?%|\s?percent\b|\s?per cent\b)?(\s?(?:euros?|dollars?|pounds?|€|\$|eur|usd)(?![\p{L}]))?(?![\p{L}\p{N}])/iuy;
const AUXILIARY =
  /^\s*(?:did|does|do|is|are|was|were|has|have|had|should|(?:can|could|will|would)(?!\s+you\s+(?:please\s+)?(?:tell|show|give|list|find)))\s/i;
const MARKS_MAX = 200;
const BIRTH = new Set(["birth", "born", "birthday"]);

/** @param ignored - Words about the output, such as `chart`; other rules have spent them. */
export function readMarks(clause: string, table: Table, ignored: ReadonlySet<string>): MarkList {
  const text = clause.replace(/[’]/g, "'");
  const marks: Mark[] = [];
  if (AUXILIARY.test(text)) marks.push({ letter: "Q", text: text.trim().split(/\s+/)[0] ?? "" });
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length && marks.length < MARKS_MAX) {
    SEPARATORS.lastIndex = at;
    // A comparison sign or minus that belongs to a number stays.
    const gap = SEPARATORS.exec(text);
    if (gap !== null) at += gap[0].length;
    if (at >= text.length) break;
    const placed = placeAt({ text, at, table, marks, ignored });
    const mark = placed.mark === null ? null : { ...placed.mark, at, end: placed.end };
    if (mark !== null) marks.push(mark);
    tokens.push({ text: text.slice(at, placed.end), at, end: placed.end, mark, kind: placed.kind ?? null });
    at = placed.end;
  }
  return new MarkList(comparedValues(settle(withMisplaced(marks, tokens, table), text, table)));
}

/** A word in a position that its class does not allow is not skipped. */
function withMisplaced(marks: readonly Mark[], tokens: readonly Token[], table: Table): readonly Mark[] {
  const own = tokens.flatMap((token, index): Mark[] => {
    const { text, at, end, mark } = token;
    if (!isInPlace(tokens, index, table)) return [{ letter: "?", text, at, end }];
    return mark === null ? [] : [mark];
  });
  return [...marks.filter(({ at }) => at === undefined), ...own];
}

type Place = {
  readonly text: string;
  readonly at: number;
  readonly table: Table;
  readonly marks: readonly Mark[];
  readonly ignored: ReadonlySet<string>;
};

function placeAt(place: Place): Placed & { readonly kind?: WordClass } {
  const { text, at, table, marks, ignored } = place;
  const previous = marks.at(-1) ?? null;
  const isCompared =
    previous !== null &&
    (previous.letter === "C" || (previous.letter === "&" && marks.at(-3)?.sign === "between"));
  // `metres in stock`, of a table of the stock.
  const stock = /^in stock(?![\p{L}])/iu.exec(text.slice(at, at + 10));
  if (stock !== null && table.words.includes("stock"))
    return { mark: null, end: at + stock[0].length, rank: 0 };
  const itself = tableNamedAt(text, at, table);
  if (itself !== null) return { mark: null, end: itself, rank: 0 };
  const value = valueAt(text, at, { table, previous });
  const doubtful = value === null ? null : twofold(place, value);
  if (doubtful !== null) return doubtful;
  const found = [
    value,
    isCompared ? null : timePlaced(text, at, table),
    weekdayAt(text, at, table),
    adjectiveAt(text, at, table),
    comparativeAt(text, at, table),
    columnAt(text, at, { table, previous, marks }),
    entityAt(text, at, { table, previous }),
    childAt(text, at, { table, previous }),
    parentAt(text, at, { table, previous }),
    yearBoundAt(text, at, previous),
    truthAt(text, at, table),
    lexiconPlaced(text, at),
    numberAt(text, at, table),
  ].filter((candidate) => candidate !== null);
  const best = found.toSorted((a, b) => b.end - a.end || a.rank - b.rank)[0];
  if (best !== undefined) return best;
  const measured = measureNounEnd(text, at, place);
  if (measured !== null) return { mark: null, end: measured, rank: 9 };
  const phraseEnd = phraseWithoutMeaningEnd(text, at);
  if (phraseEnd !== null) return { mark: null, end: phraseEnd, rank: 9 };
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? text.charAt(at);
  const end = at + word.length;
  const isOpening = marks.every(({ letter }) => letter === "," || letter === "Q");
  const kind = classOf(word, text, at, isOpening);
  if (kind !== null) return { mark: null, end, rank: 9, kind };
  if (
    isIdleNoun(word, text, end, marks) ||
    isPlace(word, text, at, table) ||
    (/^yet$/i.test(word) && marks.some(({ letter }) => letter === "X")) ||
    ignored.has(stem(word.toLowerCase())) ||
    /^["“”']$/.test(word)
  )
    return { mark: null, end, rank: 9 };
  if (isOwnVerb(word, table)) return { mark: null, end, rank: 9, kind: "event verb" };
  return { mark: { letter: "?", text: word }, end, rank: 9 };
}

/** A value that is also a word of time or rank (an agent named May, a priority Second) needs its column's name beside it. */
function twofold({ text, at, table, marks }: Place, { mark, end, rank }: Placed): Placed | null {
  // A word of time that is also part of a value (`Station Quarter`) is treated as a time.
  if (
    mark?.letter !== "V" ||
    mark.column === undefined ||
    rank === PART_RANK ||
    /["“']/.test(text.charAt(at))
  )
    return null;
  const word = text.slice(at, end);
  const other = timePlaced(text, at, table) ?? lexiconPlaced(text, at);
  // A longer phrase than the value is not the value, and the table's own quarters are the times that they name.
  const isOther = other?.end === end || isFunctionWord(word);
  if (!isOther || mark.column.name === table.calendar?.column) return null;
  const next = columnAt(text, end + 1, { table, previous: null })?.mark?.column;
  if (next === mark.column || marks.at(-1)?.column === mark.column) return null;
  const choices = [`${mark.column.name} ${mark.values?.[0] ?? word}`, `the word “${word}”`];
  return { mark: { letter: "!", text: word, choices }, end, rank: 0 };
}

function timePlaced(text: string, at: number, table: Table): Placed | null {
  if (table.calendar === null) return null;
  const found = timeAt(text, at);
  if (found === null) return null;
  return {
    mark: { letter: "P", text: text.slice(at, found.end), span: found.span },
    end: found.end,
    rank: 1,
  };
}

function weekdayAt(text: string, at: number, { calendar }: Table): Placed | null {
  if (calendar === null || !calendar.units.includes("day")) return null;
  const days = /^(week-?ends?|weekdays)(?![\p{L}])/iu.exec(text.slice(at, at + 12));
  if (days !== null && (/end/i.test(days[0]) || /\bon\s+$/i.test(text.slice(0, at)))) {
    const own = /end/i.test(days[0]) ? [6, 0] : [1, 2, 3, 4, 5];
    return { mark: { letter: "z", text: days[0], days: own }, end: at + days[0].length, rank: 1 };
  }
  const match = /^(sun|mon|tues|wednes|thurs|fri|satur)days?(?![\p{L}])/iu.exec(text.slice(at, at + 12));
  if (match === null) return null;
  const day = WEEKDAYS.findIndex((name) => name.toLowerCase() === `${match[1]?.toLowerCase()}day`);
  return { mark: { letter: "z", text: match[0], days: [day] }, end: at + match[0].length, rank: 1 };
}

/** `older than 40`: a bound on the one column that the adjective measures. */
function comparativeAt(text: string, at: number, table: Table): Placed | null {
  const match =
    /^(older|younger|heavier|lighter|longer|shorter|taller|hotter|warmer|colder)\s+than(?=\s+\d)/i.exec(
      text.slice(at, at + 30),
    );
  const meaning =
    match === null ? null : meaningOf((match[1] ?? "").replace(/er$/i, "est").replace(/ierest$/i, "iest"));
  if (match === null || meaning === null) return null;
  const columns = table.columns.filter(
    ({ kind, words }) => kind === "measure" && words.some((word) => meaning.words.includes(word)),
  );
  const [column] = columns;
  const unit = /^\s+[\d.,]+\s+/.exec(text.slice(at + match[0].length));
  const named =
    unit === null ? null : columnAt(text, at + match[0].length + unit[0].length, { table, previous: null });
  const isNamed = named?.mark?.letter === "M";
  if (!isNamed && (column === undefined || columns.length > 1)) return null;
  const sign = meaning.dir === "most" ? ">" : "<";
  const mark: Mark = {
    letter: "C",
    text: match[0],
    sign,
    ...(isNamed || column === undefined ? {} : { column }),
  };
  return { mark, end: at + match[0].length, rank: 0 };
}

const YEAR_BOUNDS: readonly (readonly [RegExp, NonNullable<Mark["sign"]>])[] = [
  [/^(?:after|later than)(?=\s+[12]\d{3}\b)/i, ">"],
  [/^(?:before|earlier than|prior to)(?=\s+[12]\d{3}\b)/i, "<"],
  [/^(?:since|in or after)(?=\s+[12]\d{3}\b)/i, ">="],
  [/^(?:until|up to|in or before)(?=\s+[12]\d{3}\b)/i, "<="],
  [/^in(?=\s+[12]\d{3}\b)/i, "="],
  [/^(?:between|from)(?=\s+[12]\d{3}\b)/i, "between"],
];

/** `opened after 2015`, for a column such as `opened_year`: a year stored as a plain number is bounded as one. */
function yearBoundAt(text: string, at: number, previous: Mark | null): Placed | null {
  if (previous?.letter !== "M" || previous.column?.words.includes("year") !== true) return null;
  const rest = text.slice(at, at + 24);
  for (const [pattern, sign] of YEAR_BOUNDS) {
    const match = pattern.exec(rest);
    if (match !== null)
      return { mark: { letter: "C", text: match[0], sign }, end: at + match[0].length, rank: -1 };
  }
  return null;
}

/** `cheapest`: an end of the one column that the adjective measures. */
function adjectiveAt(text: string, at: number, table: Table): Placed | null {
  const match = ADJECTIVE_PHRASES.exec(text.slice(at, at + 40));
  const meaning = match === null ? null : meaningOf(match[0].replace("-", " "));
  if (match === null || meaning === null) return null;
  const columns = table.columns.filter(
    ({ kind, words }) => kind === "measure" && words.some((word) => meaning.words.includes(word)),
  );
  const [column] = columns;
  const birth = /^(?:old|young)est$/i.test(match[0]) ? birthOf(table) : null;
  if (column === undefined && birth !== null) {
    const dir = meaning.dir === "most" ? "least" : "most";
    return { mark: { letter: "S", text: match[0], dir, column: birth }, end: at + match[0].length, rank: 0 };
  }
  // Without a separate column, it is an ordinary rank: `the fastest growing region`.
  if (column === undefined && !/cheap|expensive|pric|dear|cost/i.test(match[0])) return null;
  if (columns.length > 1) return { mark: ambiguous(match[0], columns), end: at + match[0].length, rank: 0 };
  const mark: Mark = {
    letter: "S",
    text: match[0],
    dir: meaning.dir,
    ...(column === undefined ? { needs: "price" } : { column }),
  };
  return { mark, end: at + match[0].length, rank: 0 };
}

/** The birth date or birth year of a row's person. */
function birthOf({ columns }: Table): Column | null {
  const [birth, ...others] = columns.filter(
    ({ kind, words, joined }) =>
      (kind === "date" || kind === "measure") &&
      joined === undefined &&
      words.some((word) => BIRTH.has(word)),
  );
  return others.length === 0 ? (birth ?? null) : null;
}

function lexiconPlaced(text: string, at: number): Placed | null {
  const found = phraseAt(text, at);
  return found === null ? null : { mark: { text: "", ...found.mark }, end: found.end, rank: 4 };
}

function numberAt(text: string, at: number, table: Table): Placed | null {
  NUMBER.lastIndex = at;
  const match = NUMBER.exec(text);
  if (match === null) return wordNumberAt(text, at);
  const plain = Number(`${(match[2] ?? "").replaceAll(",", "")}${match[3] ?? ""}`);
  // `100 m` are metres if a column counts in them.
  const isMetres = /^m$/i.test(match[4] ?? "") && table.columns.some(({ name }) => /(?:^|_)m$/i.test(name));
  const scale = isMetres || match[4] === undefined ? 1 : /^[kt]/i.test(match[4]) ? 1_000 : 1_000_000;
  const mark: Mark = {
    letter: "N",
    text: match[0].trim(),
    number: plain * scale,
    scale,
    isPercent: match[5] !== undefined,
    isMoney: match[1] !== undefined || match[6] !== undefined,
  };
  return { mark, end: at + match[0].length, rank: 5 };
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

function wordNumberAt(text: string, at: number): Placed | null {
  const match = /^[a-z]+(?![\p{L}\p{N}])/iu.exec(text.slice(at, at + 8));
  const number = match === null ? -1 : NUMBER_WORDS.indexOf(match[0].toLowerCase());
  if (match === null || number < 1) return null;
  return { mark: { letter: "N", text: match[0], number }, end: at + match[0].length, rank: 5 };
}
