import type { DatabaseSync } from "node:sqlite";
import type { TotalName } from "./figures-table.ts";

/** What the plans of all tenants that ended so and came about so come to, since the log began. */
export type FigureTotal = Readonly<Record<TotalName, number>> & {
  readonly strategy: string;
  readonly outcome: string;
};

export function readTotals(database: DatabaseSync): FigureTotal[] {
  // Its columns are our own, and the table is strict.
  return database.prepare("SELECT * FROM figure_totals").all() as FigureTotal[];
}
