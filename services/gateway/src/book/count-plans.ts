/** How many plans there are in a view of the list: counted up to a limit, so that it is cheap however many there are. */
import type { DatabaseSync } from "node:sqlite";
import { COUNTED_MAX, type PlanCount } from "@planwright/api";
import { selectionOf } from "./list-plans.ts";
import type { TenantFilter } from "./plan-filter.ts";

/**
 * Counts the plans of a view. A sub-plan is part of its parent and is not counted beside it, unless the view asks for
 * the sub-plans of a plan, or for what waits for a person.
 */
export function countView(database: DatabaseSync, filter: TenantFilter): PlanCount {
  const rootsOnly = [filter.parent, filter.needs, filter.id].every((one) => one === undefined);
  const selection = selectionOf(database, { ...filter, rootsOnly }, { select: "1" });
  if (selection === undefined) return { count: 0, more: false };
  const found = database
    .prepare(`SELECT count(*) AS plans FROM (${selection.sql})`)
    .get({ ...selection.values, limit: COUNTED_MAX + 1 });
  const plans = Number(found?.["plans"]);
  return { count: Math.min(plans, COUNTED_MAX), more: plans > COUNTED_MAX };
}
