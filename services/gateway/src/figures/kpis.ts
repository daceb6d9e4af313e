/** The metrics of a tenant's plans: of all, by strategy, by tool and by period. */
import type { DatabaseSync } from "node:sqlite";
import type { Metrics, MetricsRange, Period } from "@planwright/api";
import type { KnownTimes, PlannedBy, StepRuns, ToolTally } from "@planwright/plan";
import { createGate } from "../book/gate.ts";
import { Problem } from "../http/problem.ts";
import { FigureSum, type FigurePart } from "./figure-sum.ts";
import {
  createGroups,
  countPeriods,
  fittingPeriods,
  shownFrom,
  startOfRange,
  sqlOfPeriod,
} from "./metrics-groups.ts";
import { type FindPlan, SlowTools, type SlowTool } from "./slowest-steps.ts";
import { readStepRuns } from "./step-runs-table.ts";
import { setImmediate } from "node:timers/promises";
import { SUMS } from "./figures-table.ts";
import { sqlOfSlowTools, sqlOfTools } from "./write-figures.ts";

/** Views are made many times a second, while average step durations hardly change within this time. */
const KEPT_MS = 2_000;
/** The number of tenants whose runs are cached; with more, all are read again. */
const TENANTS_MAX = 1_000;

/** The maximum number of plans per request; beyond it, their durations alone would use too much memory. */
const PLANS_MAX = 1_000_000;
const PERIODS_MAX = 1_000;
const AT_ONCE = 2;
const WAITING_MAX = 50;

export type KpisQuery = {
  readonly tenant: string;
  /** Milliseconds since the epoch. Absent: the beginning, or a number of periods ago. */
  readonly fromMs?: number | undefined;
  /** Exclusive end. */
  readonly toMs: number;
  /** Used instead of `fromMs`. */
  readonly last?: MetricsRange | undefined;
  readonly period?: Period | "auto" | undefined;
  readonly compare?: "previous" | undefined;
  readonly strategy?: PlannedBy | undefined;
  /** How many of the slowest single steps to return. */
  readonly slowest?: number | undefined;
};

type ReadKpis = (query: KpisQuery) => Promise<Metrics>;

/**
 * Makes the function that adds metrics up. A plan counts in the period in which it ended.
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

/** @param counted - The plans that this request has read so far. */
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
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
};

/** The basis for estimates of open plans, by tenant, in addition to the plans themselves. */
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

/** Plans per page. A page takes a few milliseconds; other requests run between pages. */
const PAGE = 2_000;

/** Selects the metrics of plans, in the order in which the plans ended. */
export type FiguresQuery = {
  readonly tenant: string;
  /** Start (inclusive) and end (exclusive), in milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly strategy?: string | undefined;
  readonly period?: Period | undefined;
  /** Whether to add up tools, too; default false. */
  readonly byTool?: boolean;
  /** How many tools with the longest single steps are returned for each page; default none. */
  readonly slowest?: number | undefined;
};

export type FiguresPage = {
  readonly plans: number;
  /** By strategy and the number of the period; -1 without periods. */
  readonly parts: readonly (FigurePart & { readonly strategy: PlannedBy; readonly period: number })[];
  /** The durations of the plans that succeeded. */
  readonly times: readonly (readonly [strategy: PlannedBy, period: number, durationMs: number])[];
  /** Empty unless requested. */
  readonly tools: readonly ToolTally[];
  readonly slowTools: readonly SlowTool[];
};

type Key = { readonly endedMs: number; readonly sequence: number };
type Listed = [endedMs: number, sequence: number, strategy: PlannedBy, period: number, timeMs: number | null];

/**
 * When the first plan of the range ended, whatever its strategy, so that all strategies are shown in the same periods.
 *
 * @returns Milliseconds since the epoch; undefined when there is none.
 */
export function firstEndOf(
  database: DatabaseSync,
  { tenant, fromMs, toMs }: FiguresQuery,
): number | undefined {
  const row = database
    .prepare(
      `SELECT endedMs FROM plan_figures
       WHERE tenant = :tenant AND endedMs >= :fromMs AND endedMs < :toMs ORDER BY endedMs LIMIT 1`,
    )
    .get({ tenant, fromMs, toMs });
  return typeof row?.["endedMs"] === "number" ? row["endedMs"] : undefined;
}

/** Reads one page of plans at a time, aggregated by the database as far as possible. */
export async function* readFigures(
  database: DatabaseSync,
  { tenant, fromMs, toMs, strategy, period, byTool = false, slowest }: FiguresQuery,
): AsyncGenerator<FiguresPage> {
  const index = period === undefined ? "-1" : sqlOfPeriod(period, "endedMs");
  const ours = `tenant = :tenant ${strategy === undefined ? "" : "AND strategy = :strategy"}`;
  const list = database.prepare(`
    SELECT endedMs, sequence, strategy, ${index}, iif(outcome = 'succeeded', durationMs, NULL) FROM plan_figures
    WHERE ${ours} AND (endedMs, sequence) > (:endedMs, :sequence) AND endedMs < :toMs
    ORDER BY endedMs, sequence LIMIT ${PAGE}`);
  // As arrays: making an object of each row takes twice as long.
  list.setReturnArrays(true);
  const range = `${ours} AND (endedMs, sequence) > (:endedMs, :sequence) AND (endedMs, sequence) <= (:lastMs, :last)`;
  const sum = database.prepare(`
    SELECT strategy, ${index} AS period, ${Object.entries(SUMS)
      .map(([name, value]) => `${value} AS ${name}`)
      .join(", ")}
    FROM plan_figures
    WHERE ${range}
    GROUP BY 1, 2`);
  const sumTools = database.prepare(sqlOfTools(range));
  const listSlow = slowest === undefined ? undefined : database.prepare(sqlOfSlowTools(range));
  const fixed = { tenant, ...(strategy === undefined ? {} : { strategy }) };
  let after: Key = { endedMs: fromMs - 1, sequence: Number.MAX_SAFE_INTEGER };
  for (;;) {
    // The columns are our own, and the table is strict.
    const rows = list.all({ ...fixed, ...after, toMs }) as unknown as Listed[];
    const last = rows.at(-1);
    if (last === undefined) return;
    const [lastMs, lastSequence] = last;
    const page = { ...fixed, ...after, lastMs, last: lastSequence };
    const parts = sum.all(page) as unknown as FiguresPage["parts"];
    const tools = byTool ? (sumTools.all(page) as unknown as FiguresPage["tools"]) : [];
    const slowTools =
      listSlow === undefined || slowest === undefined
        ? []
        : (listSlow.all({ ...page, count: slowest }) as unknown as FiguresPage["slowTools"]);
    const times = rows.flatMap(([, , by, at, timeMs]) =>
      timeMs === null ? [] : [[by, at, timeMs] as const],
    );
    yield { plans: rows.length, parts, times, tools, slowTools };
    if (rows.length < PAGE) return;
    after = { endedMs: lastMs, sequence: lastSequence };
    await setImmediate();
  }
}
