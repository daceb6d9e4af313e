/** The names of a table's columns, where a clause mentions them. */
import { stem, stemsOf, wordsOf } from "../text/words.ts";
import { DONE, isPastOf, isPlural, wordsFrom } from "./clause-words.ts";
import { moneyColumn } from "../data/figures.ts";
import { isFunctionWord } from "./function-words.ts";
import { ambiguous, type Mark, type Placed } from "./marks.ts";
import { areSynonyms, isUnitOf } from "../data/measures.ts";
import { type Column, falsehoodOf, ownKeyOf, type Table } from "../data/tables.ts";

type Context = {
  readonly table: Table;
  readonly previous: Mark | null;
  /** The marks in front, nearest last; default none. */
  readonly marks?: readonly Mark[];
};

/** The column whose name begins at `at`: the whole name, its distinctive words, its last word, or a synonym. */
export function columnAt(text: string, at: number, { table, previous, marks = [] }: Context): Placed | null {
  const words = wordsFrom(text, at);
  const [first] = words;
  if (first === undefined) return null;
  const key = ownKeyAt(words, table);
  if (key !== null) return key;
  const named = longestName(words, table);
  if (named !== null) return named;
  const denied = deniedTruth(first, table);
  if (denied !== null) return denied;
  // `customers` behind `Business` of customer_segment is the value's noun.
  const isRow = table.entity !== null && stemsOf(table.entity).join() === first.stem;
  if (!isRow && previous?.letter === "V" && previous.column?.words.includes(first.stem) === true) {
    return { mark: null, end: first.end, rank: 3 };
  }
  // `hired in 2024` names the date of the hire.
  const dated = table.columns.filter(
    ({ kind, words: key }) =>
      (kind === "date" || (kind === "measure" && key.at(-1) === "year")) &&
      key.length > 1 &&
      (key[0] === first.stem ||
        (kind === "date" && (isPastOf(first, key[0]) || isSameAs(first.stem, key[0])))),
  );
  const isAsked = dated[0]?.kind === "date" && marks.some(({ letter }) => letter === "q");
  const isDone = DONE.test(first.word) || isDoneAt(first.word, text.slice(first.end));
  if (dated.length === 1 && (isAsked || isDone))
    // If a date is asked for, `finished` is the end date, not a status.
    return { ...oneOf(dated, first, first.word), rank: isAsked ? -1 : 3 };
  // `a warranty of 5 years` already names the column.
  const units = table.columns.filter((column) => column.kind === "measure" && isUnitOf(first.stem, column));
  const isSaid = marks.slice(-4).some(({ column }) => column !== undefined && units.includes(column));
  if (previous?.letter === "N" && isSaid) return { mark: null, end: first.end, rank: 3 };
  // `on` does not name `received_on`.
  const half = /^(?:on|in|at|to|of|by)$/i.test(first.word)
    ? []
    : table.columns.filter(
        ({ words: key, kind }) => kind !== "id" && key.length > 1 && key.at(-1) === first.stem,
      );
  if (half.length > 0) return oneOf(half, first, text.slice(at, first.end));
  // `in` does not name `bottles_in_stock`.
  if (isFunctionWord(first.word)) return null;
  const loosely = table.columns.filter(
    ({ kind, words: key }) => kind === "measure" && key.some((word) => areSynonyms(word, first.stem)),
  );
  // `pieces` are the units, not a `unit_price`.
  const firmly = loosely.filter(({ words: key }) => areSynonyms(key.at(-1) ?? "", first.stem));
  const alike = firmly.length > 0 ? firmly : loosely;
  if (alike.length > 0) {
    const found = oneOf(alike, first, text.slice(at, first.end));
    // `sales` of a table named sales are its own.
    const isOwn = table.words.includes(first.stem);
    return isOwn && found.mark !== null
      ? { ...found, mark: { ...found.mark, isLoose: false, isOwn } }
      : found;
  }
  // Behind a number or `in`, where it is not a word of time (`in minutes`, but not `in May`).
  const isUnit = previous?.letter === "N" || /\bin\s+$/i.test(text.slice(0, at));
  if (isUnit && units.length === 1) return oneOf(units, first, first.word);
  const money = /^money$/i.test(first.word) ? moneyColumn(table) : null;
  if (money !== null) return oneOf([money], first, first.word);
  if (!/^(?:prices?|costs?|charges?|pricing)$/i.test(first.word)) return null;
  return { mark: { letter: "p", text: first.word }, end: first.end, rank: 6 };
}

/** `born` of a birth date, `expires` of an expiry date. */
function isSameAs(verb: string, noun: string | undefined): boolean {
  return (
    (verb === "born" && noun === "birth") || (verb.startsWith("expir") && noun?.startsWith("expir") === true)
  );
}

/** `that expire before`, `starting in`: a verb in front of a time. */
function isDoneAt(word: string, rest: string): boolean {
  return (
    /^(?:start|end|expire)(?:s|ing)?$/i.test(word) &&
    /^\s+(?:before|after|in|on|between|until|since|by)\s/i.test(rest)
  );
}

const KEY_NOUNS = /^(?:numbers?|codes?|ids?|keys?|references?)$/i;

/** `fabric codes`, `repair numbers`: the key of the rows. */
function ownKeyAt(words: ReturnType<typeof wordsFrom>, { columns, entity }: Table): Placed | null {
  const column = ownKeyOf({ columns });
  const row = entity === null ? [] : stemsOf(entity);
  const noun = words[row.length];
  const isNamed = row.length > 0 && row.every((word, index) => words[index]?.stem === word);
  if (column === undefined || noun === undefined || !isNamed || !KEY_NOUNS.test(noun.word)) return null;
  const text = words
    .slice(0, row.length + 1)
    .map(({ word }) => word)
    .join(" ");
  return {
    mark: { letter: "D", text, column, plural: isPlural(noun.word), isLoose: false },
    end: noun.end,
    rank: -1,
  };
}

/** `the queen was seen`, `the queen was not seen`: a yes/no column `queen_seen`. */
export function truthAt(text: string, at: number, { columns }: Table): Placed | null {
  for (const column of columns) {
    const parts = wordsOf(column.name);
    const no = falsehoodOf(column);
    if (column.truth === undefined || no === undefined || parts.length !== 2) continue;
    const [subject = "", state = ""] = parts.map((part) => RegExp.escape(part));
    const said = new RegExp(
      `^${subject}s?\\s+(?:(?:is|are|was|were|has|have|had)\\s+)?(?:been\\s+)?(not\\s+(?:been\\s+)?)?${state}(?![\\p{L}])`,
      "iu",
    ).exec(text.slice(at, at + 90));
    if (said === null) continue;
    // `queen seen` alone can also be what the rows are grouped by.
    if (said[1] === undefined && !/\s(?:is|are|was|were|has|have|had)\s/i.test(said[0])) continue;
    const values = [said[1] === undefined ? column.truth : no];
    return { mark: { letter: "V", text: said[0], column, values }, end: at + said[0].length, rank: -1 };
  }
  return null;
}

/** `unpaid` negates the column `paid`. */
function deniedTruth({ word, end }: { word: string; end: number }, table: Table): Placed | null {
  const said = /^(?:un|non-?)(\p{L}{4,})$/iu.exec(word)?.[1];
  if (said === undefined) return null;
  const columns = table.columns.filter(
    ({ truth, words }) => truth !== undefined && words.join(" ") === stem(said.toLowerCase()),
  );
  const [column, ...others] = columns;
  const no = column === undefined ? undefined : falsehoodOf(column);
  if (column === undefined || no === undefined || others.length > 0) return null;
  return { mark: { letter: "V", text: word, column, values: [no] }, end, rank: 2 };
}

function longestName(words: ReturnType<typeof wordsFrom>, table: Table): Placed | null {
  let best: { columns: Column[]; count: number } = { columns: [], count: 0 };
  for (const column of table.columns) {
    for (const name of [column.words, stemsOf(column.name), stateOf(column)]) {
      if (name.length === 0 || name.length < best.count) continue;
      if (!name.every((word, index) => words[index]?.stem === word)) continue;
      if (name.length > best.count) best = { columns: [column], count: name.length };
      else if (!best.columns.includes(column)) best.columns.push(column);
    }
  }
  const last = words[best.count - 1];
  if (last === undefined) return null;
  const text = words
    .slice(0, best.count)
    .map(({ word }) => word)
    .join(" ");
  // A key is a match only if it refers to another table, whose rows it names.
  const columns = best.columns.filter(({ kind, isOwnKey }) => kind !== "id" || isOwnKey === false);
  if (columns.length === 0) return null;
  const { mark, end } = oneOf(columns, last, text);
  return { mark: mark === null ? null : { ...mark, isLoose: false }, end, rank: 2 };
}

/** `night crane` of a yes/no column `has_night_crane`. */
function stateOf({ truth, words }: Column): readonly string[] {
  return truth !== undefined && words.length > 1 && /^(?:ha|has|hav|is|contain)$/.test(words[0] ?? "")
    ? words.slice(1)
    : [];
}

function oneOf(
  columns: readonly Column[],
  { end, word }: { end: number; word: string },
  text: string,
): Placed {
  const [column, ...others] = columns;
  if (column === undefined || others.length > 0) return { mark: ambiguous(text, columns), end, rank: 6 };
  return { mark: { ...markOf(column, text), plural: isPlural(word), isLoose: true }, end, rank: 6 };
}

function markOf(column: Column, text: string): Mark {
  const letter = column.kind === "measure" ? "M" : column.kind === "date" ? "T" : "D";
  return { letter, text, column };
}
