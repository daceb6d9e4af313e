import { LIST_FILTER } from "./plans-words.ts";
/** Which plans the list shows: read from the URL (`list.status=failed`), and written as the gateway's query. */

export type ListFilter = {
  readonly q?: string;
  readonly status?: string;
  readonly strategy?: string;
  readonly since?: string;
  /** `approval`: only plans that need approval. */
  readonly needs?: string;
  /** Only plans that finished in this range (ISO times). The Metrics page links here. */
  readonly endedSince?: string;
  readonly endedBefore?: string;
  /** The outcome as the metrics count it. */
  readonly outcome?: string;
  /** A tool that a step has called, and a tool whose step has failed. */
  readonly tool?: string;
  readonly failedTool?: string;
  /** `none`: without sub-plans. */
  readonly subPlans?: string;
};

/** A name for a filter. */
export type ListView = { readonly name: string; readonly filter: ListFilter };

const FIELDS = [
  "q",
  "status",
  "strategy",
  "since",
  "needs",
  "endedSince",
  "endedBefore",
  "outcome",
  "tool",
  "failedTool",
  "subPlans",
] as const;
const PREFIX = "list.";
const VALUE_CHARS_MAX = 200;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const OPEN_STATUSES = [
  "scheduled",
  "planning",
  "running",
  "reflecting",
  "awaiting-approval",
  "paused",
  "compensating",
] as const;
export const OUTCOMES = ["succeeded", "partial", "failed", "cancelled"] as const;

export const NEEDS_APPROVAL: ListFilter = { needs: "approval" };

export const BUILT_IN_VIEWS: readonly ListView[] = [
  { name: LIST_FILTER.all, filter: {} },
  { name: LIST_FILTER.running, filter: { status: "open" } },
  { name: LIST_FILTER.needsApproval, filter: NEEDS_APPROVAL },
  { name: LIST_FILTER.failedThisWeek, filter: { status: "failed", since: "week" } },
];

/** @param search - The query of an address, or of a saved view. */
export function readFilter(search: string): ListFilter {
  const fields = new URLSearchParams(search);
  const said = FIELDS.map((name) => [name, fields.get(PREFIX + name)?.slice(0, VALUE_CHARS_MAX)] as const);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined && value !== ""));
}

/** Replaces the filter in a query; starts with the question mark, "" when empty. */
export function withFilter(search: string, filter: ListFilter): string {
  const fields = new URLSearchParams(search);
  for (const name of FIELDS) fields.delete(PREFIX + name);
  for (const name of FIELDS) {
    const value = filter[name];
    if (value !== undefined && value !== "") fields.set(PREFIX + name, value);
  }
  const text = fields.toString();
  return text === "" ? "" : `?${text}`;
}

/** Equal filters have the same text. */
export function textOf(filter: ListFilter): string {
  return withFilter("", filter);
}

/** Number of active filters besides the search. */
export function countFields({ q: _q, ...filter }: ListFilter): number {
  return Object.values(filter).filter((value) => value !== "").length;
}

/** The gateway's query, without empty fields. @param nowMs - Milliseconds since the epoch. */
export function queryOf({ since, ...filter }: ListFilter, nowMs: number): Record<string, string> {
  const from = since === undefined ? undefined : startOf(since, nowMs);
  const said = Object.entries({ ...filter, since: from?.toISOString() });
  return Object.fromEntries(
    said.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}

/** Rounded to whole minutes, so that requests made shortly after each other are the same. */
function startOf(since: string, nowMs: number): Date | undefined {
  const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  switch (since) {
    case "hour":
      return new Date(minute - HOUR_MS);
    case "today":
      return new Date(new Date(nowMs).setHours(0, 0, 0, 0));
    case "week":
      return new Date(minute - 7 * DAY_MS);
    case "month":
      return new Date(minute - 30 * DAY_MS);
    default:
      return undefined;
  }
}
