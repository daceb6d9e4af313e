/** Groups plans for metrics: all, by strategy, by tool and by period. */
import type { Metrics, Period } from "@planwright/api";
import type { PlannedBy } from "@planwright/plan";
import { FigureSum } from "./figure-sum.ts";
import { countPeriods, periodOf, startOf } from "./periods.ts";
import type { FiguresPage } from "./read-figures.ts";
import { ToolSum } from "./tool-sum.ts";

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
