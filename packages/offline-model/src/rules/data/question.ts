/** One question about one table, as read from a clause. */
import type { PeriodUnit, Unit } from "./calendar.ts";
import type { Child, Column, Table } from "./tables.ts";

/** A point or range of time as a goal names it. */
export type Moment =
  /** A year, half, quarter or month. Without an index, the latest in the data; without a year, the latest such. */
  | { readonly unit: PeriodUnit; readonly index: number | null; readonly year: number | null }
  | { readonly unit: "day"; readonly month: number; readonly day: number; readonly year: number | null };

/** `from` and `to` name moments; `fromEnd` excludes the first one, `toEnd` includes the last one. */
export type TimeSpan =
  /** The days, calendar months or such up to the last date of the data. */
  | { readonly kind: "last"; readonly count: number; readonly unit: "day" | "week" | PeriodUnit }
  | { readonly kind: "in"; readonly moment: Moment }
  | {
      readonly kind: "span";
      readonly from: Moment | null;
      readonly fromEnd: boolean;
      readonly to: Moment | null;
      readonly toEnd: boolean;
    };

export type Sign = ">" | "<" | ">=" | "<=" | "=" | "<>";

export type Filter =
  | {
      readonly kind: "values";
      readonly column: Column;
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  | {
      readonly kind: "number";
      readonly column: Column;
      readonly sign: Sign;
      readonly value: number;
      /** Rows without a value count as zero: `no discount`. */
      readonly orNone?: boolean;
      /** With `orNone`: zero is a value like any other, as in `no rating`. */
      readonly isZeroSome?: boolean;
      /** More than none of it: `with a discount`. */
      readonly isSome?: boolean;
      /** Additional values for `=`. */
      readonly others?: readonly number[];
    }
  /** Rows of any of these times. */
  | { readonly kind: "time"; readonly spans: readonly TimeSpan[]; readonly negated: boolean }
  | { readonly kind: "weekday"; readonly days: readonly number[]; readonly negated: boolean }
  /** Names that occur in no sample: they could be values of any of the columns. */
  | { readonly kind: "anywhere"; readonly columns: readonly Column[]; readonly values: readonly string[] }
  /** The first row of an earlier step: its value is a reference, known only after that step. */
  | { readonly kind: "first"; readonly column: Column; readonly ref: string }
  /** No row of another table refers to it: `members without bookings`. */
  | { readonly kind: "childless"; readonly child: Child }
  /** Every value that another question lists: a subquery, so that nothing must wait. */
  | { readonly kind: "among"; readonly column: Column; readonly question: Question };

export type Aggregate = "sum" | "average" | "median" | "lowest" | "highest" | "count" | "distinct";

/** The aggregate; without a column, rows are counted. */
export type Figure = { readonly aggregate: Aggregate; readonly column: Column | null };

/** A condition on a group's figure. */
export type Having = { readonly figure: Figure; readonly sign: Sign; readonly value: number };

export type Question = {
  readonly table: Table;
  /**
   * `figures`: one row, or one per group. `groups`: how many groups meet the conditions. `average`: the mean of the
   * groups' figures. `contrast`: two values or times and their difference. `part`: the share of all rows that meets `part`.
   */
  readonly shape:
    | "figures"
    | "groups"
    | "average"
    | "growth"
    | "share"
    | "part"
    | "contrast"
    | "rows"
    | "values";
  /** The rank is by the first one. */
  readonly figures: readonly Figure[];
  readonly groupBy: readonly Column[];
  /** Groups rows by periods of this length. */
  readonly bucket: Unit | null;
  readonly filters: readonly Filter[];
  readonly having: readonly Having[];
  /** For growth: the period, compared with the previous one or with the first of two. */
  readonly times: readonly Moment[];
  /** The comparison period of growth: the previous period, or the same period of the previous year. */
  readonly lag: "previous" | "year";
  readonly order: "most" | "least" | "label";
  /** The number of ranks; null for every group. Includes all ties at the last one. */
  readonly ranks: number | null;
  /** Only this rank: 2 for the second highest. */
  readonly onlyRank: boolean;
  /** The scope of a rank: `per region`, and whether it also applies within each period of `bucket`. */
  readonly within: readonly Column[];
  readonly isWithinTime: boolean;
  /** For rows: their order. */
  readonly orderBy: Column | null;
  /** For rows: the requested columns, such as the price of the oldest bike; empty for their name. */
  readonly shown: readonly Column[];
  /** For growth: only groups that grew, or only those that declined. */
  readonly only: "grew" | "shrank" | null;
  /** Adds the sum of the ranked figures beside each: `total revenue of the top 3 products`. */
  readonly isTogether: boolean;
  /** For a contrast, its two sides; for a share, the requested values; for a part, its conditions. */
  readonly focus: readonly Filter[];
};

/** An earlier question of the same goal, which `its` and `their` can mean. */
export type Antecedent = { readonly question: Question; readonly stepId: string };

/** A clause whose marks do not fit together; the message is for the user. */
export class NotUnderstood extends Error {
  override readonly name = "NotUnderstood";
}
