/** Groups plans for metrics: all, by strategy, by tool and by period. */
import {
  type Metrics,
  Period,
  METRICS_TOOLS_MAX,
  type ToolMetrics,
  type MetricsRange,
} from "@planwright/api";
import { type PlannedBy, addToolTally, type ToolTally } from "@planwright/plan";
import { FigureSum, ratio } from "./figure-sum.ts";
import type { FiguresPage } from "./kpis.ts";

type Groups = {
  readonly add: (page: FiguresPage) => void;
  readonly result: () => Pick<Metrics, "all" | "byStrategy" | "byTool" | "period" | "byPeriod">;
};

/**
 * @param periods - The periods to distinguish, and the start of the first one; undefined for none.
 * @param toMs - The end of the last one.
 */
export function createGroups(
  periods: { readonly period: Period; readonly fromMs: number } | undefined,
  toMs: number,
): Groups {
  const all = new FigureSum();
  const byStrategy = new Map<PlannedBy, FigureSum>();
  const byTool = new ToolSum();
  const first = periods === undefined ? 0 : periodOf(periods.period, periods.fromMs);
  const count = periods === undefined ? 0 : countPeriods(periods.period, { fromMs: periods.fromMs, toMs });
  const byPeriod = Array.from({ length: count }, () => new FigureSum());
  const groupsOf = (strategy: PlannedBy, at: number): readonly FigureSum[] => {
    let ofStrategy = byStrategy.get(strategy);
    if (ofStrategy === undefined) byStrategy.set(strategy, (ofStrategy = new FigureSum()));
    const ofPeriod = byPeriod[at - first];
    return ofPeriod === undefined ? [all, ofStrategy] : [all, ofStrategy, ofPeriod];
  };

  return {
    add({ parts, times, tools }) {
      for (const part of parts) {
        for (const group of groupsOf(part.strategy, part.period)) group.add(part);
      }
      for (const [strategy, at, timeMs] of times) {
        for (const group of groupsOf(strategy, at)) group.addTime(timeMs);
      }
      byTool.add(tools);
    },
    result() {
      const strategies = [...byStrategy].toSorted(([left], [right]) => left.localeCompare(right));
      const total = {
        all: all.result(),
        byStrategy: strategies.map(([strategy, sum]) => ({ strategy, ...sum.result() })),
        byTool: byTool.result(),
      };
      if (periods === undefined) return total;
      const { period, fromMs } = periods;
      const spanOf = (index: number) => ({
        from: isoOf(Math.max(fromMs, startOf(period, first + index))),
        to: isoOf(Math.min(toMs, startOf(period, first + index + 1))),
      });
      return {
        ...total,
        period,
        byPeriod: byPeriod.map((sum, index) => ({ ...spanOf(index), ...sum.result() })),
      };
    },
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The steps of some plans, by tool. */
export class ToolSum {
  readonly #tools = new Map<string, ToolTally>();

  add(tallies: readonly ToolTally[]): void {
    for (const tally of tallies) addToolTally(this.#tools, tally);
  }

  /** The tools with the most failed steps first, then those with the most steps. */
  result(): ToolMetrics[] {
    const sorted = [...this.#tools.values()].toSorted(
      (a, b) => b.failed - a.failed || b.steps - a.steps || a.tool.localeCompare(b.tool),
    );
    return sorted
      .slice(0, METRICS_TOOLS_MAX)
      .map(({ tool, steps, failed, retries, durationMs, longestMs }) => ({
        tool,
        steps,
        failed,
        failureRate: ratio(failed, steps),
        retries,
        durationMs: { mean: ratio(durationMs, steps), max: steps === 0 ? null : longestMs },
      }));
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LENGTH_MS: Readonly<Record<Period, number>> = {
  minute: MINUTE_MS,
  "ten-minutes": 10 * MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
/** The epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** How many periods a range has by default. */
const SHOWN: Readonly<Record<Period, number>> = {
  minute: 60,
  "ten-minutes": 36,
  hour: 24,
  day: 30,
  week: 26,
};
/** The maximum number of periods chosen automatically, and the minimum unless the range is shorter. */
const FITTING_MAX = 60;
const FITTING_MIN = 12;

const RANGE_MS: Readonly<Record<MetricsRange, number>> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

/** The number of the period that contains a moment; numbers extend without bound in both directions. */
export function periodOf(period: Period, atMs: number): number {
  return Math.floor((atMs - offsetOf(period)) / LENGTH_MS[period]);
}

/** {@link periodOf}, as SQL over a column of times since the epoch. */
export function sqlOfPeriod(period: Period, column: string): string {
  return `(${column} - ${offsetOf(period)}) / ${LENGTH_MS[period]}`;
}

/** Milliseconds since the epoch. */
export function startOf(period: Period, index: number): number {
  return index * LENGTH_MS[period] + offsetOf(period);
}

/** The start of the default range of a period that ends at a moment. */
export function shownFrom(period: Period, toMs: number): number {
  return startOf(period, periodOf(period, toMs - 1) - SHOWN[period] + 1);
}

/** The start of a range that ends at a moment. */
export function startOfRange(range: MetricsRange, toMs: number): number {
  return toMs - RANGE_MS[range];
}

/** The number of periods in a range; the first and the last one can be incomplete. */
export function countPeriods(period: Period, { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  return periodOf(period, toMs - 1) - periodOf(period, fromMs) + 1;
}

/**
 * The periods that fit the plans of a range: the shortest ones of which no more than 60 cover the time from the first plan to the
 * end. They begin with the first plan's period, or earlier if there would be fewer than 12.
 *
 * @param firstMs - When the first plan ended; undefined if there is none: then the whole range is shown.
 */
export function fittingPeriods({
  fromMs,
  firstMs = fromMs,
  toMs,
}: {
  readonly fromMs: number;
  readonly firstMs?: number | undefined;
  readonly toMs: number;
}): { readonly period: Period; readonly fromMs: number } {
  const fits = (period: Period): boolean => countPeriods(period, { fromMs: firstMs, toMs }) <= FITTING_MAX;
  const period = Period.options.find(fits) ?? "week";
  const last = periodOf(period, toMs - 1);
  const first = Math.min(periodOf(period, firstMs), last - FITTING_MIN + 1);
  return { period, fromMs: Math.max(fromMs, startOf(period, first)) };
}

function offsetOf(period: Period): number {
  return period === "week" ? FIRST_MONDAY_MS : 0;
}
