/**
 * A goal over tables, read as a whole: its words are cut into chunks in every way, each way is composed to typed meanings,
 * and the goal is answered only if exactly one meaning accounts for all of its words.
 */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { countsRowsForPieces } from "./deeds.ts";
import { frameOf } from "./frame.ts";
import { type Meaning, Unreadable } from "./meaning.ts";
import { describeMeaning } from "./names.ts";
import { outsideData } from "./outside-data.ts";
import { waysOf } from "../words/chunks.ts";
import { sqlOfMeaning } from "./reader-sql.ts";
import type { Sql } from "./scope.ts";
import { schemaOf } from "./schema.ts";
import { type Reading, readingsOf } from "./shapes.ts";
import { TOKENS_MAX, tokensOf } from "../words/tokens.ts";

export type ReadGoal =
  | {
      readonly kind: "query";
      readonly source: string;
      readonly sql: Sql;
      readonly description: string;
      readonly meaning: Meaning;
    }
  /** Several meanings of equal right. */
  | { readonly kind: "ambiguous"; readonly descriptions: readonly string[] }
  /** What it means is clear, and the data has nothing of that time. */
  | { readonly kind: "outside"; readonly reason: string }
  | { readonly kind: "unread"; readonly unknown: readonly string[]; readonly reasons: readonly string[] };

/** Meanings this much dearer than the best one are not what someone meant. */
const MARGIN = 0.35;

export function readGoal(goal: string, data: readonly DataSource[]): ReadGoal {
  const tokens = tokensOf(goal);
  if (
    tokens.length === 0 ||
    tokens.length > TOKENS_MAX ||
    tokens.slice(1).some(({ before }) => /[.?!;:\n]/.test(before))
  )
    return { kind: "unread", unknown: [], reasons: [] };
  // `… and is it insured?` is no condition.
  if (/\band (?:is|are|was|were|did|does|do|has|have|had) (?:it|they|he|she|that|those)\b/i.test(goal))
    return { kind: "unread", unknown: [], reasons: ["a second question"] };
  // `… and for which tool?` is a separate question.
  if (
    /\band\s+(?:(?:in|on|at|from|to|of|for|by|with)\s+)?(?:which|who|whom|whose|what|when|where|how)\b/i.test(
      goal,
    )
  )
    return { kind: "unread", unknown: [], reasons: ["a second question"] };
  // `who has been here the longest`: since when, and by no duration in the rows.
  if (/\bbeen\b.*\b(?:longest|shortest)\b/i.test(goal))
    return { kind: "unread", unknown: [], reasons: ["how long it has been"] };
  const isQuestion = /^(?:did|do|does|is|are|was|were|has|have|had)\b/i.test(goal.trim());
  // Whether all of them are is no question of whether some are.
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
