/** Lists and searches plans in the projection, newest first, a page at a time. */
import { Outcome, PlanId, PlanView } from "@planwright/plan";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { z } from "zod";
import { Problem } from "../http/problem.ts";

export type PlanQuery = {
  readonly tenant: string;
  readonly status?: string | undefined;
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
  submittedAt: z.string(),
  endedAt: z.string().optional(),
  progress: z.object({ done: z.int(), total: z.int(), percent: z.int() }),
});
export type PlanSummary = z.output<typeof PlanSummary>;

/** One page; pass `nextCursor` to go on, absent on the last page. */
export type PlanPage = { readonly plans: PlanSummary[]; readonly nextCursor?: string };

const WORDS_MAX = 20;

/** @throws {Problem} `invalid_request` for a cursor that no page has given out. */
export function listPlans(database: DatabaseSync, query: PlanQuery): PlanPage {
  const { sql, values } = statementOf(query, readCursor(query.cursor));
  const rows = database.prepare(sql).all(values);
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

function statementOf({ tenant, status, q, limit }: PlanQuery, before: number) {
  const match = q === undefined ? "" : wordsOf(q);
  const searches = q !== undefined;
  const sql = [
    "SELECT plans.* FROM",
    // The order of the words' index is the order of the page, so that the first page needs no sorting.
    searches ? "plan_words JOIN plans ON plans.sequence = plan_words.rowid" : "plans",
    "WHERE plans.tenant = :tenant",
    searches ? "AND plan_words MATCH :match AND plan_words.rowid < :before" : "AND plans.sequence < :before",
    status === undefined ? "" : "AND plans.status = :status",
    searches ? "ORDER BY plan_words.rowid DESC" : "ORDER BY plans.sequence DESC",
    "LIMIT :limit",
  ].join(" ");
  const values = {
    tenant,
    before,
    limit: limit + 1,
    ...(searches ? { match } : {}),
    ...(status === undefined ? {} : { status }),
  };
  return { sql, values };
}

/** Each word must occur, or a longer one that begins so. What people type is never taken as query syntax. */
function wordsOf(q: string): string {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? [];
  // The empty phrase, which nothing matches, stands for a query without words.
  if (words.length === 0) return '""';
  return words
    .slice(0, WORDS_MAX)
    .map((word) => `"${word}"*`)
    .join(" ");
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const sequence = Number(Buffer.from(cursor, "base64url").toString());
  if (Number.isSafeInteger(sequence) && sequence > 0) return sequence;
  throw new Problem("invalid_request", "cursor: wanted the nextCursor of an earlier page");
}

function summaryOf(row: Record<string, SQLOutputValue>): PlanSummary {
  const { id, goal, status, outcome, submitted_at, ended_at, done, total, percent } = row;
  return PlanSummary.parse({
    planId: id,
    goal,
    status,
    ...(outcome === null ? {} : { outcome }),
    submittedAt: submitted_at,
    ...(ended_at === null ? {} : { endedAt: ended_at }),
    progress: { done, total, percent },
  });
}
