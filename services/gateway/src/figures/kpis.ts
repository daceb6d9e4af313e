/** The metrics of a tenant's plans: of all, by strategy, by tool and by period. */
import type { DatabaseSync } from "node:sqlite";
import type { Metrics, MetricsRange, Period } from "@planwright/api";
import type { KnownTimes, PlannedBy, StepRuns } from "@planwright/plan";
import { createGate } from "../book/gate.ts";
import { Problem } from "../http/problem.ts";
import { FigureSum } from "./figure-sum.ts";
import { createGroups } from "./metrics-groups.ts";
import { countPeriods, fittingPeriods, shownFrom, startOfRange } from "./periods.ts";
import { type FiguresPage, type FiguresQuery, firstEndOf, readFigures } from "./read-figures.ts";
import { type FindPlan, SlowTools } from "./slowest-steps.ts";
import { readStepRuns } from "./step-runs-table.ts";

/** Views are made many times a second, and what steps take on average hardly changes within this time. */
const KEPT_MS = 2_000;
/** Tenants whose runs are kept; of more, all are read again. */
const TENANTS_MAX = 1_000;

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
  /** In the place of `fromMs`. */
  readonly last?: MetricsRange | undefined;
  readonly period?: Period | "auto" | undefined;
  readonly compare?: "previous" | undefined;
  readonly strategy?: PlannedBy | undefined;
  /** How many of the slowest single steps to return. */
  readonly slowest?: number | undefined;
};

type ReadKpis = (query: KpisQuery) => Promise<Metrics>;

/**
 * Makes the function that adds metrics up. A plan counts when it ended.
 *
 * @param find - Reads a plan, for its slowest steps.
 * @throws {Problem} From the returned function: `invalid_request` for a range that is empty or too long, `overloaded`.
 */
export function createReadKpis(database: DatabaseSync, find: FindPlan): ReadKpis {
  const gate = createGate({
    atOnce: AT_ONCE,
    waitingMax: WAITING_MAX,
    onFull: () => new Problem("overloaded", "Too many requests for metrics; try again.", { retryAfterS: 1 }),
  });
  return async (query) => {
    const { tenant, toMs, strategy, slowest } = query;
    const fromMs = startOf(query);
    const before = query.compare === undefined ? undefined : previousOf({ fromMs, toMs });
    const range = { tenant, fromMs: fromMs ?? 0, toMs, strategy };
    const periods = periodsOf(database, query, range);
    using _turn = await gate.enter();
    const groups = createGroups(periods, toMs);
    const slowTools = new SlowTools(slowest ?? 0);
    const counted = { plans: 0 };
    for await (const page of pagesOf(
      database,
      { ...range, period: periods?.period, byTool: true, slowest },
      counted,
    )) {
      groups.add(page);
      slowTools.add(page.slowTools);
    }
    const previous = before && (await sumOf(pagesOf(database, { ...range, ...before }, counted)));
    return {
      ...(fromMs === undefined ? {} : { from: isoOf(fromMs) }),
      to: isoOf(toMs),
      ...(strategy === undefined ? {} : { strategy }),
      ...groups.result(),
      ...(slowest === undefined ? {} : { slowestSteps: await slowTools.steps(database, find) }),
      ...(previous && { previous: { from: isoOf(before.fromMs), to: isoOf(before.toMs), ...previous } }),
    };
  };
}

function startOf({ fromMs, toMs, last, period }: KpisQuery): number | undefined {
  if (fromMs !== undefined && last !== undefined) throw refused("last", "wanted either `from` or `last`");
  if (fromMs !== undefined && fromMs >= toMs) throw refused("from", "wanted a time before `to`");
  if (last !== undefined) return startOfRange(last, toMs);
  if (fromMs !== undefined || period === undefined || period === "auto") return fromMs;
  return shownFrom(period, toMs);
}

type Span = { readonly fromMs: number; readonly toMs: number };

function previousOf({ fromMs, toMs }: { readonly fromMs: number | undefined; readonly toMs: number }): Span {
  if (fromMs === undefined)
    throw refused("compare", "wanted `from` or `last`: otherwise there is no earlier period to compare with");
  return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
}

/** The periods of a query, and where they begin. */
function periodsOf(
  database: DatabaseSync,
  { period }: KpisQuery,
  range: FiguresQuery,
): { readonly period: Period; readonly fromMs: number } | undefined {
  if (period === undefined) return undefined;
  const { fromMs, toMs } = range;
  if (period === "auto") {
    const firstMs = firstEndOf(database, range);
    // Without plans and without a start, there is only the end.
    return fittingPeriods({ fromMs: fromMs === 0 ? (firstMs ?? toMs - 1) : fromMs, firstMs, toMs });
  }
  const periods = countPeriods(period, range);
  if (periods > PERIODS_MAX) {
    throw refused("period", `wanted at most ${PERIODS_MAX} periods between from and to, got ${periods}`);
  }
  return { period, fromMs };
}

/** @param counted - The plans that one request has read so far. */
async function* pagesOf(
  database: DatabaseSync,
  query: FiguresQuery,
  counted: { plans: number },
): AsyncGenerator<FiguresPage> {
  for await (const page of readFigures(database, query)) {
    counted.plans += page.plans;
    if (counted.plans > PLANS_MAX) {
      throw refused("from", `the period has more than ${PLANS_MAX} plans: choose a shorter one`);
    }
    yield page;
  }
}

async function sumOf(pages: AsyncIterable<FiguresPage>): Promise<Metrics["all"]> {
  const sum = new FigureSum();
  for await (const { parts, times } of pages) {
    for (const part of parts) sum.add(part);
    for (const [, , timeMs] of times) sum.addTime(timeMs);
  }
  return sum.result();
}

function refused(field: string, message: string): Problem {
  return new Problem("invalid_request", `${field}: ${message}`, { issues: [{ field, message }] });
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

type Options = {
  readonly database: DatabaseSync;
  /** How many steps run at a time, by pool. */
  readonly slots: () => ReadonlyMap<string, number>;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
};

/** The basis for estimates of open plans, besides the plans themselves; by tenant. */
export function createKnownTimes({ database, slots, clock }: Options): (tenant: string) => KnownTimes {
  const kept = new Map<string, { readonly past: ReadonlyMap<string, StepRuns>; readonly readMs: number }>();
  return (tenant) => {
    const known = kept.get(tenant);
    if (known !== undefined && clock() - known.readMs < KEPT_MS) return { past: known.past, slots: slots() };
    if (kept.size >= TENANTS_MAX) kept.clear();
    const past = readStepRuns(database, tenant);
    kept.set(tenant, { past, readMs: clock() });
    return { past, slots: slots() };
  };
}
