/**
 * A goal of several questions over tables: an independent one, follow-ups on its answer, and questions beside it. Each part
 * is accounted for word by word, like a goal of one question; if any is not, none is read.
 */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { contrasted, continued, isBeside, together } from "./beside.ts";
import { followedUp } from "./follow-up.ts";
import { type Meaning, Unreadable } from "./meaning.ts";
import { describeMeaning } from "./names.ts";
import { sqlOfMeaning } from "./reader-sql.ts";
import { schemaOf } from "./schema.ts";
import { tokensOf, TOKENS_MAX } from "../words/tokens.ts";
import { countsRowsForPieces } from "./deeds.ts";
import { frameOf } from "./frame.ts";
import { outsideData } from "./outside-data.ts";
import { waysOf } from "../words/chunks.ts";
import type { Sql } from "./scope.ts";
import { type Reading, readingsOf } from "./shapes.ts";

export type Query = Extract<ReadGoal, { kind: "query" }>;
type ReadQuestions =
  | { readonly kind: "queries"; readonly queries: readonly Query[] }
  | Exclude<ReadGoal, { kind: "query" }>;

/** A goal with more questions is not read. */
const QUESTIONS_MAX = 4;
/** Maximum number of places in a sentence where a question can end; a goal has two or three. */
const CUTS_MAX = 8;

export function readQuestions(goal: string, data: readonly DataSource[]): ReadQuestions {
  const whole = readGoal(goal, data);
  if (whole.kind === "query") return { kind: "queries", queries: [whole] };
  const queries = new Reader(data).read(goal.trim(), 0);
  return queries === null ? whole : { kind: "queries", queries };
}

class Reader {
  readonly #data: readonly DataSource[];
  readonly #known = new Map<string, ReadGoal>();

  constructor(data: readonly DataSource[]) {
    this.#data = data;
  }

  /** Null when some part of the text is not understood or is ambiguous. */
  read(text: string, depth: number): readonly Query[] | null {
    const single = this.#single(text);
    if (single !== null) return [single];
    if (depth >= QUESTIONS_MAX) return null;
    const found = new Map<string, readonly Query[]>();
    const add = (queries: readonly Query[] | null) => {
      if (queries !== null) found.set(JSON.stringify(queries.map(({ sql }) => sql)), queries);
    };
    for (const parts of contrasted(text)) add(this.#each(parts));
    for (const { lead, tail, isSentence } of cutsOf(text)) {
      const first = this.read(lead, depth + 1);
      const [main] = first ?? [];
      if (first === null || main === undefined) continue;
      add(this.#with({ first, main, lead, tail, isSentence }));
    }
    const [only, ...others] = found.values();
    return only === undefined || others.length > 0 ? null : only;
  }

  #with({ first, main, lead, tail, isSentence }: Cut & { first: readonly Query[]; main: Query }) {
    const followed = this.#followed(main, lead, tail);
    if (followed !== null) return [...followed, ...first.slice(1)];
    const again = continued(lead, tail, this.#schema(main));
    if (again !== null) {
      const second = this.#single(again);
      if (second === null) return null;
      return second.meaning.shape === main.meaning.shape ? [...first, second] : null;
    }
    const second = this.#single(tail);
    if (second === null || (!isSentence && !ASKS.test(tail)) || POINTS.test(tail)) return null;
    if (second.source !== main.source) return null;
    const both = OF_ALL.test(tail) ? null : together(main.meaning, second.meaning);
    if (both !== null) return first.length > 1 ? null : this.#answered(main.source, [both]);
    return isBeside(main.meaning, second.meaning, this.#schema(main)) ? [...first, second] : null;
  }

  #followed(main: Query, lead: string, tail: string): readonly Query[] | null {
    const { meaning, source } = main;
    const found = followedUp(meaning, { lead: tokensOf(lead), tail, schema: this.#schema(main), source });
    return found === null ? null : this.#answered(source, found);
  }

  /** Null when no single statement returns all of it. */
  #answered(source: string, meanings: readonly Meaning[]): readonly Query[] | null {
    try {
      return meanings.map((meaning) => this.#queryOf(source, meaning));
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  #queryOf(source: string, meaning: Meaning): Query {
    const schema = schemaOf(this.#sourceOf(source));
    return {
      kind: "query",
      source,
      sql: sqlOfMeaning(meaning, schema),
      description: describeMeaning(meaning),
      meaning,
    };
  }

  #each(texts: readonly string[]): readonly Query[] | null {
    const queries = texts.flatMap((text) => this.#single(text) ?? []);
    return queries.length === texts.length ? queries : null;
  }

  #single(text: string): Query | null {
    const known = this.#known.get(text) ?? readGoal(text, this.#data);
    this.#known.set(text, known);
    return known.kind === "query" ? known : null;
  }

  #schema({ source }: Query) {
    return schemaOf(this.#sourceOf(source));
  }

  #sourceOf(source: string): DataSource {
    const found = this.#data.find((one) => one.source === source);
    if (found === undefined) throw new Unreadable(source);
    return found;
  }
}

const ASKS = /^(?:how (?:many|much)|which|what|who|when|where)\b/i;
/** Words that refer to something said before. */
const POINTS =
  /\b(?:it|its|they|their|theirs|them|that|those|these|this|he|she|his|her|him|one|ones|same|others?|else|rest|respectively|former|latter|such|there(?! (?:is|are|was|were)))\b/i;

/** Words that refer to more than the previous question asked about. */
const OF_ALL = /\b(?:all|altogether|overall|in total|together|every|any)\b/i;

type Cut = { readonly lead: string; readonly tail: string; readonly isSentence: boolean };

const SENTENCE_END = /(?<=[?!.])\s+(?=\p{Lu})/u;
const JOINT = /\s*,?\s+and\s+(?:also\s+)?|\s*[,;]\s+|\s+[–—-]\s+|:\s+|\s+(?=(?:with|including)\s)/giu;

/** Splits off the last sentence; else where a sentence may consist of two questions. */
function cutsOf(text: string): readonly Cut[] {
  const sentences = text.split(SENTENCE_END);
  if (sentences.length > 1) {
    const tail = sentences.at(-1) ?? "";
    return [{ lead: text.slice(0, text.length - tail.length).trim(), tail, isSentence: true }];
  }
  return [...text.matchAll(JOINT)].slice(-CUTS_MAX).map((match) => ({
    lead: text.slice(0, match.index),
    tail: text.slice(match.index + match[0].length),
    isSentence: false,
  }));
}

/**
 * A goal over tables, read as a whole: its words are cut into chunks in every possible way, each way is composed to typed
 * meanings, and the goal is answered only if exactly one meaning accounts for all of its words.
 */
export type ReadGoal =
  | {
      readonly kind: "query";
      readonly source: string;
      readonly sql: Sql;
      readonly description: string;
      readonly meaning: Meaning;
    }
  /** Several equally plausible meanings. */
  | { readonly kind: "ambiguous"; readonly descriptions: readonly string[] }
  /** The meaning is clear, but the data does not cover that time. */
  | { readonly kind: "outside"; readonly reason: string }
  | { readonly kind: "unread"; readonly unknown: readonly string[]; readonly reasons: readonly string[] };

/** Meanings that cost this much more than the best one are implausible. */
const MARGIN = 0.35;

export function readGoal(goal: string, data: readonly DataSource[]): ReadGoal {
  const tokens = tokensOf(goal);
  if (
    tokens.length === 0 ||
    tokens.length > TOKENS_MAX ||
    tokens.slice(1).some(({ before }) => /[.?!;:\n]/.test(before))
  )
    return { kind: "unread", unknown: [], reasons: [] };
  // `… and is it insured?` is not a condition.
  if (/\band (?:is|are|was|were|did|does|do|has|have|had) (?:it|they|he|she|that|those)\b/i.test(goal))
    return { kind: "unread", unknown: [], reasons: ["a second question"] };
  // `… and for which tool?` is a separate question.
  if (
    /\band\s+(?:(?:in|on|at|from|to|of|for|by|with)\s+)?(?:which|who|whom|whose|what|when|where|how)\b/i.test(
      goal,
    )
  )
    return { kind: "unread", unknown: [], reasons: ["a second question"] };
  // `who has been here the longest`: by the start date, not by a duration in the rows.
  if (/\bbeen\b.*\b(?:longest|shortest)\b/i.test(goal))
    return { kind: "unread", unknown: [], reasons: ["how long it has been"] };
  const isQuestion = /^(?:did|do|does|is|are|was|were|has|have|had)\b/i.test(goal.trim());
  // Whether all are is a different question from whether some are.
  if (isQuestion && /(?<!\bat )\b(?:all|both|each|every|only)\b/i.test(goal))
    return { kind: "unread", unknown: [], reasons: ["whether all are meant"] };
  const found: (Reading & { source: string; sql: Sql })[] = [];
  const reasons = new Set<string>();
  let unknown: readonly string[] | null = null;
  for (const source of data) {
    const schema = schemaOf(source);
    const cut = waysOf({ tokens, schema, source: source.source });
    if (unknown === null || cut.unknown.length < unknown.length) unknown = cut.unknown;
    for (const way of cut.ways) {
      try {
        const frame = frameOf(way, schema);
        const { readings, reasons: why } = readingsOf(frame, schema, isQuestion);
        for (const reason of why) reasons.add(reason);
        for (const reading of readings)
          found.push({ ...reading, source: source.source, sql: sqlOfMeaning(reading.meaning, schema) });
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        reasons.add(error.message);
      }
    }
  }
  const best = Math.min(...found.map(({ cost }) => cost));
  const near = found.filter(({ cost }) => cost <= best + MARGIN);
  const different = [
    ...new Map(near.toSorted((a, b) => b.cost - a.cost).map((one) => [keyOf(one), one])).values(),
  ];
  const [only, ...others] = different;
  if (only === undefined) return { kind: "unread", unknown: unknown ?? [], reasons: [...reasons] };
  if (others.length > 0)
    return { kind: "ambiguous", descriptions: different.map(({ meaning }) => describeMeaning(meaning)) };
  if (countsRowsForPieces(goal, only.meaning))
    return { kind: "unread", unknown: [], reasons: ["whether rows or pieces are counted"] };
  const reason = outsideData(only.meaning);
  if (reason !== null) return { kind: "outside", reason };
  return {
    kind: "query",
    source: only.source,
    sql: only.sql,
    description: describeMeaning(only.meaning),
    meaning: only.meaning,
  };
}

function keyOf({ source, sql }: { source: string; sql: Sql }): string {
  return JSON.stringify([source, sql.text, sql.params]);
}
