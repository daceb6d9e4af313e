/** Which plans of a tenant somebody wants to see: as a request says it, and as a condition on the projection. */
import type { PlanFilter } from "@planwright/api";
import type { FiguredOutcome, PlanId } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";

/** The clocks of those who take submissions differ by less. */
const CLOCKS_DIFFER_MS = 600_000;

export type TenantFilter = Partial<PlanFilter> & {
  readonly tenant: string;
  /** The plans that wait for a person; wanted with `needs`. */
  readonly waiting?: readonly PlanId[] | undefined;
  /** Leaves out sub-plans. */
  readonly rootsOnly?: boolean;
};

/** A condition on `plans`, without the words that are searched for. */
export type Condition = { readonly sql: string; readonly values: Record<string, string | number> };

export function conditionOf(database: DatabaseSync, filter: TenantFilter): Condition {
  const { tenant, status, strategy, since, needs, parent, id, waiting = [] } = filter;
  const { outcome, subPlans, rootsOnly = false } = filter;
  const equal = Object.entries({ tenant, status: status === "open" ? undefined : status, strategy, parent });
  const parts: string[] = [];
  const values: Record<string, string | number> = {};
  for (const [name, value] of equal) {
    if (value === undefined) continue;
    parts.push(`plans.${name} = :${name}`);
    values[name] = value;
  }
  if (status === "open") parts.push("plans.ended_at IS NULL");
  if (outcome !== undefined) parts.push(sqlOfOutcome(outcome));
  for (const ofEnd of [endedIn(filter), usedTool(filter)]) {
    if (ofEnd === undefined) continue;
    parts.push(ofEnd.sql);
    Object.assign(values, ofEnd.values);
  }
  if (rootsOnly || subPlans === "none") parts.push("plans.parent IS NULL");
  if (needs !== undefined) {
    parts.push("plans.id IN (SELECT value FROM json_each(:waiting))");
    values["waiting"] = JSON.stringify(waiting);
  }
  if (id !== undefined) {
    // By the index of ids, whatever else is wanted. Every character of an id sorts before the end of this range.
    parts.push("plans.sequence IN (SELECT sequence FROM plans WHERE id >= :id AND id < :id || '\u007f')");
    values["id"] = id;
  }
  if (since !== undefined) {
    parts.push("plans.submitted_at >= :since AND plans.sequence >= :first");
    values["since"] = new Date(since).toISOString();
    values["first"] = firstSince(database, Date.parse(since) - CLOCKS_DIFFER_MS);
  }
  return { sql: parts.join(" AND "), values };
}

/** As `isRefusal` says it. */
const IS_REFUSAL =
  "plans.outcome = 'succeeded' AND ifnull(plans.answer_status, '') IN ('unsupported_intent', 'invalid_request')";

function sqlOfOutcome(outcome: FiguredOutcome): string {
  if (outcome === "refused") return IS_REFUSAL;
  return `plans.outcome = '${outcome}' AND NOT (${IS_REFUSAL})`;
}

/** By the index of ends, whatever the order of the list: a drill-down from metrics asks for a few plans among many. */
function endedIn({ endedSince, endedBefore }: TenantFilter): Condition | undefined {
  if (endedSince === undefined && endedBefore === undefined) return undefined;
  return {
    sql: `plans.sequence IN (
      SELECT sequence FROM plans INDEXED BY plans_by_end
      WHERE tenant = :tenant AND ended_ms >= :endedSince AND ended_ms < :endedBefore)`,
    values: {
      endedSince: endedSince === undefined ? 0 : Date.parse(endedSince),
      endedBefore: endedBefore === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(endedBefore),
    },
  };
}

/** Only submitted plans are counted by tool, with the steps of their sub-plans. */
function usedTool({ tool, failedTool, endedSince, endedBefore }: TenantFilter): Condition | undefined {
  const wanted: string[] = [];
  const among = [
    "tenant = :tenant",
    ...(endedSince === undefined ? [] : ["endedMs >= :endedSince"]),
    ...(endedBefore === undefined ? [] : ["endedMs < :endedBefore"]),
  ].join(" AND ");
  if (tool !== undefined) wanted.push(`${among} AND tool = :tool`);
  if (failedTool !== undefined) wanted.push(`${among} AND tool = :failedTool AND failed > 0`);
  if (wanted.length === 0) return undefined;
  return {
    sql: wanted
      .map((one) => `plans.sequence IN (SELECT sequence FROM tool_figures WHERE ${one})`)
      .join(" AND "),
    values: { ...(tool !== undefined && { tool }), ...(failedTool !== undefined && { failedTool }) },
  };
}

/**
 * From where in the log plans were submitted at a time or later: the log grows as time passes, so it is found by
 * halving, and no index has to be kept for it.
 */
function firstSince(database: DatabaseSync, sinceMs: number): number {
  const at = database.prepare("SELECT submitted_at FROM plans WHERE sequence >= ? ORDER BY sequence LIMIT 1");
  const isBefore = (sequence: number): boolean => {
    const submittedAt = at.get(sequence)?.["submitted_at"];
    return typeof submittedAt === "string" && Date.parse(submittedAt) < sinceMs;
  };
  let low = 0;
  let high = Number(database.prepare("SELECT max(sequence) AS last FROM plans").get()?.["last"] ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
