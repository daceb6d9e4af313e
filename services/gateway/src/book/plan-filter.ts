/** Which plans of a tenant a request selects: as sent by the client, and as a condition on the projection. */
import type { PlanFilter } from "@planwright/api";
import type { FiguredOutcome, PlanId } from "@planwright/plan";
import { REFUSALS } from "@planwright/plan/status-label";
import type { DatabaseSync } from "node:sqlite";

/** Clocks of the machines that accept submissions differ by less than this. */
const CLOCKS_DIFFER_MS = 600_000;

export type TenantFilter = Partial<PlanFilter> & {
  readonly tenant: string;
  /** The plans that need approval; used with `needs`. */
  readonly waiting?: readonly PlanId[] | undefined;
  /** Leaves out sub-plans. */
  readonly rootsOnly?: boolean;
};

/** A condition on `plans`, without the search words. */
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
  const ended = endedPlans(filter);
  if (ended !== undefined) {
    parts.push(ended.sql);
    Object.assign(values, ended.values);
  }
  if (rootsOnly || subPlans === "none") parts.push("plans.parent IS NULL");
  if (needs !== undefined) {
    parts.push("plans.id IN (SELECT value FROM json_each(:waiting))");
    values["waiting"] = JSON.stringify(waiting);
  }
  if (id !== undefined) {
    // Always uses the index of ids. Every character of an id sorts before the end of this range. The plus sign keeps SQLite from
    // scanning two lists of sequences against each other.
    const sequence = ended === undefined ? "plans.sequence" : "+plans.sequence";
    parts.push(sequence + " IN (SELECT sequence FROM plans WHERE id >= :id AND id < :id || '\u007f')");
    values["id"] = id;
  }
  if (since !== undefined) {
    parts.push("plans.submitted_at >= :since AND plans.sequence >= :first");
    values["since"] = new Date(since).toISOString();
    values["first"] = firstSince(database, Date.parse(since) - CLOCKS_DIFFER_MS);
  }
  return { sql: parts.join(" AND "), values };
}

/** As defined by `isRefusal`. */
const IS_REFUSAL = `plans.outcome = 'succeeded' AND ifnull(plans.answer_status, '') IN (${[...REFUSALS].map((status) => `'${status}'`).join(", ")})`;

function sqlOfOutcome(outcome: FiguredOutcome): string {
  if (outcome === "refused") return IS_REFUSAL;
  return `plans.outcome = '${outcome}' AND NOT (${IS_REFUSAL})`;
}

/**
 * The plans that ended in a range, or with a tool. Always uses one index, whatever the order of the list, because a drill-down
 * from metrics selects a few plans among many. Only submitted plans are counted by tool, with the steps of their sub-plans.
 */
function endedPlans({ endedSince, endedBefore, tool, failedTool }: TenantFilter): Condition | undefined {
  const values: Record<string, string | number> = {};
  if (endedSince !== undefined) values["endedSince"] = Date.parse(endedSince);
  if (endedBefore !== undefined) values["endedBefore"] = Date.parse(endedBefore);
  const among = (column: string): string =>
    [
      "tenant = :tenant",
      ...(endedSince === undefined ? [] : [`${column} >= :endedSince`]),
      ...(endedBefore === undefined ? [] : [`${column} < :endedBefore`]),
    ].join(" AND ");
  const byTool = `SELECT sequence FROM tool_figures INDEXED BY tool_figures_by_tool WHERE ${among("endedMs")}`;
  const chosen: string[] = [];
  if (tool !== undefined) {
    chosen.push(`${byTool} AND tool = :tool`);
    values["tool"] = tool;
  }
  if (failedTool !== undefined) {
    chosen.push(`${byTool} AND tool = :failedTool AND failed > 0`);
    values["failedTool"] = failedTool;
  }
  if (chosen.length === 0) {
    if (endedSince === undefined && endedBefore === undefined) return undefined;
    const ended = `${among("ended_ms")} AND ended_ms IS NOT NULL`;
    chosen.push(`SELECT sequence FROM plans INDEXED BY plans_by_end WHERE ${ended}`);
  }
  return { sql: `plans.sequence IN (${chosen.join(" INTERSECT ")})`, values };
}

/**
 * The first position in the log at which plans were submitted at or after a time. The log grows with time, so a binary search
 * finds it without an extra index.
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
