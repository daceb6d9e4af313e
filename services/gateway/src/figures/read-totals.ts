import type { DatabaseSync } from "node:sqlite";
import type { TotalName } from "./figures-table.ts";

/** The totals of all tenants' plans with this status and outcome, since the log began. */
export type FigureTotal = Readonly<Record<TotalName, number>> & {
  readonly strategy: string;
  readonly outcome: string;
};

export function readTotals(database: DatabaseSync): FigureTotal[] {
  // The columns are our own, and the table is strict.
  return database.prepare("SELECT * FROM figure_totals").all() as FigureTotal[];
}
