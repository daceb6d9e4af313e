/** Groups plans for metrics: all, by strategy, by tool and by period. */
import { type Metrics, type Period, METRICS_TOOLS_MAX, type ToolMetrics } from "@planwright/api";
import { type PlannedBy, addToolTally, type ToolTally } from "@planwright/plan";
import { FigureSum, ratio } from "./figure-sum.ts";
import { countPeriods, periodOf, startOf } from "./periods.ts";
import type { FiguresPage } from "./kpis.ts";

type Groups = {
  readonly add: (page: FiguresPage) => void;
  readonly result: () => Pick<Metrics, "all" | "byStrategy" | "byTool" | "period" | "byPeriod">;
};

/**
 * @param periods - The periods to tell apart, and the start of the first one; undefined for none.
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
