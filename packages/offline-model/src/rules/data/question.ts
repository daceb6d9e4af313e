import type { Unit } from "./calendar.ts";
import type { Column, Table } from "./tables.ts";

/** A period as a goal names it; null means the latest that the data has. */
export type Period = { readonly unit: Unit; readonly index: number | null; readonly year: number | null };

export type Filter =
  | { readonly kind: "values"; readonly column: Column; readonly values: readonly string[] }
  | {
      readonly kind: "number";
      readonly column: Column;
      readonly sign: ">" | "<" | ">=" | "<=";
      readonly value: number;
    }
  /** Names that no sample shows: they may be values of any of the columns. */
  | { readonly kind: "anywhere"; readonly columns: readonly Column[]; readonly values: readonly string[] }
  /** The first row of an earlier step: its value is a reference, known only when that step is done. */
  | { readonly kind: "first"; readonly column: Column; readonly ref: string }
  /** Every value that another question lists: a subquery, so that nothing has to wait. */
  | { readonly kind: "among"; readonly column: Column; readonly question: Question };

export type Aggregate = "sum" | "average" | "lowest" | "highest" | "count" | "distinct";

/** One question about one table, read from a clause. */
export type Question = {
  readonly table: Table;
  readonly shape: "totals" | "growth" | "share" | "rows" | "values";
  readonly aggregate: Aggregate;
  /** What is added up; null when rows are counted. */
  readonly measure: Column | null;
  readonly groupBy: readonly Column[];
  /** Groups by periods of this length. */
  readonly bucket: Unit | null;
  readonly filters: readonly Filter[];
  /** Rows of any of these periods; for growth the last one, against the one before or against the first one. */
  readonly periods: readonly Period[];
  /** How many periods back growth compares: 1, or a year's worth of them. */
  readonly lag: "previous" | "year";
  readonly order: "most" | "least" | "label";
  readonly limit: number;
  /** The values that a share is asked for: found in the list, so no filter, but what `they` means later. */
  readonly focus: readonly Filter[];
  /** What one row is, such as `order`; null when the table does not say. */
  readonly entity: string | null;
};

/** An earlier question of the same goal, which `its` and `their` may mean. */
export type Antecedent = { readonly question: Question; readonly stepId: string };
