/** Writes the metrics of ended plans, and later feedback, to the projection. */
import type { FeedbackGiven, PlanFigures, PlanId, PlanOutline, ToolTally } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";
import { COUNTS, DURATION_CLASSES_MS, TOTAL_NAMES, type TotalName, withinName } from "./figures-table.ts";

const COLUMNS = ["strategy", "outcome", "durationMs", "planningMs", "costUsd", "ratings", ...COUNTS] as const;
const KEY = "tenant = :tenant AND endedMs = :endedMs AND sequence = :sequence";

export type FiguresWriter = {
  /** Call this first in each transaction: it discards an unfinished earlier one. */
  begin(): void;
  /** Does nothing for an open plan, a sub-plan, or one whose metrics are unknown. */
  add(outline: PlanOutline, sequence: number): void;
  /** Call this once everything is added, and before anything is rated. */
  addTotals(): void;
  /** The latest rating counts. Does nothing when the plan is not known to have ended. */
  rate(planId: PlanId, feedback: Pick<FeedbackGiven["data"], "number" | "rating">): void;
  /** Removes a plan's metrics. Call this before the plan leaves the list. */
  remove(sequence: number): void;
};

/** Call the returned functions inside a transaction. */
export function prepareFigures(database: DatabaseSync): FiguresWriter {
  // Positional: binding this many values by name costs more than writing them.
  const insert = database.prepare(`
    INSERT INTO plan_figures (tenant, endedMs, sequence, isFork, rating, ${COLUMNS.join(", ")})
    VALUES (?, ?, ?, ?, ?, ${COLUMNS.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`);
  const update = database.prepare(
    `UPDATE plan_figures SET rating = :rating, ratings = :number WHERE ${KEY} AND ratings < :number`,
  );
  const drop = database.prepare(`DELETE FROM plan_figures WHERE ${KEY}`);
  const addTotal = database.prepare(`
    INSERT INTO figure_totals (strategy, outcome, ${TOTAL_NAMES.join(", ")})
    VALUES (?, ?, ${TOTAL_NAMES.map(() => "?").join(", ")})
    ON CONFLICT DO UPDATE SET ${TOTAL_NAMES.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`);
  const keyById = database.prepare("SELECT tenant, ended_ms, sequence FROM plans WHERE id = ?");
  const keyBySequence = database.prepare("SELECT tenant, ended_ms, sequence FROM plans WHERE sequence = ?");
  const tools = prepareToolFigures(database);
  const totals = new Map<string, { readonly figures: PlanFigures; readonly sums: Totals }>();

  return {
    begin: () => totals.clear(),
    add({ tenant, endedAt, parent, figures }, sequence) {
      if (figures === undefined || endedAt === undefined || parent !== undefined) return;
      const { isFork, rating = null, ratings } = figures;
      const endedMs = Date.parse(endedAt);
      const values = COLUMNS.map((name) => figures[name]);
      const { changes } = insert.run(tenant, endedMs, sequence, isFork ? 1 : 0, rating, ...values);
      if (changes > 0) {
        count(totals, figures);
        tools.add({ tenant, endedMs, sequence }, figures);
      } else if (rating !== null) update.run({ tenant, endedMs, sequence, rating, number: ratings });
    },
    addTotals() {
      for (const { figures, sums } of totals.values()) {
        addTotal.run(figures.strategy, figures.outcome, ...TOTAL_NAMES.map((name) => sums[name]));
      }
      totals.clear();
    },
    rate(planId, { number, rating }) {
      const key = keyOf(keyById.get(planId));
      if (key !== undefined) update.run({ ...key, number, rating });
    },
    remove(sequence) {
      const key = keyOf(keyBySequence.get(sequence));
      if (key === undefined) return;
      drop.run(key);
      tools.remove(key);
    },
  };
}

type Totals = Record<TotalName, number>;

function count(
  totals: Map<string, { readonly figures: PlanFigures; readonly sums: Totals }>,
  figures: PlanFigures,
): void {
  const group = `${figures.strategy} ${figures.outcome}`;
  const sums = totals.get(group)?.sums ?? emptyTotals();
  totals.set(group, { figures, sums });
  const { durationMs, planningMs, costUsd, isFork, rating } = figures;
  sums.plans += 1;
  sums.durationMs += durationMs;
  sums.planningMs += planningMs ?? 0;
  sums.plannedMs += planningMs === null ? 0 : durationMs;
  sums.costUsd += costUsd ?? 0;
  sums.forks += isFork ? 1 : 0;
  sums.rated += rating === undefined ? 0 : 1;
  sums.ratingSum += rating ?? 0;
  for (const name of COUNTS) sums[name] += figures[name];
  for (const ms of DURATION_CLASSES_MS) if (durationMs <= ms) sums[withinName(ms)] += 1;
}

function emptyTotals(): Totals {
  return Object.fromEntries(TOTAL_NAMES.map((name) => [name, 0])) as Totals;
}

function keyOf(row: Readonly<Record<string, unknown>> | undefined) {
  if (row === undefined || typeof row["ended_ms"] !== "number") return undefined;
  const { tenant, ended_ms: endedMs, sequence } = row;
  return { tenant: String(tenant), endedMs, sequence: Number(sequence) };
}

/** The key of a plan's metrics. */
type FiguresKey = { readonly tenant: string; readonly endedMs: number; readonly sequence: number };

const TALLIES = ["steps", "failed", "retries", "durationMs", "longestMs"] as const satisfies readonly Exclude<
  keyof ToolTally,
  "tool"
>[];

/**
 * The steps of ended plans by tool: a row for each tool of a plan, in the order in which plans ended, so that one range of keys
 * reads a page of plans and its tools. Written and removed together with the metrics of its plan.
 */
export const TOOL_FIGURES_SCHEMA = `
  CREATE TABLE tool_figures (
    tenant TEXT NOT NULL,
    endedMs INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    tool TEXT NOT NULL,
    strategy TEXT NOT NULL,
    ${TALLIES.map((name) => `${name} INTEGER NOT NULL`).join(",\n    ")},
    PRIMARY KEY (tenant, endedMs, sequence, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tool_figures_by_tool ON tool_figures (tenant, tool, endedMs, failed);
`;

type ToolFiguresWriter = {
  add(key: FiguresKey, figures: Pick<PlanFigures, "strategy" | "tools">): void;
  remove(key: FiguresKey): void;
};

/** Call the returned functions inside a transaction. */
export function prepareToolFigures(database: DatabaseSync): ToolFiguresWriter {
  const insert = database.prepare(`
    INSERT INTO tool_figures (tenant, endedMs, sequence, tool, strategy, ${TALLIES.join(", ")})
    VALUES (?, ?, ?, ?, ?, ${TALLIES.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`);
  const drop = database.prepare(
    "DELETE FROM tool_figures WHERE tenant = :tenant AND endedMs = :endedMs AND sequence = :sequence",
  );
  return {
    add({ tenant, endedMs, sequence }, { strategy, tools = [] }) {
      for (const tally of tools) {
        const values = TALLIES.map((name) => tally[name]);
        insert.run(tenant, endedMs, sequence, tally.tool, strategy, ...values);
      }
    },
    remove: (key) => void drop.run(key),
  };
}

/** The tools with the longest single steps of the plans in a range of keys. @param where - A condition on the columns of the key. */
export function sqlOfSlowTools(where: string): string {
  return `
    SELECT sequence, tool, longestMs FROM tool_figures
    WHERE ${where} AND steps > 0 ORDER BY longestMs DESC LIMIT :count`;
}

/** Adds up the tools of the plans in a range of keys. @param where - A condition on the columns of the key. */
export function sqlOfTools(where: string): string {
  return `
    SELECT tool, sum(steps) AS steps, sum(failed) AS failed, sum(retries) AS retries,
      sum(durationMs) AS durationMs, max(longestMs) AS longestMs
    FROM tool_figures WHERE ${where} GROUP BY tool`;
}
