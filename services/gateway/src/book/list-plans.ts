/** Lists and searches plans in the projection, one page at a time. */
import { type PlanPage, PlanSummary } from "@planwright/api";
import type { PlanId } from "@planwright/plan";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { conditionOf, type TenantFilter } from "./plan-filter.ts";
import { cursorAfter, NEWEST_FIRST, orderingOf, type PlanOrder, readCursor } from "./plan-order.ts";

export type PlanQuery = TenantFilter &
  Partial<PlanOrder> & { readonly limit: number; readonly cursor?: string | undefined };

const WORDS_MAX = 20;
/**
 * Up to this many plans of a tenant and status, checking them against the search matches is cheaper than looking each match up.
 */
const FEW_PLANS = 5_000;

/** @throws {Problem} `invalid_request` for a cursor that no page has returned. */
export function listPlans(database: DatabaseSync, query: PlanQuery): PlanPage {
  const order = { sort: query.sort ?? NEWEST_FIRST.sort, order: query.order ?? NEWEST_FIRST.order };
  const after = readCursor(query.cursor, order);
  const selection = selectionOf(database, query, { select: "plans.*", order, after });
  if (selection === undefined) return { plans: [] };
  const rows = database.prepare(selection.sql).all({ ...selection.values, limit: query.limit + 1 });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const page = { plans: shown.map(summaryOf) };
  if (rows.length <= query.limit || last === undefined) return page;
  return { ...page, nextCursor: cursorAfter(last, order) };
}

/** A tenant's plans, as shown in the list. Plans that are not in the list are left out. */
export function summariesOf(
  database: DatabaseSync,
  { tenant, planIds }: { readonly tenant: string; readonly planIds: readonly PlanId[] },
): PlanSummary[] {
  return database
    .prepare("SELECT * FROM plans WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:ids))")
    .all({ tenant, ids: JSON.stringify(planIds) })
    .map(summaryOf);
}

/** The number of plans in each status, without sub-plans. */
export function countPlans(database: DatabaseSync): Map<string, number> {
  const rows = database
    .prepare("SELECT status, count(*) AS plans FROM plans WHERE parent IS NULL GROUP BY status")
    .all();
  return new Map(rows.map(({ status, plans }) => [String(status), Number(plans)]));
}

/** A statement that still needs its `limit`. */
export type Selection = { readonly sql: string; readonly values: Record<string, string | number> };

type Selecting = {
  readonly select: string;
  /** Default: newest first. */
  readonly order?: PlanOrder;
  /** The last plan of the previous page. */
  readonly after?: ReturnType<typeof readCursor>;
};

/**
 * Selects plans in an order.
 *
 * @returns Undefined when there are certainly none.
 */
export function selectionOf(
  database: DatabaseSync,
  filter: TenantFilter,
  { select, order = NEWEST_FIRST, after }: Selecting,
): Selection | undefined {
  const condition = conditionOf(database, filter);
  const ordering = orderingOf(order, after);
  const among = `${condition.sql} AND ${ordering.after.sql}`;
  const values = { ...ordering.after.values, ...condition.values };
  if (filter.q === undefined) {
    return { sql: `SELECT ${select} FROM plans WHERE ${among} ORDER BY ${ordering.by} LIMIT :limit`, values };
  }
  const chosen = `SELECT sequence FROM plans WHERE ${among} ORDER BY sequence DESC`;
  const { plans, oldest } = countChosen(database, { sql: `${chosen} LIMIT ${FEW_PLANS + 1}`, values });
  if (plans === 0) return undefined;
  // With many plans, a page of matches is found quickly. With few, most matches would be looked up in vain, so the plans are
  // checked against the matches instead; the plus sign keeps SQLite from reversing that.
  const found = plans > FEW_PLANS ? condition.sql : `+plan_words.rowid IN (${chosen})`;
  const ofWords = orderingOf(order, after, "plan_words.rowid");
  const sql = `
    SELECT ${select} FROM plan_words CROSS JOIN plans ON plans.sequence = plan_words.rowid
    WHERE plan_words MATCH :match AND ${ofWords.after.sql} AND plan_words.rowid >= :oldest AND ${found}
    ORDER BY ${ofWords.by} LIMIT :limit`;
  const match = wordsOf(filter.q);
  return { sql, values: { ...values, match, oldest: plans > FEW_PLANS ? 0 : oldest } };
}

function countChosen(database: DatabaseSync, { sql, values }: Selection): { plans: number; oldest: number } {
  const found = database
    .prepare(`SELECT count(*) AS plans, min(sequence) AS oldest FROM (${sql})`)
    .get(values);
  return { plans: Number(found?.["plans"]), oldest: Number(found?.["oldest"]) };
}

/** Each word must occur, alone or as the prefix of a longer one. User input is never query syntax. */
function wordsOf(q: string): string {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? [];
  // Without words, search for the empty phrase, which matches nothing.
  if (words.length === 0) return '""';
  const wanted = words.slice(0, WORDS_MAX).map((word) => `"${word}"*`);
  // The owner is indexed for other uses, and is not searchable text.
  return `{id goal metadata} : (${wanted.join(" AND ")})`;
}

function summaryOf(row: Record<string, SQLOutputValue>): PlanSummary {
  const { id, goal, status, outcome, answer_status, strategy, parent, submitted_at, ended_at } = row;
  const { submitted_by, duration_ms, tokens, cost_usd, done, total, percent } = row;
  return PlanSummary.parse({
    planId: id,
    goal,
    status,
    ended: ended_at !== null,
    ...(outcome === null ? {} : { outcome }),
    ...(answer_status === null ? {} : { answerStatus: answer_status }),
    strategy,
    ...(parent === null ? {} : { parent }),
    ...(submitted_by === "" ? {} : { submittedBy: submitted_by }),
    submittedAt: submitted_at,
    ...(ended_at === null ? {} : { endedAt: ended_at }),
    ...(isKnown(duration_ms) && { durationMs: duration_ms }),
    tokens,
    ...(isKnown(cost_usd) && { costUsd: cost_usd }),
    progress: { done, total, percent },
  });
}

/** Unknown numbers are stored as negative ones. */
function isKnown(value: SQLOutputValue | undefined): boolean {
  return typeof value === "number" && value >= 0;
}
