/** Reads the figures of plans, in the order in which they ended. */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { FigureRow } from "./figure-sum.ts";
import { COUNTS } from "./figures-table.ts";

/** So many rows take a few milliseconds: between pages, others have their turn. */
const PAGE = 1_000;

export type FiguresQuery = {
  readonly tenant: string;
  /** The first moment that counts, and the first one that does not, in milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly strategy?: string | undefined;
};

const COLUMNS = ["strategy", "outcome", "durationMs", "planningMs", "costUsd", "isFork", "rating", ...COUNTS];

/** A page of rows at a time. */
export async function* readFigures(
  database: DatabaseSync,
  { tenant, fromMs, toMs, strategy }: FiguresQuery,
): AsyncGenerator<readonly FigureRow[]> {
  const statement = database.prepare(`
    SELECT endedMs, sequence, ${COLUMNS.join(", ")} FROM plan_figures
    WHERE tenant = :tenant AND (endedMs, sequence) > (:endedMs, :sequence) AND endedMs < :toMs
      ${strategy === undefined ? "" : "AND strategy = :strategy"}
    ORDER BY endedMs, sequence LIMIT ${PAGE}`);
  const fixed = { tenant, toMs, ...(strategy === undefined ? {} : { strategy }) };
  let after = { endedMs: fromMs - 1, sequence: Number.MAX_SAFE_INTEGER };
  for (;;) {
    // Its columns are our own, and the table is strict.
    const rows = statement.all({ ...fixed, ...after }) as (FigureRow & { readonly sequence: number })[];
    yield rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = { endedMs: last.endedMs, sequence: last.sequence };
    await setImmediate();
  }
}
