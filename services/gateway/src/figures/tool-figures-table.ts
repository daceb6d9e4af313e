/**
 * What the steps of ended plans did, by tool: a row for each tool of a plan, in the order in which plans ended, so that a page of
 * plans and its tools are read by one range of keys. Written and removed together with the figures of its plan.
 */
import type { PlanFigures, ToolTally } from "@planwright/plan";
import type { DatabaseSync } from "node:sqlite";

/** Where the figures of a plan stand. */
type FiguresKey = { readonly tenant: string; readonly endedMs: number; readonly sequence: number };

const TALLIES = ["steps", "failed", "retries", "durationMs", "longestMs"] as const satisfies readonly Exclude<
  keyof ToolTally,
  "tool"
>[];

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

/** Its functions want to be called inside a transaction. */
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
