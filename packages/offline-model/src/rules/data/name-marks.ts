/** The names of a table's columns, and of what its rows are, where a clause mentions them. */
import { stem, stemsOf } from "../text/words.ts";
import { isGrammar } from "./lexicon.ts";
import { ambiguous, type Mark, type Placed } from "./marks.ts";
import { areSynonyms, isUnitOf, MONEY } from "./measures.ts";
import type { Column, Table } from "./tables.ts";

type Context = {
  readonly table: Table;
  readonly previous: Mark | null;
  /** What stands in front, the nearest last; default none. */
  readonly marks?: readonly Mark[];
};

const WORDS = /[\p{L}\p{N}]+(?:['’]s)?/uy;

/** The words from `at` on, with where each ends; up to six. */
function wordsFrom(
  text: string,
  at: number,
): readonly { readonly stem: string; readonly word: string; readonly end: number }[] {
  const words: { stem: string; word: string; end: number }[] = [];
  let start = at;
  while (words.length < 6) {
    WORDS.lastIndex = start;
    const match = WORDS.exec(text);
    if (match === null) break;
    const word = match[0].replace(/['’]s$/u, "");
    words.push({ stem: stem(word.toLowerCase()), word, end: start + match[0].length });
    const gap = /^[ _-]/u.exec(text.slice(start + match[0].length));
    if (gap === null) break;
    start += match[0].length + gap[0].length;
  }
  return words;
}

/** The column whose name begins at `at`: the whole name, its telling words, its last word, or a synonym. */
export function columnAt(text: string, at: number, { table, previous, marks = [] }: Context): Placed | null {
  const words = wordsFrom(text, at);
  const [first] = words;
  if (first === undefined) return null;
  const named = longestName(words, table);
  if (named !== null) return named;
  const denied = deniedTruth(first, table);
  if (denied !== null) return denied;
  // `customers` behind `Business` of customer_segment is the value's noun.
  if (previous?.letter === "V" && previous.column?.words.includes(first.stem) === true) {
    return { mark: null, end: first.end, rank: 3 };
  }
  // `hired in 2024` names the date of the hire.
  const dated = table.columns.filter(
    ({ kind, words: key }) => kind === "date" && key.length > 1 && key[0] === first.stem,
  );
  if (dated.length === 1 && /(?:ed|born|built|sent|left)$/i.test(first.word))
    return oneOf(dated, first, first.word);
  const half = table.columns.filter(
    ({ words: key, kind }) => kind !== "id" && key.length > 1 && key.at(-1) === first.stem,
  );
  if (half.length > 0) return oneOf(half, first, text.slice(at, first.end));
  // `in` is no word for `bottles_in_stock`.
  if (isGrammar(first.word)) return null;
  const loosely = table.columns.filter(
    ({ kind, words: key }) => kind === "measure" && key.some((word) => areSynonyms(word, first.stem)),
  );
  // `pieces` are the units, and no `unit_price`.
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
  // Of a number, or behind `in`, where it is no word of time (`in minutes`, but not `in May`).
  const counted = table.columns.filter((column) => column.kind === "measure" && isUnitOf(first.stem, column));
  const isUnit = previous?.letter === "N" || /\bin\s+$/i.test(text.slice(0, at));
  // `a delay of more than 15 minutes` has said which.
  const isSaid = marks.slice(-4).some(({ column }) => column !== undefined && counted.includes(column));
  if (previous?.letter === "N" && isSaid) return { mark: null, end: first.end, rank: 6 };
  if (isUnit && counted.length === 1) return oneOf(counted, first, first.word);
  if (!/^(?:prices?|costs?|charges?|pricing)$/i.test(first.word)) return null;
  return { mark: { letter: "p", text: first.word }, end: first.end, rank: 6 };
}

/** `unpaid` says no of the column `paid`. */
function deniedTruth({ word, end }: { word: string; end: number }, table: Table): Placed | null {
  const said = /^(?:un|non-?)(\p{L}{4,})$/iu.exec(word)?.[1];
  if (said === undefined) return null;
  const columns = table.columns.filter(
    ({ truth, words }) => truth !== undefined && words.join(" ") === stem(said.toLowerCase()),
  );
  const [column, ...others] = columns;
  const no = column?.samples.find((sample) => sample !== column.truth);
  if (column === undefined || no === undefined || others.length > 0) return null;
  return { mark: { letter: "V", text: word, column, values: [no] }, end, rank: 2 };
}

function longestName(words: ReturnType<typeof wordsFrom>, table: Table): Placed | null {
  let best: { columns: Column[]; count: number } = { columns: [], count: 0 };
  for (const column of table.columns) {
    for (const name of [column.words, stemsOf(column.name)]) {
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
  // The key of another table's row is what that row is called.
  const columns = best.columns.filter(({ kind }) => kind !== "id");
  if (columns.length === 0) return null;
  const { mark, end } = oneOf(columns, last, text);
  return { mark: mark === null ? null : { ...mark, isLoose: false }, end, rank: 2 };
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

export function isPlural(word: string): boolean {
  return /[^s]s$/i.test(word);
}

const ROW_WORDS = new Set(["row", "record", "entry", "line"]);
/** What else a row of sales is called. */
const TRADES = new Set(["order", "purchase", "transaction", "sale"]);

/** What one row is: `orders`, `rows`; `order value` is the money of one. */
export function entityAt(text: string, at: number, { table, previous }: Context): Placed | null {
  const words = wordsFrom(text, at);
  const [first] = words;
  if (first === undefined || /ed$/i.test(first.word)) return null;
  const names = entityNames(table, previous);
  const name = names.find((parts) => parts.every((part, index) => words[index]?.stem === part));
  const known = name !== undefined ? name.length : ROW_WORDS.has(first.stem) ? 1 : 0;
  const last = words[known - 1];
  if (last === undefined) return null;
  const next = words[known];
  if (next !== undefined && /^values?$/i.test(next.word) && first.stem !== "record") {
    const money = moneyColumn(table);
    if (money !== null) {
      return {
        mark: { letter: "M", text: `${first.word} value`, column: money, per: true },
        end: next.end,
        rank: 2,
      };
    }
  }
  return {
    mark: { letter: "E", text: text.slice(at, last.end), plural: isPlural(last.word) },
    end: last.end,
    rank: name?.length === 1 && !table.words.includes(first.stem) ? 1 : 5,
  };
}

/** `sales` are rows where they are counted (`how many sales`), and money elsewhere. */
function entityNames(
  { entity, words, columns, parentNames = [] }: Table,
  previous: Mark | null,
): readonly (readonly string[])[] {
  const own = entity === null ? [] : [stemsOf(entity)];
  const counted = previous?.letter === "H";
  const trades =
    own.some(([word]) => word !== undefined && TRADES.has(word)) || words.some((word) => TRADES.has(word));
  const others = trades ? [...TRADES].filter((word) => word !== "sale" || counted).map((word) => [word]) : [];
  const named = columns.some(({ words: key }) => key.join() === words.join()) ? [] : [words];
  const isMoney = words.some((word) => MONEY.includes(word));
  const names = [...own, ...others, ...(isMoney && !counted ? [] : named)];
  return names.filter((name) => !parentNames.includes(name.join(" ")));
}

/** The column of money that a goal means when it names none. */
export function moneyColumn(table: Table): Column | null {
  const measures = table.columns.filter(({ kind, adds }) => kind === "measure" && adds !== "rate");
  for (const word of MONEY) {
    const column = measures.find(({ words, name }) => words.includes(word) || stemsOf(name).includes(word));
    if (column !== undefined) return column;
  }
  return null;
}
