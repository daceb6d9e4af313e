/** Descriptions of a table or column besides its name that do not change the question. */
import { stem, stemsOf } from "../text/words.ts";
import type { Mark } from "./marks.ts";
import { isMoney } from "../data/measures.ts";
import type { Table } from "../data/tables.ts";

/** `the response time in minutes`, `the damage value in euros`: a column's kind or unit besides its name. */
export function measureNounEnd(
  text: string,
  at: number,
  { marks, table }: { readonly marks: readonly Mark[]; readonly table: Table },
): number | null {
  const last = marks.at(-1);
  const member = /^members?(?![\p{L}])/iu.exec(text.slice(at, at + 9))?.[0];
  if (member !== undefined && last?.end === at - 1 && last.at !== undefined && isRow(last, table))
    return at + member.length;
  const noun = /^(?:times?|values?|amounts?|ones)(?![\p{L}])/iu.exec(text.slice(at, at + 9))?.[0];
  if (noun !== undefined && /^ones$/i.test(noun)) return last?.letter === "V" ? at + noun.length : null;
  if (noun !== undefined && last?.letter === "M" && last.end === at - 1 && last.column !== undefined) {
    const isTime = /(?:^|_)(?:min(?:ute)?s?|h(?:ou)?rs?|h|sec(?:ond)?s?|days?)$/i.test(last.column.name);
    const fits = /^time/i.test(noun) ? isTime : isMoney(last.column);
    if (fits) return at + noun.length;
  }
  const currency = /^(?:euros?|dollars?|pounds?|eur|usd|gbp)(?![\p{L}])/iu.exec(text.slice(at, at + 9))?.[0];
  const isTold =
    /\bin\s+$/i.test(text.slice(0, at)) &&
    marks.some(({ letter, column }) => letter === "M" && column !== undefined && isMoney(column)) &&
    marks.every(({ column }) => column === undefined || isIn(column.name, currency ?? ""));
  return currency !== undefined && isTold ? at + currency.length : null;
}

const CURRENCIES = [/eur/i, /usd|dollar/i, /gbp|pound/i];

/** A column whose name contains its currency has no other one. */
function isIn(name: string, currency: string): boolean {
  const own = CURRENCIES.find((pattern) => pattern.test(name));
  return own === undefined || own.test(currency);
}

/** `staff members` are the staff; `club members` are not clubs. */
function isRow({ letter, column, text }: Mark, { label }: Table): boolean {
  return (
    (letter === "E" || (letter === "D" && column === label)) &&
    /^(?:staff|crew|personnel|faculty)$/i.test(text)
  );
}

/** `in the students table`: the part of a clause that names the table; null when it names another one, or none. */
export function tableNamedAt(text: string, at: number, { name, source }: Table): number | null {
  const match =
    /^(?:in|from|of) (?:the|our) ([\p{L}\p{N}_ ]{2,60}?) (?:table|file|database|data ?set|sheet|list)(?![\p{L}])/iu.exec(
      text.slice(at, at + 90),
    );
  const said = match === null ? "" : stemsOf(match[1] ?? "").join();
  const isItself = said !== "" && [name, source].some((own) => stemsOf(own).join() === said);
  return match !== null && isItself ? at + match[0].length : null;
}

/** `in the museum`, for a table `museum_visits`: the origin of all of its rows. */
export function isPlace(word: string, text: string, at: number, { name, source }: Table): boolean {
  const isBehind = /\b(?:of|(?:of|in|to|at|for|with|from|by)\s+(?:the|our|this))\s+$/i.test(
    text.slice(0, at),
  );
  return isBehind && [...stemsOf(name).slice(0, -1), ...stemsOf(source)].includes(stem(word.toLowerCase()));
}
