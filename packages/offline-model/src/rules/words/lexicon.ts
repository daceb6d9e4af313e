/** The meanings of a goal's words: those of the language, and those from the current tables. */
import { stem } from "../text/words.ts";
import type { Chunk, Sense, Words } from "./senses.ts";
import { deedAt } from "./deed-words.ts";
import { areSynonyms, generalAt, isLight, isMoneyWord, isSkipped, isTrade } from "./general-words.ts";
import type { Col, Tab } from "../reader/schema.ts";
import { timesAt } from "../reader/times.ts";
import { valueSenses } from "./value-senses.ts";
import { rootOf, rootsOf, type Token } from "./tokens.ts";

/** Words between those of a column's name: `receipt has been sent`. */
const GAP_MAX = 2;

export type Found = { readonly sense: Sense; readonly end: number; readonly cost: number };

/** All possible meanings of the words from a token on. */
export function sensesAt(words: Words, at: number): readonly Chunk[] {
  const { tokens, schema } = words;
  const token = tokens[at];
  // `the second highest` is not a value with that name.
  const isNth =
    /^(?:second|third|fourth|fifth)$/i.test(token?.lower ?? "") &&
    generalAt(tokens, at + 1).some(({ sense }) => sense.k === "sup");
  if (token === undefined || isNth) return [];
  const found: Found[] = [
    ...generalAt(tokens, at).map(({ sense, end }) => ({ sense, end, cost: 0 })),
    ...timesAt(tokens, at).map((time): Found => ({ sense: { k: "time", time }, end: time.end, cost: 0 })),
    ...schema.tables.flatMap((tab) => tableSenses(tab, tokens, at)),
  ];
  // `which` asks, unless it follows something that it continues about.
  const isAsking = /^(?:which|who|that)$/.test(token.lower) && tokens.slice(0, at).every(isSkipped);
  if (isSkipped(token) && !isAsking) found.push({ sense: { k: "skip" }, end: at + 1, cost: 0 });
  if (isLight(token) && at > 0) found.push({ sense: { k: "skip" }, end: at + 1, cost: 0.4 });
  for (const tab of schema.tables)
    if (isStuff(token, tab)) found.push({ sense: { k: "stuff", tab }, end: at + 1, cost: 0.1 });
  const isVerb = tokens.slice(0, at).some(({ lower }) => /^(?:did|do|does)$/.test(lower));
  const isFree = found.every(({ sense: { k } }) => k === "skip" || k === "pays" || (isVerb && k === "col"));
  const deed = isFree ? deedAt(tokens, at) : null;
  if (deed !== null) found.push({ sense: { k: "deed", kinds: deed.kinds }, end: deed.end, cost: 0.1 });
  if (found.length === 0 && isSourceName(token, words))
    found.push({ sense: { k: "skip" }, end: at + 1, cost: 0.3 });
  return found.map(({ sense, end, cost }) => ({
    ...sense,
    from: at,
    end,
    cost,
    isListed: token.before.includes(","),
    text: tokens
      .slice(at, end)
      .map(({ text }) => text)
      .join(" "),
  }));
}

/** `honey` if the rows have a `honey_type`. */
function isStuff({ root }: Token, { cols }: Tab): boolean {
  return cols.some(
    ({ name, kind, words }) =>
      kind === "text" &&
      /[ _](?:type|kind|sort|variety)$/i.test(name) &&
      words.length === 2 &&
      words[0] === root,
  );
}

/** `the museum`, if that is the name of the tables' source. */
function isSourceName(token: Token, { source }: Words): boolean {
  return token.lower.length > 3 && rootsOf(source).includes(token.root);
}

function tableSenses(tab: Tab, tokens: readonly Token[], at: number): readonly Found[] {
  // The cost of something can be its `parts_cost` or its `total_charge`.
  const isOpen = /^costs?$/.test(tokens[at]?.lower ?? "") && tab.cols.filter(isSum).length > 1;
  const cols = isOpen ? tab.cols.filter((col) => !isSum(col) || col.words.length === 1) : tab.cols;
  return [...entitySenses(tab, tokens, at), ...cols.flatMap((col) => columnSenses(col, tokens, at))];
}

function isSum({ kind, isMoney }: Col): boolean {
  return kind === "number" && isMoney;
}

function entitySenses(tab: Tab, tokens: readonly Token[], at: number): readonly Found[] {
  const found: Found[] = [];
  for (const noun of tab.nouns) {
    const here = tokens.slice(at, at + noun.length);
    if (here.length < noun.length) continue;
    const isSaid = noun.every((word, index) => here[index]?.root === word);
    const surface = stem(here.at(-1)?.lower ?? "");
    const names = [tab.name, ...tab.cols.map(({ name }) => name)]
      .flatMap((name) => name.split(/[_\s]+/))
      .map((name) => stem(name.toLowerCase()));
    // `sell` and `sold` are the verbs of sales, not nouns.
    const isNoun = names.includes(surface);
    const isWhole = noun === tab.nouns[0];
    if (isSaid && isNoun)
      found.push({ sense: { k: "ent", tab }, end: at + noun.length, cost: isWhole ? 0 : 0.1 });
    else if (isSaid && noun.length === 1) found.push({ sense: { k: "verb", tab }, end: at + 1, cost: 0 });
    else if (noun.length === 1 && here.length === 1 && isOtherNoun(here[0]?.root ?? "", noun[0] ?? ""))
      found.push({ sense: { k: "ent", tab }, end: at + 1, cost: 0.6 });
  }
  const token = tokens[at];
  const root = token?.root ?? "";
  if (found.length === 0 && isGeneric(root, tab) && !/(?:ed|ing)$/.test(token?.lower ?? ""))
    found.push({ sense: { k: "ent", tab }, end: at + 1, cost: 0.5 });
  const isDone = tab.nouns.some(
    ([noun = "", ...more]) => more.length === 0 && noun.length > 5 && noun.replace(/(?:er|or)$/, "") === root,
  );
  if (isDone) found.push({ sense: { k: "verb", tab }, end: at + 1, cost: 0 });
  const isTraded =
    isTrade(root) && tab.nouns.some((noun) => noun.some((word) => isTrade(word) || word === "rent"));
  if (isTraded && !found.some(({ sense }) => sense.k === "ent"))
    found.push({ sense: { k: "verb", tab }, end: at + 1, cost: 0.2 });
  return found;
}

/** Whether this is another name for the rows. */
function isOtherNoun(said: string, noun: string): boolean {
  return !isMoneyWord(said) && areSynonyms(said, noun);
}

/** `objects`, `people`: names for any rows. */
function isGeneric(root: string, tab: Tab): boolean {
  return tab.isPersons ? root === "person" : tab.labels.length > 0 && GENERIC.has(root);
}

const GENERIC = new Set(rootsOf("object item thing entry record"));
/** When rows began: `tickets that came in`. */
const BEGUN = new Set(rootsOf("opened received arrived created reported registered submitted"));

function columnSenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  const token = tokens[at];
  if (token === undefined) return [];
  if (col.kind === "bool") return boolSenses(col, tokens, at);
  const isCome = /^(?:came|come)$/.test(token.lower) && tokens[at + 1]?.lower === "in";
  if (isCome && col.kind === "date" && col.words.some((word) => BEGUN.has(word)))
    return [{ sense: { k: "col", col }, end: at + 2, cost: 0.2 }];
  return [...nameSenses(col, tokens, at), ...valueSenses(col, tokens, at)];
}

/** The words of a column's name, in any order, with function words among them. */
function spelled(
  words: readonly string[],
  tokens: readonly Token[],
  at: number,
): { end: number; negated: number } | null {
  const left = new Set(words);
  let end = at;
  let gap = 0;
  let negated = 0;
  for (let index = at; index < tokens.length && left.size > 0; index++) {
    const token = tokens[index];
    if (token === undefined || (index > at && /[,;:.?!]/.test(token.before))) return null;
    const own = [...left].find((word) => word === token.root || word === unprefixed(token.lower));
    if (own !== undefined) {
      if (own !== token.root) negated += 1;
      left.delete(own);
      end = index + 1;
      gap = 0;
      continue;
    }
    if (index === at) return null;
    const isNot = /^(?:not|no|never)$/.test(token.lower);
    if (isNot) negated += 1;
    else if (!isSkipped(token) && token.lower !== "per") return null;
    gap += 1;
    if (gap > GAP_MAX) return null;
  }
  return left.size > 0 ? null : { end, negated };
}

/** `unpaid`, `uninsured`: the root of the negated word. */
function unprefixed(lower: string): string | null {
  const match = /^(?:un|non)(\p{L}{4,})$/u.exec(lower);
  return match === null ? null : rootOf(match[1] ?? "");
}

function boolSenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  const whole = spelled(col.words, tokens, at);
  if (whole !== null)
    return [
      {
        sense: { k: "bool", col, yes: whole.negated % 2 === 0 },
        end: filled(col, tokens, whole.end),
        cost: 0,
      },
    ];
  // `vaccinated` of `flu_vaccinated`.
  const last = col.words.at(-1) ?? "";
  const token = tokens[at];
  if (token === undefined || col.words.length < 2 || token.root !== last) return [];
  return [{ sense: { k: "bool", col, yes: true }, end: at + 1, cost: 1 }];
}

/** `the first time` of `first_brewed`, `weekly hours` of `weekly_hours`. */
function filled(col: Col, tokens: readonly Token[], end: number): number {
  if (col.unit !== null && tokens[end]?.root === col.unit) return end + 1;
  return col.kind === "date" && /^(?:time|date)$/.test(tokens[end]?.lower ?? "") ? end + 1 : end;
}

function nameSenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  const token = tokens[at];
  if (token === undefined) return [];
  const sense: Sense = { k: "col", col };
  // `made by Edith Marlow` does not name the column `year_made`.
  const isVerb = /(?:ed|en|de|ld|nt|ght)$/.test(token.lower) && tokens[at + 1]?.lower === "by";
  if (isVerb && (col.kind === "number" || col.kind === "year")) return [];
  const whole = spelled(col.words, tokens, at);
  if (whole !== null && whole.negated === 0) {
    return [{ sense, end: filled(col, tokens, whole.end), cost: 0 }];
  }
  // `fee` of `fee_per_lesson`, `value` of `insured_value`: half of a name can belong to another column too.
  if (col.words.length > 1 && col.words.includes(token.root) && !isSkipped(token))
    return [
      {
        sense,
        end: at + 1,
        cost: col.words.at(-1) === token.root || col.words[0] === token.root ? 0.8 : 1.2,
      },
    ];
  // `taken_on` has nothing to do with takings.
  const [word = ""] = col.words;
  const isOther = isMoneyWord(word) && col.kind !== "number";
  if (col.words.length === 1 && !isOther && areSynonyms(token.root, word))
    return [{ sense, end: at + 1, cost: 0.8 }];
  return [];
}
