/** Which metrics the page shows: as the address says it, and as the gateway is asked. */
import type { MetricsRange, Period } from "../api/api-types.ts";
import { PLANNED_BY } from "../plans/planned-by.ts";

export const RANGES = ["hour", "day", "week", "month"] as const satisfies readonly MetricsRange[];
export const PERIODS = ["minute", "ten-minutes", "hour", "day", "week"] as const satisfies readonly Period[];

const RANGE_DEFAULT: MetricsRange = "week";
const INPUT_CHARS = "2026-01-31T10:00".length;

/** Fields of the address. */
type MetricsFields = Readonly<
  Partial<Record<"range" | "from" | "to" | "period" | "strategy", string | undefined>>
>;

export type ChosenMetrics = {
  /** `custom`: from `from` to `to`, which are ISO times, or undefined while they are not known. */
  readonly range: MetricsRange | "custom";
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly period: Period | "auto";
  /** Empty for all. */
  readonly strategy: string;
};

export type MetricsQuery = {
  readonly last?: MetricsRange;
  readonly from?: string;
  readonly to?: string;
  readonly period: Period | "auto";
  readonly strategy: string;
};

export function readChosen({ range, from, to, period, strategy }: MetricsFields): ChosenMetrics {
  const known = range === "custom" ? range : RANGES.find((one) => one === range);
  return {
    range: known ?? RANGE_DEFAULT,
    from: known === "custom" ? timeOf(from) : undefined,
    to: known === "custom" ? timeOf(to) : undefined,
    period: PERIODS.find((one) => one === period) ?? "auto",
    strategy: PLANNED_BY.find(([name]) => name === strategy)?.[0] ?? "",
  };
}

/** What the gateway is asked. Undefined for a custom range without a start, or whose start is not before its end. */
export function queryOf({ range, from, to, period, strategy }: ChosenMetrics): MetricsQuery | undefined {
  if (range !== "custom") return { last: range, period, strategy };
  if (from === undefined || (to !== undefined && from >= to)) return undefined;
  return { from, ...(to !== undefined && { to }), period, strategy };
}

/** As a field for a date and a time shows it, in the reader's time zone. */
export function inputOf(at: string | undefined): string {
  if (at === undefined) return "";
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, INPUT_CHARS);
}

/** The time that such a field holds. Undefined while it holds none. */
export function timeOf(text: string | undefined): string | undefined {
  const ms = text === undefined || text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
