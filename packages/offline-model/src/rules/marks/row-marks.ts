/** A clause's nouns for the rows of a table, for rows that refer to them, and for rows that they refer to. */
import { stem, stemsOf } from "../text/words.ts";
import { isPastOf, isPlural, wordsFrom } from "./clause-words.ts";
import { moneyColumn } from "../data/figures.ts";
import type { Mark, Placed } from "./marks.ts";
import { MONEY } from "../data/measures.ts";
import { type Child, ownKeyOf, type Table } from "../data/tables.ts";

/** Whether a row is a sale or an order: then ranks without a figure are by its money. */
export function isTrade({ entity, words }: Pick<Table, "entity" | "words">): boolean {
  return [...words, ...(entity === null ? [] : stemsOf(entity))].some(
    (word) => TRADES.has(word) || word === "sal",
  );
}

type Context = { readonly table: Table; readonly previous: Mark | null };

const ROW_WORDS = new Set(["row", "record", "entry", "line"]);
/** Words for a row of any table. */
export function isRowWord(word: string): boolean {
  return ROW_WORDS.has(stem(word.toLowerCase()));
}

/** Other words for a row of sales. */
const TRADES = new Set(["order", "purchase", "transaction", "sale"]);

/** The noun for a row: `orders`, `rows`; but `order value` is the money of one. */
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
  const key = keyBehind(text, last, table);
  if (key !== null) return key;
  return {
    mark: { letter: "E", text: text.slice(at, last.end), plural: isPlural(last.word) },
    end: last.end,
    rank: name?.length === 1 && !table.words.includes(first.stem) ? 1 : 5,
  };
}

/** `repair 27`: the one row with this key. */
function keyBehind(text: string, { word, end }: { word: string; end: number }, table: Table): Placed | null {
  const number = /^\s+(?:number\s+|no\.?\s+|#\s?)?(\d{1,12})(?![\d.,%]*\d|\s?%|\p{L})/iu.exec(
    text.slice(end),
  );
  const column = ownKeyOf(table);
  if (number === null || column === undefined || isPlural(word)) return null;
  if (!column.samples.every((sample) => /^\d+$/.test(sample))) return null;
  const stop = end + number[0].length;
  // `what was in order 36` asks for the content of other rows.
  if (/\b(?:in|inside)\s+(?:the\s+|our\s+)?$/i.test(text.slice(0, end - word.length)))
    return { mark: { letter: "?", text: text.slice(end - word.length, stop) }, end: stop, rank: 0 };
  return {
    mark: { letter: "E", text: text.slice(end - word.length, stop), column, values: [number[1] ?? ""] },
    end: stop,
    rank: 0,
  };
}

/** Behind `no`, `without` or `never`: rows of another table that do not exist. */
export function childAt(text: string, at: number, { table, previous }: Context): Placed | null {
  if (previous?.letter !== "X" || previous.none !== true) return null;
  const words = wordsFrom(text, at);
  const [first] = words;
  if (first === undefined) return null;
  const isDone = /^(?:never|not)/i.test(previous.text);
  const found = (table.children ?? []).flatMap((child) =>
    child.names
      .filter((name) =>
        isDone ? isVerbOf(first, name) : name.every((word, index) => words[index]?.stem === word),
      )
      .map((name) => ({
        child,
        end: objectEnd(text, words[isDone ? 0 : name.length - 1]?.end ?? first.end, child),
      })),
  );
  const [one] = found;
  if (one === undefined || found.some(({ child }) => child !== one.child)) return null;
  return { mark: { letter: "h", text: text.slice(at, one.end), child: one.child }, end: one.end, rank: 0 };
}

/** `never rented a bike`: the object of the rental adds nothing. */
function objectEnd(text: string, end: number, { objects }: Child): number {
  const said = /^\s+(?:an?|any|the)\s+([\p{L}_]+)/iu.exec(text.slice(end, end + 60));
  return said !== null && objects.includes(stem((said[1] ?? "").toLowerCase())) ? end + said[0].length : end;
}

/** `inspected`, for a table of inspections: the action that creates a row. */
export function isOwnVerb(word: string, { entity, words }: Table): boolean {
  const names = [...(entity === null ? [] : [stemsOf(entity)]), words];
  return names.some((name) => isVerbOf({ word, stem: stem(word.toLowerCase()) }, name.slice(-1)));
}

function isVerbOf({ word, stem: root }: { word: string; stem: string }, name: readonly string[]): boolean {
  const [noun, ...others] = name;
  if (noun === undefined || others.length > 0) return false;
  return isPastOf({ word, stem: root }, noun) || (VERBS[root] ?? []).includes(noun);
}

/** Verbs that have little in common with their nouns. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  borrow: ["loan"],
  lent: ["loan"],
  sold: ["sale", "order"],
  bought: ["order", "purchas", "sale"],
  order: ["purchas"],
};

/** The thing that a row refers to, if it has no column for its name: `inspections of bikes`. */
export function parentAt(text: string, at: number, { table }: Context): Placed | null {
  const words = wordsFrom(text, at);
  const parents = new Set(
    table.columns.flatMap(({ joined }) => (joined === undefined ? [] : [joined.table])),
  );
  for (const parent of parents) {
    const name = stemsOf(parent);
    const last = words[name.length - 1];
    if (last !== undefined && name.every((word, index) => words[index]?.stem === word))
      return { mark: { letter: "u", text: text.slice(at, last.end), parent }, end: last.end, rank: 8 };
  }
  return null;
}

/** `sales` are rows if they are counted (`how many sales`), and money elsewhere. */
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
