/** One question about one table, as it is read from a clause. */
import type { PeriodUnit, Unit } from "./calendar.ts";
import type { Child, Column, Table } from "./tables.ts";

/** A point or stretch of time as a goal names it. */
export type Moment =
  /** A year, half, quarter or month. Without an index it is the latest in the data; without a year the latest such. */
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
      /** With `orNone`: a zero is a value like any other, as in `no rating`. */
      readonly isZeroSome?: boolean;
      /** More than none of it: `with a discount`. */
      readonly isSome?: boolean;
      /** Further values for `=`. */
      readonly others?: readonly number[];
    }
  /** Rows of any of these times. */
  | { readonly kind: "time"; readonly spans: readonly TimeSpan[]; readonly negated: boolean }
  | { readonly kind: "weekday"; readonly days: readonly number[]; readonly negated: boolean }
  /** Names that no sample shows: they may be values of any of the columns. */
  | { readonly kind: "anywhere"; readonly columns: readonly Column[]; readonly values: readonly string[] }
  /** The first row of an earlier step: its value is a reference, known only when that step is done. */
  | { readonly kind: "first"; readonly column: Column; readonly ref: string }
  /** No row of another table refers to it: `members without bookings`. */
  | { readonly kind: "childless"; readonly child: Child }
  /** Every value that another question lists: a subquery, so that nothing has to wait. */
  | { readonly kind: "among"; readonly column: Column; readonly question: Question };

export type Aggregate = "sum" | "average" | "median" | "lowest" | "highest" | "count" | "distinct";

/** What is computed; without a column rows are counted. */
export type Figure = { readonly aggregate: Aggregate; readonly column: Column | null };

/** A condition on the figure of a group. */
export type Having = { readonly figure: Figure; readonly sign: Sign; readonly value: number };

export type Question = {
  readonly table: Table;
  /**
   * `figures`: one row, or one a group. `groups`: how many groups meet the conditions. `average`: the mean of the
   * groups' figures. `contrast`: two values or times and their difference. `part`: what share of all rows meets `part`.
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
  /** The first one is ranked by. */
  readonly figures: readonly Figure[];
  readonly groupBy: readonly Column[];
  /** Groups by periods of this length. */
  readonly bucket: Unit | null;
  readonly filters: readonly Filter[];
  readonly having: readonly Having[];
  /** For growth the time, against the one before or against the first of two. */
  readonly times: readonly Moment[];
  /** How far back growth compares: one period, or the same period of the year before. */
  readonly lag: "previous" | "year";
  readonly order: "most" | "least" | "label";
  /** How many ranks are wanted; null for every group. Ties at the last one are all given. */
  readonly ranks: number | null;
  /** Only this rank: 2 for the second highest. */
  readonly onlyRank: boolean;
  /** What a rank counts within: `per region`, and whether it does in each period of `bucket`. */
  readonly within: readonly Column[];
  readonly isWithinTime: boolean;
  /** For rows: what they are ordered by. */
  readonly orderBy: Column | null;
  /** For rows: what is wanted of them, such as the price of the oldest bike; none for what they are called. */
  readonly shown: readonly Column[];
  /** For growth: only groups that grew, or only those that shrank. */
  readonly only: "grew" | "shrank" | null;
  /** The sum of the ranked figures is wanted beside each: `total revenue of the top 3 products`. */
  readonly isTogether: boolean;
  /** For a contrast its two sides; for a share what is asked for; for a part its conditions. */
  readonly focus: readonly Filter[];
};

/** An earlier question of the same goal, which `its` and `their` may mean. */
export type Antecedent = { readonly question: Question; readonly stepId: string };

/** A clause whose marks do not fit together; the message is for the reader. */
export class NotUnderstood extends Error {
  override readonly name = "NotUnderstood";
}
