/** Stretches of a goal and what each can mean: words of the language, and words of the tables at hand. */
import type { DeedKind } from "./deed-words.ts";
import { sensesAt } from "./lexicon.ts";
import type { Aggregate, Bucket, Sign } from "../reader/meaning.ts";
import type { Col, Schema, Tab } from "../reader/schema.ts";
import type { TimeSense } from "../reader/times.ts";
import type { Token } from "./tokens.ts";

/** Of more ways no more are looked at; a goal has a few dozen. */
const WAYS_MAX = 1_000;

export type Ask =
  | "how many"
  | "how much"
  | "how long"
  | "how often"
  | "which"
  | "what"
  | "who"
  | "when"
  | "where"
  | "whether"
  | "list";

export type Negation = "not" | "no" | "without" | "except";

export type Sense =
  /** Grammar: has no meaning alone. A preposition may say which of two keys is meant. */
  | { readonly k: "skip" }
  | { readonly k: "ask"; readonly ask: Ask }
  | { readonly k: "agg"; readonly agg: Aggregate }
  /** `most` has no kind; `heaviest` is of weights; `latest` of dates. */
  | {
      readonly k: "sup";
      readonly dir: "most" | "least";
      readonly kinds: readonly string[] | null;
      readonly isDate: boolean;
      readonly often: boolean;
    }
  | { readonly k: "num"; readonly value: number }
  | { readonly k: "cmp"; readonly sign: Sign; readonly kinds: readonly string[] | null }
  /** Behind its number: `or more`. */
  | { readonly k: "trail"; readonly sign: Sign }
  | { readonly k: "between" }
  | { readonly k: "unit"; readonly unit: string }
  | { readonly k: "ent"; readonly tab: Tab }
  | { readonly k: "col"; readonly col: Col }
  | { readonly k: "val"; readonly col: Col; readonly value: string }
  | { readonly k: "bool"; readonly col: Col; readonly yes: boolean }
  | { readonly k: "time"; readonly time: TimeSense }
  | { readonly k: "this"; readonly unit: "year" }
  | { readonly k: "weekday"; readonly days: readonly number[] }
  | { readonly k: "neg"; readonly neg: Negation }
  | { readonly k: "each" }
  | { readonly k: "by" }
  | { readonly k: "bucket"; readonly bucket: Bucket }
  | { readonly k: "share" }
  | { readonly k: "different" }
  /** What is done in the rows of a table: `sold` of sales. */
  | { readonly k: "verb"; readonly tab: Tab }
  /** A verb that says no more than that a figure is of what is named: `carried`. */
  | { readonly k: "deed"; readonly kinds: ReadonlySet<DeedKind> }
  /** What the rows of a table are amounts of: `honey` of a table with a `honey_type`. */
  | { readonly k: "stuff"; readonly tab: Tab }
  /** `called`: in front of a name. */
  | { readonly k: "naming" }
  /** `a single sailing`: each row for itself; behind a denial any. */
  | { readonly k: "single" }
  | { readonly k: "than" }
  /** `how much lower`, `compared with`: two sides. */
  | { readonly k: "more"; readonly kinds: readonly string[] | null }
  | { readonly k: "versus" }
  | { readonly k: "difference" }
  | { readonly k: "money" }
  | { readonly k: "and" }
  | { readonly k: "or" }
  | { readonly k: "due"; readonly sign: Sign }
  /** Of two dates of a row: what happened on one day. */
  | { readonly k: "sameday" }
  /** Says that a state continues; that state has to be said. */
  | { readonly k: "still" }
  | { readonly k: "total" }
  | { readonly k: "addup" }
  /** `anything`, `ever`: in a question for yes or no, or behind a denial. */
  | { readonly k: "any" }
  /** `paid`, `brought in`: of figures of money. */
  | { readonly k: "pays" }
  /** `is shown`, `is kept`: of places. */
  | { readonly k: "lies" }
  /** How long something took: from one date of a row to the other. */
  | { readonly k: "duration" }
  /** `and by how much`. */
  | { readonly k: "byhowmuch" }
  | { readonly k: "onaverage" }
  | { readonly k: "missing" };

export type Chunk = Sense & {
  readonly from: number;
  readonly end: number;
  /** How far the words are from what they are taken for; 0 for the thing's own name. */
  readonly cost: number;
  readonly text: string;
  /** A comma is in front of it. */
  readonly isListed: boolean;
};

export type Words = { readonly tokens: readonly Token[]; readonly schema: Schema; readonly source: string };

/** The ways to cut a goal into chunks, each word in exactly one of them. */
type Ways = {
  readonly ways: readonly (readonly Chunk[])[];
  /** Words without any sense. */
  readonly unknown: readonly string[];
};

export function waysOf(words: Words): Ways {
  const { tokens } = words;
  const senses = tokens.map((_, at) => pruned(sensesAt(words, at)));
  const reachable = new Set<number>([0]);
  for (const at of tokens.keys())
    if (reachable.has(at)) for (const { end } of senses[at] ?? []) reachable.add(end);
  const covered = new Set<number>();
  for (const own of senses)
    for (const { from, end } of own) for (let at = from; at < end; at++) covered.add(at);
  const unknown = tokens.filter((_, at) => !covered.has(at)).map(({ text }) => text);
  if (unknown.length > 0 || !reachable.has(tokens.length)) return { ways: [], unknown };
  if (countOf(senses) > WAYS_MAX) return { ways: [], unknown };
  const ways: Chunk[][] = [];
  const walk = (at: number, taken: readonly Chunk[]): void => {
    if (at === tokens.length) {
      ways.push([...taken]);
      return;
    }
    for (const chunk of senses[at] ?? []) walk(chunk.end, [...taken, chunk]);
  };
  walk(0, []);
  return { ways, unknown };
}

/** How many ways there are, from the end to the front. */
function countOf(senses: readonly (readonly Chunk[])[]): number {
  const counts = Array.from({ length: senses.length + 1 }, () => 0);
  counts[senses.length] = 1;
  for (const at of [...senses.keys()].toReversed())
    counts[at] = (senses[at] ?? []).reduce((sum, { end }) => sum + (counts[end] ?? 0), 0);
  return counts[0] ?? 0;
}

/** Where a longer stretch has its own meaning, its first word alone has none. */
function pruned(chunks: readonly Chunk[]): readonly Chunk[] {
  const longest = Math.max(0, ...chunks.map(({ end }) => end));
  const whole = chunks.filter(({ end, cost }) => end === longest && cost < 0.8);
  const isPhrase = whole.some((chunk) => chunk.end - chunk.from > 1 && chunk.k !== "skip");
  // `name the hives` asks, and is no `hive_name`.
  const asks = chunks.filter(({ k, from }) => k === "ask" && from === 0);
  const kept = settled(isPhrase ? [...new Set([...whole, ...asks])] : chunks);
  const best = kept.filter(
    ({ k, cost }) => cost < 0.8 || !kept.some((other) => other.k === k && other.cost < 0.3),
  );
  return best.filter((chunk, index) => best.findIndex((other) => keyOf(chunk) === keyOf(other)) === index);
}

/** What a word names goes before what it may be beside it: rows before the column that refers to them, a value before a deed. */
function settled(chunks: readonly Chunk[]): readonly Chunk[] {
  const ents = chunks.flatMap((chunk) => (chunk.k === "ent" && chunk.cost < 0.3 ? [chunk] : []));
  const isValue = (end: number) =>
    chunks.some((chunk) => chunk.k === "val" && chunk.cost === 0 && chunk.end === end);
  const isTime = (end: number) => chunks.some((chunk) => chunk.k === "time" && chunk.end === end);
  const isNamedDay = (end: number) =>
    chunks.some(
      (chunk) =>
        chunk.k === "val" && chunk.cost === 0 && chunk.end === end && chunk.col.words.includes("weekday"),
    );
  return chunks
    .filter((chunk) => {
      if (chunk.k === "val") return !isTime(chunk.end);
      if (chunk.k === "weekday") return !isNamedDay(chunk.end);
      if (chunk.k === "verb") return !isValue(chunk.end);
      if (chunk.k === "ent" && chunk.cost >= 0.5)
        return !chunks.some((other) => other.k === "col" && other.cost === 0 && other.end === chunk.end);
      if (chunk.k !== "col") return true;
      const { col } = chunk;
      const own = ents.filter(({ end }) => end === chunk.end);
      return !own.some(({ tab }) => tab.labels.includes(col) || tab.refs.includes(col));
    })
    .map((chunk) =>
      chunk.k === "col" && chunk.col.kind === "date" && isValue(chunk.end)
        ? { ...chunk, cost: chunk.cost + 0.5 }
        : chunk,
    );
}

function keyOf(chunk: Chunk): string {
  const named =
    "col" in chunk ? `${chunk.col.table}.${chunk.col.name}` : "tab" in chunk ? chunk.tab.name : "";
  const rest = Object.entries(chunk).filter(([name]) => name !== "col" && name !== "tab" && name !== "cost");
  return `${named} ${JSON.stringify(rest)}`;
}
