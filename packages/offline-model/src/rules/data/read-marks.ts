/** Cuts a clause into marks against one table: at each place the longest thing that is known there. */
import { stem } from "../text/words.ts";
import { WEEKDAYS } from "./calendar.ts";
import { isInert, phraseAt } from "./lexicon.ts";
import { ambiguous, type Mark, MarkList, type Placed } from "./marks.ts";
import { ADJECTIVE_PHRASES, meaningOf } from "./measures.ts";
import { columnAt, entityAt } from "./name-marks.ts";
import { timeAt } from "./read-times.ts";
import type { Table } from "./tables.ts";
import { valueAt } from "./value-marks.ts";

const SEPARATORS = /[\s.?!:()[\]*–—-]+/uy;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]*|[^\s]/uy;
const NUMBER =
  /[$€£]?\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s?(k\b|thousand\b|m\b|million\b)?(\s?%|\s?percent\b|\s?per cent\b)?(?:\s?(?:euros?|dollars?|pounds?|€|\$|eur|usd)(?![\p{L}]))?(?![\p{L}\p{N}])/iuy;
const AUXILIARY = /^\s*(?:did|does|do|is|are|was|were|has|have|had|can|could|will|would|should)\s/i;
const MARKS_MAX = 200;

/** @param ignored - Words that say what is made of the rows, such as `chart`; other rules have spent them. */
export function readMarks(clause: string, table: Table, ignored: ReadonlySet<string>): MarkList {
  const text = clause.replace(/[’]/g, "'");
  const marks: Mark[] = [];
  if (AUXILIARY.test(text)) marks.push({ letter: "Q", text: text.trim().split(/\s+/)[0] ?? "" });
  let at = 0;
  while (at < text.length && marks.length < MARKS_MAX) {
    SEPARATORS.lastIndex = at;
    // A comparison sign or minus that belongs to a number stays.
    const gap = SEPARATORS.exec(text);
    if (gap !== null) at += gap[0].length;
    if (at >= text.length) break;
    const placed = placeAt({ text, at, table, marks, ignored });
    if (placed.mark !== null) marks.push({ ...placed.mark, at, end: placed.end });
    at = placed.end;
  }
  return new MarkList(settle(marks));
}

type Place = {
  readonly text: string;
  readonly at: number;
  readonly table: Table;
  readonly marks: readonly Mark[];
  readonly ignored: ReadonlySet<string>;
};

function placeAt(place: Place): Placed {
  const { text, at, table, marks, ignored } = place;
  const previous = marks.at(-1) ?? null;
  const isCompared = previous !== null && (previous.letter === "C" || previous.sign === "between");
  const found = [
    valueAt(text, at, { table, previous }),
    isCompared ? null : timePlaced(text, at, table),
    weekdayAt(text, at, table),
    adjectiveAt(text, at, table),
    comparativeAt(text, at, table),
    columnAt(text, at, { table, previous }),
    entityAt(text, at, { table, previous }),
    lexiconPlaced(text, at),
    numberAt(text, at),
  ].filter((candidate) => candidate !== null);
  const best = found.toSorted((a, b) => b.end - a.end || a.rank - b.rank)[0];
  if (best !== undefined) return best;
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? text.charAt(at);
  const end = at + word.length;
  if (isInert(word) || ignored.has(stem(word.toLowerCase())) || !/[\p{L}\p{N}<>=%]/u.test(word)) {
    return { mark: null, end, rank: 9 };
  }
  return { mark: { letter: "?", text: word }, end, rank: 9 };
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
  const match = /^(sun|mon|tues|wednes|thurs|fri|satur)days?(?![\p{L}])/iu.exec(text.slice(at, at + 12));
  if (match === null) return null;
  const day = WEEKDAYS.findIndex((name) => name.toLowerCase() === `${match[1]?.toLowerCase()}day`);
  return { mark: { letter: "z", text: match[0], day }, end: at + match[0].length, rank: 1 };
}

/** `older than 40`: a bound on the one column that it measures. */
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
  if (column === undefined || columns.length > 1) return null;
  const mark: Mark = { letter: "C", text: match[0], sign: meaning.dir === "most" ? ">" : "<", column };
  return { mark, end: at + match[0].length, rank: 0 };
}

/** `cheapest`: an end of the one column that it measures. */
function adjectiveAt(text: string, at: number, table: Table): Placed | null {
  const match = ADJECTIVE_PHRASES.exec(text.slice(at, at + 40));
  const meaning = match === null ? null : meaningOf(match[0].replace("-", " "));
  if (match === null || meaning === null) return null;
  const columns = table.columns.filter(
    ({ kind, words }) => kind === "measure" && words.some((word) => meaning.words.includes(word)),
  );
  const [column] = columns;
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

function lexiconPlaced(text: string, at: number): Placed | null {
  const found = phraseAt(text, at);
  return found === null ? null : { mark: { text: "", ...found.mark }, end: found.end, rank: 4 };
}

function numberAt(text: string, at: number): Placed | null {
  NUMBER.lastIndex = at;
  const match = NUMBER.exec(text);
  if (match === null) return wordNumberAt(text, at);
  const plain = Number(`${(match[1] ?? "").replaceAll(",", "")}${match[2] ?? ""}`);
  const scale = match[3] === undefined ? 1 : /^[kt]/i.test(match[3]) ? 1_000 : 1_000_000;
  const mark: Mark = {
    letter: "N",
    text: match[0].trim(),
    number: plain * scale,
    isPercent: match[4] !== undefined,
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

/** `the Central region`: a name beside a column is a value of it, also one that no row has. */
function namedValue(
  mark: Mark,
  previous: Mark | undefined,
  next: Mark | undefined,
  index: number,
): Mark | null {
  const isName = mark.letter === "F" || mark.isQuoted === true || (index > 0 && /^\p{Lu}/u.test(mark.text));
  if ((mark.letter !== "?" && mark.letter !== "F") || !isName) return null;
  const column = [next, previous].find(
    (neighbour) => neighbour?.letter === "D" && neighbour.column?.kind === "dimension",
  )?.column;
  return column === undefined ? null : { letter: "V", text: mark.text, column, values: [mark.text] };
}

/** What only its neighbours decide: `over` before a time, `that` without a noun, a column's name beside its value. */
function settle(found: readonly Mark[]): readonly Mark[] {
  const marks = found.map(
    (mark, index) => namedValue(mark, found[index - 1], found[index + 1], index) ?? mark,
  );
  return marks.flatMap((mark, index) => {
    const next = marks[index + 1];
    const previous = marks[index - 1];
    if (mark.letter === "C" && next?.letter === "P" && /^over$/i.test(mark.text)) return [];
    // `by UPS` names who did it.
    if (mark.letter === "G" && next?.letter === "V" && mark.per !== true) return [];
    if (mark.letter === "?" && /^between$/i.test(mark.text) && next?.letter === "V") return [];
    if (mark.letter === "X" && /^but$/i.test(mark.text) && next !== undefined && !"VPz".includes(next.letter))
      return [];
    // `the month of March`; the week of a day is another question.
    if (
      mark.letter === "B" &&
      mark.plural !== true &&
      next?.letter === "P" &&
      previous?.letter !== "G" &&
      previous?.letter !== "W"
    ) {
      const unit = next.span?.kind === "in" ? next.span.moment.unit : null;
      return unit === mark.unit ? [] : [{ letter: "?", text: `${mark.text} ${next.text}` }];
    }
    // `product category` is the category.
    if (
      mark.letter === "D" &&
      mark.plural !== true &&
      next?.letter === "D" &&
      mark.end !== undefined &&
      next.at === mark.end + 1
    )
      return [];
    if (mark.letter === "a" && next?.letter === "E") return [];
    // `total order amount` is that of the orders.
    if (
      mark.letter === "E" &&
      mark.plural !== true &&
      previous?.letter === "A" &&
      next?.letter === "M" &&
      next.at === (mark.end ?? 0) + 1
    )
      return [];
    if (mark.letter === "j" && next?.letter !== "D" && next?.letter !== "B") return [];
    if (
      mark.letter === "D" &&
      next?.letter === "V" &&
      next.column === mark.column &&
      previous?.letter !== "G"
    )
      return [];
    if (mark.letter === "D" && previous?.letter === "V" && previous.column === mark.column) return [];
    return [mark];
  });
}
