/** Lists and searches plans in the projection, newest first, a page at a time. */
import { Outcome, PlanId, PlanView } from "@planwright/plan";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { z } from "zod";
import { Problem } from "../http/problem.ts";

export type PlanQuery = {
  readonly tenant: string;
  readonly status?: string | undefined;
  readonly parent?: string | undefined;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** A plan as lists show it; its goal may be cut off. */
export const PlanSummary = z.object({
  planId: PlanId,
  goal: z.string(),
  status: PlanView.shape.status,
  outcome: Outcome.optional(),
  /** The plan whose sub-plan it is. */
  parent: PlanId.optional(),
  submittedAt: z.string(),
  endedAt: z.string().optional(),
  progress: z.object({ done: z.int(), total: z.int(), percent: z.int() }),
});
export type PlanSummary = z.output<typeof PlanSummary>;

/** One page; pass `nextCursor` to go on, absent on the last page. */
export type PlanPage = { readonly plans: PlanSummary[]; readonly nextCursor?: string };

const WORDS_MAX = 20;
/** Up to so many plans of a tenant and status are cheaper to hold against the matches of a search than to look up. */
const FEW_PLANS = 5_000;

/** @throws {Problem} `invalid_request` for a cursor that no page has given out. */
export function listPlans(database: DatabaseSync, query: PlanQuery): PlanPage {
  const statement = statementOf(database, query, readCursor(query.cursor));
  if (statement === undefined) return { plans: [] };
  const rows = database.prepare(statement.sql).all(statement.values);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const page = { plans: shown.map(summaryOf) };
  if (rows.length <= query.limit || last === undefined) return page;
  return { ...page, nextCursor: Buffer.from(String(last["sequence"])).toString("base64url") };
}

/** How many plans there are in each status. */
export function countPlans(database: DatabaseSync): Map<string, number> {
  const rows = database.prepare("SELECT status, count(*) AS plans FROM plans GROUP BY status").all();
  return new Map(rows.map(({ status, plans }) => [String(status), Number(plans)]));
}

type Statement = { readonly sql: string; readonly values: Record<string, string | number> };

function statementOf(database: DatabaseSync, query: PlanQuery, before: number): Statement | undefined {
  const { tenant, status, parent, q, limit } = query;
  const wanted = Object.entries({ tenant, status, parent }).filter(([, value]) => value !== undefined);
  const filter = wanted.map(([name]) => `${name} = :${name}`).join(" AND ");
  const filtered = { before, ...Object.fromEntries(wanted.map(([name, value]) => [name, String(value)])) };
  const values = { ...filtered, limit: limit + 1 };
  if (q === undefined) {
    const sql = `SELECT * FROM plans WHERE ${filter} AND sequence < :before ORDER BY sequence DESC LIMIT :limit`;
    return { sql, values };
  }
  const chosen = `SELECT sequence FROM plans WHERE ${filter} AND sequence < :before ORDER BY sequence DESC`;
  const { plans, oldest } = countChosen(database, {
    sql: `${chosen} LIMIT ${FEW_PLANS + 1}`,
    values: filtered,
  });
  if (plans === 0) return undefined;
  // Of many plans, a page of those that match is soon found. Few would be looked up in vain for each match: they are
  // held against the matches instead, which the plus sign keeps SQLite from doing the other way round.
  const among = plans > FEW_PLANS ? filter : `+plan_words.rowid IN (${chosen})`;
  const sql = `
    SELECT plans.* FROM plan_words CROSS JOIN plans ON plans.sequence = plan_words.rowid
    WHERE plan_words MATCH :match AND plan_words.rowid < :before AND plan_words.rowid >= :oldest AND ${among}
    ORDER BY plan_words.rowid DESC LIMIT :limit`;
  return { sql, values: { ...values, match: wordsOf(q), oldest: plans > FEW_PLANS ? 0 : oldest } };
}

function countChosen(database: DatabaseSync, { sql, values }: Statement): { plans: number; oldest: number } {
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
  const { id, goal, status, outcome, parent, submitted_at, ended_at, done, total, percent } = row;
  return PlanSummary.parse({
    planId: id,
    goal,
    status,
    ...(outcome === null ? {} : { outcome }),
    ...(parent === null ? {} : { parent }),
    submittedAt: submitted_at,
    ...(ended_at === null ? {} : { endedAt: ended_at }),
    progress: { done, total, percent },
  });
}
