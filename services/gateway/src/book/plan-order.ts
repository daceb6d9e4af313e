/**
 * The order of a list of plans, and where its pages begin.
 *
 * A page continues after the value and the sequence of the previous page's last plan, so plans added or removed meanwhile do not
 * shift it. Each order is that of an index, read forwards or backwards.
 */
import { PlanSort, SortOrder } from "@planwright/api";
import type { SQLOutputValue } from "node:sqlite";
import { z } from "zod";
import { Problem } from "../http/problem.ts";
import type { Condition } from "./plan-filter.ts";

const COLUMNS: Readonly<Record<PlanSort, string>> = {
  started: "sequence",
  duration: "duration_ms",
  cost: "cost_usd",
  tokens: "tokens",
  steps: "total",
  status: "status",
  strategy: "strategy",
  goal: "goal_key",
  submittedBy: "submitter_key",
};

export type PlanOrder = { readonly sort: PlanSort; readonly order: SortOrder };
export const NEWEST_FIRST: PlanOrder = { sort: "started", order: "desc" };

/** The last plan of a page. */
type Place = { readonly value: string | number; readonly sequence: number };

/** SQL conditions and their values. */
type Ordering = { readonly after: Condition; readonly by: string };

/** @param sequence - The column that holds the sequence. */
export function orderingOf(
  { sort, order }: PlanOrder,
  after: Place | undefined,
  sequence = "plans.sequence",
): Ordering {
  const column = COLUMNS[sort];
  const isBySequence = column === "sequence";
  const direction = order === "asc" ? "ASC" : "DESC";
  const by = isBySequence
    ? `${sequence} ${direction}`
    : `plans.${column} ${direction}, ${sequence} ${direction}`;
  if (after === undefined) return { after: { sql: "TRUE", values: {} }, by };
  const operator = order === "asc" ? ">" : "<";
  const values = { after: after.sequence };
  return isBySequence
    ? { after: { sql: `${sequence} ${operator} :after`, values }, by }
    : {
        after: {
          sql: `(plans.${column}, ${sequence}) ${operator} (:afterValue, :after)`,
          values: { ...values, afterValue: after.value },
        },
        by,
      };
}

const SortedCursor = z.tuple([PlanSort, SortOrder, z.union([z.string(), z.number()]), z.int().positive()]);

/** The cursor of the next page. @param row - The last row of this page. */
export function cursorAfter(
  row: Readonly<Record<string, SQLOutputValue>>,
  { sort, order }: PlanOrder,
): string {
  const { sequence } = row;
  const text =
    sort === NEWEST_FIRST.sort && order === NEWEST_FIRST.order
      ? String(sequence)
      : JSON.stringify([sort, order, row[COLUMNS[sort]], sequence]);
  return Buffer.from(text).toString("base64url");
}

/**
 * Parses a cursor. Undefined for the first page.
 *
 * @throws {Problem} `invalid_request` for a cursor that no page of this order has returned.
 */
export function readCursor(cursor: string | undefined, { sort, order }: PlanOrder): Place | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  if (sort === NEWEST_FIRST.sort && order === NEWEST_FIRST.order) {
    const sequence = Number(text);
    if (Number.isSafeInteger(sequence) && sequence > 0) return { value: sequence, sequence };
  } else {
    const [ofSort, ofOrder, value, sequence] = SortedCursor.safeParse(jsonOf(text)).data ?? [];
    if (ofSort === sort && ofOrder === order && value !== undefined && sequence !== undefined)
      return { value, sequence };
  }
  throw new Problem(
    "invalid_request",
    "cursor: wanted the nextCursor of an earlier page with the same sort and order",
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
