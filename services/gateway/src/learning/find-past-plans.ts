/**
 * Finds past plans that a planner can learn from: the most similar goals of the same tenant whose plans have ended.
 *
 * The full-text index finds goals that share words with this one, those that share many first; the best of them are chosen by
 * similarity. Every index lookup is limited, newest plans first.
 */
import { Lesson, PAST_GOAL_CHARS, PAST_PLANS_MAX, PastPlan } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { similarities, wordsOf } from "./similarity.ts";

/** Below this similarity, goals have too little in common to be relevant to each other. */
const SIMILARITY_MIN = 0.5;
/** The maximum size of all results, in characters of JSON: about 500 tokens. */
const CHARS_MAX = 2_000;
/** The maximum number of goals to compare, and of words to search for. */
const CANDIDATES_MAX = 200;
const WORDS_MAX = 16;
/** How many of the words a goal has to share: each tier in turn until enough goals are found. */
const TIERS = [8, 4, 2] as const;

const Row = z.object({
  sequence: z.int(),
  planId: PastPlan.shape.planId,
  goal: z.string(),
  lesson: z.string().transform((text) => Lesson.parse(JSON.parse(text))),
  outcome: PastPlan.shape.outcome,
  replans: z.int(),
  edits: z.int(),
  rating: PastPlan.shape.rating.unwrap().nullable(),
});
type Row = z.output<typeof Row>;

/** The most similar one first, without duplicates. */
export function findPastPlans(
  database: DatabaseSync,
  { tenant, goal }: { readonly tenant: string; readonly goal: string },
): PastPlan[] {
  const words = wordsOf(goal);
  const rows = candidates(database, { tenant, words });
  const similarity = similarities(
    words,
    rows.map((row) => wordsOf(row.goal)),
  );
  const ranked = rows
    .map((row, index) => ({ row, similarity: similarity[index] ?? 0 }))
    .filter((found) => found.similarity >= SIMILARITY_MIN)
    .toSorted((left, right) => right.similarity - left.similarity || right.row.sequence - left.row.sequence);
  const shown: PastPlan[] = [];
  const said = new Set<string>();
  let chars = 0;
  for (const { row } of ranked) {
    const past = pastPlanOf(row);
    const { planId: _planId, goal: _goal, ...told } = past;
    const length = JSON.stringify(past).length;
    if (said.has(JSON.stringify(told)) || chars + length > CHARS_MAX) continue;
    said.add(JSON.stringify(told));
    chars += length;
    shown.push(past);
    if (shown.length === PAST_PLANS_MAX) break;
  }
  return shown;
}

function candidates(
  database: DatabaseSync,
  { tenant, words }: { readonly tenant: string; readonly words: ReadonlySet<string> },
): Row[] {
  // Long words are rarer than short ones.
  const chosen = [...words].toSorted((left, right) => right.length - left.length).slice(0, WORDS_MAX);
  if (chosen.length === 0) return [];
  const statement = database.prepare(`
    SELECT plans.sequence, plans.id AS planId, plans.goal, plans.lesson, plans.outcome, f.replans,
      f.planEdits + f.argumentEdits AS edits, f.rating
    FROM plan_words CROSS JOIN plans ON plans.sequence = plan_words.rowid
      JOIN plan_figures AS f ON f.tenant = plans.tenant AND f.endedMs = plans.ended_ms AND f.sequence = plans.sequence
    WHERE plan_words MATCH :match AND plans.tenant = :tenant AND plans.lesson IS NOT NULL
    ORDER BY plan_words.rowid DESC LIMIT :limit`);
  const found = new Map<number, Row>();
  const look = (query: string): void => {
    const match = `owner : "${tenant}" AND goal : (${query})`;
    const limit = CANDIDATES_MAX - found.size;
    for (const row of statement.all({ match, tenant, limit })) {
      const parsed = Row.parse(row);
      found.set(parsed.sequence, parsed);
    }
  };
  const quoted = chosen.map((word) => `"${word}"`);
  for (const count of TIERS) {
    if (count < quoted.length && found.size < CANDIDATES_MAX) look(quoted.slice(0, count).join(" AND "));
  }
  if (found.size < CANDIDATES_MAX) look(quoted.join(" OR "));
  return [...found.values()];
}

function pastPlanOf({ planId, goal, outcome, lesson, replans, edits, rating }: Row): PastPlan {
  const fixed = { planId, goal: goal.slice(0, PAST_GOAL_CHARS), outcome, ...lesson, replans, edits };
  return rating === null ? fixed : { ...fixed, rating };
}
