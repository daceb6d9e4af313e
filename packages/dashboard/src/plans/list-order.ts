/** The order of the list of plans, in the address (`sort=cost&order=asc`) and in the gateway's query. */
import { PLAN_SORTS } from "@planwright/api/plan-sorts";
import type { PlanSort, PlanSummary } from "../api/api-types.ts";

export type Sort = PlanSort;
export type ListOrder = { readonly sort: Sort; readonly order: "asc" | "desc" };

export const NEWEST_FIRST: ListOrder = { sort: "started", order: "desc" };

/** Text sorts from the first letter; anything else from the largest or newest. */
const TEXTS: ReadonlySet<Sort> = new Set(["status", "strategy", "goal", "submittedBy"]);

export function isNewestFirst({ sort, order }: ListOrder): boolean {
  return sort === NEWEST_FIRST.sort && order === NEWEST_FIRST.order;
}

/** @param fields - The address's fields. Unknown values are ignored. */
export function readOrder(fields: {
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
}): ListOrder {
  const sort = PLAN_SORTS.find((one) => one === fields.sort) ?? NEWEST_FIRST.sort;
  const { order } = fields;
  return { sort, order: order === "asc" || order === "desc" ? order : firstOrder(sort) };
}

/** The address's fields; undefined removes one. */
export function fieldsOf({ sort, order }: ListOrder): Record<"sort" | "order", string | undefined> {
  const isFirst = order === firstOrder(sort);
  return {
    sort: isFirst && sort === NEWEST_FIRST.sort ? undefined : sort,
    order: isFirst ? undefined : order,
  };
}

/** The order after a click on a column: the column's default, then the opposite on the next click. */
export function orderAfterClick(current: ListOrder, sort: Sort): ListOrder {
  if (current.sort !== sort) return { sort, order: firstOrder(sort) };
  return { sort, order: current.order === "asc" ? "desc" : "asc" };
}

function firstOrder(sort: Sort): ListOrder["order"] {
  return TEXTS.has(sort) ? "asc" : "desc";
}

/** The value that a plan is sorted by. It can change while the plan runs, except for its goal, submitter and start. */
export function placeOf(plan: PlanSummary, sort: Sort): string | number | undefined {
  switch (sort) {
    case "duration":
      return plan.durationMs;
    case "cost":
      return plan.costUsd;
    case "tokens":
      return plan.tokens;
    case "steps":
      return plan.progress.total;
    case "status":
      return plan.status;
    case "strategy":
      return plan.strategy;
    case "goal":
    case "submittedBy":
    case "started":
      return undefined;
    default:
      return sort satisfies never;
  }
}
