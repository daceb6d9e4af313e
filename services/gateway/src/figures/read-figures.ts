/** Reads the figures of plans, in the order in which they ended. */
import type { Period } from "@planwright/api";
import type { PlannedBy, ToolTally } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { FigurePart } from "./figure-sum.ts";
import { SUMS } from "./figures-table.ts";
import { sqlOfPeriod } from "./periods.ts";
import type { SlowTool } from "./slowest-steps.ts";
import { sqlOfSlowTools, sqlOfTools } from "./tool-figures-table.ts";

/** So many plans take a few milliseconds: between pages, others have their turn. */
const PAGE = 2_000;

export type FiguresQuery = {
  readonly tenant: string;
  /** The first moment that counts, and the first one that does not, in milliseconds since the epoch. */
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
  /** Of the plans that succeeded. */
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

/** A page of plans at a time, added up as far as that can be done by the database. */
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
  // As lists: to make an object of each row takes twice as long.
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
