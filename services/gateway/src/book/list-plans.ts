/** Lists and searches plans in the projection, newest first, a page at a time. */
import { type PlanPage, PlanSummary } from "@planwright/api";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { Problem } from "../http/problem.ts";
import { conditionOf, type TenantFilter } from "./plan-filter.ts";

export type PlanQuery = TenantFilter & { readonly limit: number; readonly cursor?: string | undefined };

const WORDS_MAX = 20;
/** Up to so many plans of a tenant and status are cheaper to hold against the matches of a search than to look up. */
const FEW_PLANS = 5_000;

/** @throws {Problem} `invalid_request` for a cursor that no page has given out. */
export function listPlans(database: DatabaseSync, query: PlanQuery): PlanPage {
  const selection = selectionOf(database, query, { select: "plans.*", before: readCursor(query.cursor) });
  if (selection === undefined) return { plans: [] };
  const rows = database.prepare(selection.sql).all({ ...selection.values, limit: query.limit + 1 });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const page = { plans: shown.map(summaryOf) };
  if (rows.length <= query.limit || last === undefined) return page;
  return { ...page, nextCursor: Buffer.from(String(last["sequence"])).toString("base64url") };
}

/** How many plans there are in each status, without sub-plans. */
export function countPlans(database: DatabaseSync): Map<string, number> {
  const rows = database
    .prepare("SELECT status, count(*) AS plans FROM plans WHERE parent IS NULL GROUP BY status")
    .all();
  return new Map(rows.map(({ status, plans }) => [String(status), Number(plans)]));
}

/** A statement that wants a `limit` yet. */
export type Selection = { readonly sql: string; readonly values: Record<string, string | number> };

/**
 * Selects plans, the newest first.
 *
 * @returns Undefined when it is plain that there are none.
 */
export function selectionOf(
  database: DatabaseSync,
  filter: TenantFilter,
  { select, before }: { readonly select: string; readonly before: number },
): Selection | undefined {
  const condition = conditionOf(database, filter);
  const among = `${condition.sql} AND plans.sequence < :before`;
  const values = { before, ...condition.values };
  if (filter.q === undefined) {
    const sql = `SELECT ${select} FROM plans WHERE ${among} ORDER BY plans.sequence DESC LIMIT :limit`;
    return { sql, values };
  }
  const chosen = `SELECT sequence FROM plans WHERE ${among} ORDER BY sequence DESC`;
  const { plans, oldest } = countChosen(database, { sql: `${chosen} LIMIT ${FEW_PLANS + 1}`, values });
  if (plans === 0) return undefined;
  // Of many plans, a page of those that match is soon found. Few would be looked up in vain for each match: they are
  // held against the matches instead, which the plus sign keeps SQLite from doing the other way round.
  const found = plans > FEW_PLANS ? condition.sql : `+plan_words.rowid IN (${chosen})`;
  const sql = `
    SELECT ${select} FROM plan_words CROSS JOIN plans ON plans.sequence = plan_words.rowid
    WHERE plan_words MATCH :match AND plan_words.rowid < :before AND plan_words.rowid >= :oldest AND ${found}
    ORDER BY plan_words.rowid DESC LIMIT :limit`;
  const match = wordsOf(filter.q);
  return { sql, values: { ...values, match, oldest: plans > FEW_PLANS ? 0 : oldest } };
}

function countChosen(database: DatabaseSync, { sql, values }: Selection): { plans: number; oldest: number } {
  const found = database
    .prepare(`SELECT count(*) AS plans, min(sequence) AS oldest FROM (${sql})`)
    .get(values);
  return { plans: Number(found?.["plans"]), oldest: Number(found?.["oldest"]) };
}

/** Each word must occur, or a longer one that begins so. What people type is never taken as query syntax. */
function wordsOf(q: string): string {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? [];
  // The empty phrase, which nothing matches, stands for a query without words.
  if (words.length === 0) return '""';
  const wanted = words.slice(0, WORDS_MAX).map((word) => `"${word}"*`);
  // Whose plan it is was indexed for others, and is no word of it.
  return `{id goal metadata} : (${wanted.join(" AND ")})`;
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const sequence = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(sequence) && sequence > 0) return sequence;
  throw new Problem("invalid_request", "cursor: wanted the nextCursor of an earlier page");
}

function summaryOf(row: Record<string, SQLOutputValue>): PlanSummary {
  const { id, goal, status, outcome, answer_status, strategy, parent, submitted_at, ended_at } = row;
  const { done, total, percent } = row;
  return PlanSummary.parse({
    planId: id,
    goal,
    status,
    ended: ended_at !== null,
    ...(outcome === null ? {} : { outcome }),
    ...(answer_status === null ? {} : { answerStatus: answer_status }),
    ...(strategy === null ? {} : { strategy }),
    ...(parent === null ? {} : { parent }),
    submittedAt: submitted_at,
    ...(ended_at === null ? {} : { endedAt: ended_at }),
    progress: { done, total, percent },
  });
}
