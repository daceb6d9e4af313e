/** The figures of a tenant's plans: of all, by strategy, and by period. */
import type { Metrics, Period } from "@planwright/api";
import type { PlannedBy } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { createGate } from "../book/gate.ts";
import { Problem } from "../http/problem.ts";
import { FigureSum } from "./figure-sum.ts";
import { periodOf, shownFrom, startOf } from "./periods.ts";
import { type FiguresPage, readFigures } from "./read-figures.ts";

/** Beyond it, their times alone would take up too much memory. */
const PLANS_MAX = 1_000_000;
const PERIODS_MAX = 1_000;
const AT_ONCE = 2;
const WAITING_MAX = 50;

export type KpisQuery = {
  readonly tenant: string;
  /** Milliseconds since the epoch; the beginning when absent, or some periods ago. */
  readonly fromMs?: number | undefined;
  /** The first moment that does not count. */
  readonly toMs: number;
  readonly period?: Period | undefined;
  readonly strategy?: PlannedBy | undefined;
};

export type ReadKpis = (query: KpisQuery) => Promise<Metrics>;

/**
 * Makes the function that adds figures up. A plan counts where its end lies.
 *
 * @throws {Problem} From the returned function: `invalid_request` for a span that is empty or too long, `overloaded`.
 */
export function createReadKpis(database: DatabaseSync): ReadKpis {
  const gate = createGate({
    atOnce: AT_ONCE,
    waitingMax: WAITING_MAX,
    onFull: () => new Problem("overloaded", "Too many ask for figures; try again.", { retryAfterS: 1 }),
  });
  return async (query) => {
    const { tenant, toMs, period, strategy } = query;
    const fromMs = query.fromMs ?? (period === undefined ? undefined : shownFrom(period, toMs));
    if (fromMs !== undefined && fromMs >= toMs) throw refused("from", "wanted a time before `to`");
    const groups = createGroups(period, { fromMs, toMs });
    using _turn = await gate.enter();
    let plans = 0;
    const span = { fromMs: fromMs ?? 0, toMs };
    for await (const page of readFigures(database, { tenant, ...span, strategy, period })) {
      plans += page.plans;
      if (plans > PLANS_MAX) {
        throw refused("from", `wanted a span of at most ${PLANS_MAX} plans: choose a shorter one`);
      }
      groups.add(page);
    }
    return {
      ...(fromMs === undefined ? {} : { from: isoOf(fromMs) }),
      to: isoOf(toMs),
      ...(strategy === undefined ? {} : { strategy }),
      ...groups.result(),
    };
  };
}

type Span = { readonly fromMs: number | undefined; readonly toMs: number };

function createGroups(period: Period | undefined, { fromMs, toMs }: Span) {
  const all = new FigureSum();
  const byStrategy = new Map<PlannedBy, FigureSum>();
  const first = period === undefined || fromMs === undefined ? undefined : periodOf(period, fromMs);
  const periods = period === undefined || first === undefined ? 0 : periodOf(period, toMs - 1) - first + 1;
  if (periods > PERIODS_MAX) {
    throw refused("period", `wanted at most ${PERIODS_MAX} of them between from and to, got ${periods}`);
  }
  const byPeriod = Array.from({ length: periods }, () => new FigureSum());
  const groupsOf = (strategy: PlannedBy, at: number): readonly FigureSum[] => {
    let ofStrategy = byStrategy.get(strategy);
    if (ofStrategy === undefined) byStrategy.set(strategy, (ofStrategy = new FigureSum()));
    const ofPeriod = first === undefined ? undefined : byPeriod[at - first];
    return ofPeriod === undefined ? [all, ofStrategy] : [all, ofStrategy, ofPeriod];
  };

  return {
    add({ parts, times }: FiguresPage): void {
      for (const part of parts) {
        for (const group of groupsOf(part.strategy, part.period)) group.add(part);
      }
      for (const [strategy, at, timeMs] of times) {
        for (const group of groupsOf(strategy, at)) group.addTime(timeMs);
      }
    },
    result(): Pick<Metrics, "all" | "byStrategy" | "period" | "byPeriod"> {
      const strategies = [...byStrategy].toSorted(([left], [right]) => left.localeCompare(right));
      const total = {
        all: all.result(),
        byStrategy: strategies.map(([strategy, sum]) => ({ strategy, ...sum.result() })),
      };
      if (period === undefined || first === undefined || fromMs === undefined) return total;
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

function refused(field: string, message: string): Problem {
  return new Problem("invalid_request", `${field}: ${message}`, { issues: [{ field, message }] });
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
