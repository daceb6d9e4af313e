/** Questions asked together: two ranks, the same for something else, or two separate ones. */
import { generalAt } from "../words/general-words.ts";
import { sensesAt } from "../words/lexicon.ts";
import type { Filter, Meaning } from "./meaning.ts";
import { pathsBetween, type Schema } from "./schema.ts";
import { timesAt } from "./times.ts";
import { type Token, tokensOf } from "../words/tokens.ts";

/** `the cheapest and the most expensive bread`: two separate questions. */
export function contrasted(text: string): readonly (readonly string[])[] {
  const tokens = tokensOf(text);
  const found: (readonly string[])[] = [];
  const counted = COUNTED.exec(text);
  if (counted !== null) {
    const [, how, one, other, rest] = counted;
    found.push([`${how} ${one} ${rest}`, `${how} ${other} ${rest}`]);
  }
  for (const at of tokens.keys())
    for (const first of rankAt(tokens, at)) {
      if (tokens[first.end]?.lower !== "and") continue;
      const the = tokens[first.end + 1]?.lower === "the" ? 1 : 0;
      const from = first.end + 1 + the;
      const [second] = rankAt(tokens, from).toSorted((a, b) => b.end - a.end);
      if (second === undefined) continue;
      found.push([
        textOf([...tokens.slice(0, first.end), ...tokens.slice(second.end)]),
        textOf([...tokens.slice(0, at), ...tokens.slice(from)]),
      ]);
    }
  return found;
}

/** `how many dogs and how many cats do we have`: the words at the end apply to both. */
const COUNTED =
  /^(how many) ((?:[\p{L}-]+ ){0,2}[\p{L}-]+),? and how many ((?:[\p{L}-]+ ){0,2}[\p{L}-]+?) ((?:do|did|does|are|is|were|was|have|has) .+)$/iu;

function rankAt(tokens: readonly Token[], at: number): readonly { end: number }[] {
  return generalAt(tokens, at).filter(({ sense }) => sense.k === "sup");
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ text, before }) => (/[,;]/.test(before) ? `, ${text}` : ` ${text}`))
    .join("")
    .trim();
}

const AGAIN =
  /^(?:(?:and )?how (?:much|many)(?: (?:is|are|was|were) (?:there|it|they|that))?|what about|and)\s+((?:in|on|from|at|by|for|of)\s+.+?)[?.!]?$/i;
const OTHER_END =
  /^(?:which|who|what)(?: (\p{L}+))?(?: (?:is|are|was|were|has|had|have|did|does))?(?: the)? (\p{L}+(?: \p{L}+)?)(?: ones?)?[?.!]?$/iu;

/** `… and which is the lightest?`: repeats the lead with the other end. */
function otherEnd(said: readonly Token[], tail: string): string | null {
  const [, noun, end = ""] = OTHER_END.exec(tail.trim()) ?? [];
  if (
    noun !== undefined &&
    !/^(?:is|are|was|were|has|had|have)$/i.test(noun) &&
    !said.some(({ lower }) => lower === noun.toLowerCase())
  )
    return null;
  const other = tokensOf(end);
  const ranks = rankAt(other, 0).filter((one) => one.end === other.length);
  const own = [...said.keys()].flatMap((from) => rankAt(said, from).map((one) => ({ from, end: one.end })));
  const [longest] = own.toSorted((a, b) => b.end - b.from - (a.end - a.from));
  const isOne = own.every(
    ({ from, end: until }) => longest !== undefined && from >= longest.from && until <= longest.end,
  );
  if (ranks.length === 0 || longest === undefined || !isOne) return null;
  return textOf([...said.slice(0, longest.from), ...other, ...said.slice(longest.end)]);
}

/** `how much … in August, and how much in October?`: repeats the lead with another time or value. Null if it does not. */
export function continued(lead: string, tail: string, schema: Schema): string | null {
  const phrase = AGAIN.exec(tail.trim())?.[1];
  const said = tokensOf(lead);
  if (phrase === undefined) return otherEnd(said, tail);
  const other = tokensOf(phrase);
  const own = stretches(said, schema);
  const [same, ...more] = stretches(other, schema).filter(
    ({ from, end }) => from <= 1 && end === other.length,
  );
  if (same === undefined || more.length > 0) return null;
  const replaced = own.filter(({ key }) => key === same.key);
  const [one, ...others] = replaced;
  if (one === undefined || others.length > 0) return null;
  return textOf([...said.slice(0, one.from), ...other.slice(same.from), ...said.slice(one.end)]);
}

type Stretch = { readonly from: number; readonly end: number; readonly key: string };

/** The named times and values, each as long as possible. */
function stretches(tokens: readonly Token[], schema: Schema): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const times = timesAt(tokens, at).map(({ end }) => ({ from: at, end, key: "time" }));
    const values = sensesAt({ tokens, schema, source: "" }, at).flatMap((chunk) =>
      chunk.k === "val" && chunk.cost < 0.6
        ? [{ from: at, end: chunk.end, key: `${chunk.col.table}.${chunk.col.name}` }]
        : [],
    );
    const all = times.length > 0 ? times : values;
    const end = Math.max(at + 1, ...all.map((one) => one.end));
    found.push(...all.filter((one) => one.end === end));
    at = end - 1;
  }
  return found;
}

/**
 * Whether a question beside another one is independent: a condition on the rows of one could apply to both, so it must be
 * stated for both, or concern something that the other does not have.
 */
export function isBeside(first: Meaning, second: Meaning, schema: Schema): boolean {
  // For rows found by name or rank, a figure could be of those rows only.
  const isFigure = second.shape === "figures" && second.groups.length === 0;
  const isFound = first.shape === "rows" || (first.shape === "figures" && first.groups.length > 0);
  if (isFigure && (isFound || (second.filters.length === 0 && first.filters.length > 0))) return false;
  const [times, others] = [first, second].map((meaning) => meaning.filters.some(isTime));
  if (times !== others) return false;
  return first.filters.every((filter) => isTime(filter) || isSaidOf(filter, second, schema));
}

/** Two figures of the same rows, if the second question does not restrict the rows itself. */
export function together(first: Meaning, second: Meaning): Meaning | null {
  if (first.shape !== "figures" || second.shape !== "figures" || first.base.name !== second.base.name)
    return null;
  const isPlain = [first, second].every(({ groups, having }) => groups.length === 0 && having === null);
  const areOfColumns = second.figures.every(({ expr }) => expr !== null);
  if (!isPlain || !areOfColumns || first.filters.length === 0 || second.filters.length > 0) return null;
  return { ...first, figures: [...first.figures, ...second.figures] };
}

function isTime({ t }: Filter): boolean {
  return t === "time" || t === "weekday";
}

function isSaidOf(filter: Filter, { base, filters }: Meaning, schema: Schema): boolean {
  const col = columnOf(filter);
  if (col === null) return false;
  if (filters.some((other) => columnOf(other) === col)) return true;
  const isReached = pathsBetween(schema, base.name, col.table).length > 0;
  return !isReached && pathsBetween(schema, col.table, base.name).length === 0;
}

function columnOf(filter: Filter) {
  return "ref" in filter ? filter.ref.col : null;
}
