/** The meaning of a goal over tables: the typed parts that the grammar composes, and that SQL is written from. */
import type { Col, Link, Tab } from "./schema.ts";

/** Days as ISO texts, both included; null for an open end. */
export type Span = { readonly from: string | null; readonly to: string | null; readonly name: string };

export type Sign = ">" | "<" | ">=" | "<=" | "=" | "<>";

/** A column of the current rows or of rows that they refer to; `by` names the key to follow if there are several. */
export type Ref = { readonly col: Col; readonly by: Col | null };

export type Filter =
  /** `keepsEmpty`: rows without a value are not excluded with the named ones. */
  | {
      readonly t: "in";
      readonly ref: Ref;
      readonly values: readonly string[];
      readonly not: boolean;
      readonly keepsEmpty: boolean;
    }
  | {
      readonly t: "number";
      readonly ref: Ref;
      readonly sign: Sign;
      readonly value: number;
      readonly to: number | null;
    }
  | { readonly t: "empty"; readonly ref: Ref; readonly not: boolean }
  | { readonly t: "time"; readonly ref: Ref; readonly spans: readonly Span[]; readonly not: boolean }
  | { readonly t: "weekday"; readonly ref: Ref; readonly days: readonly number[]; readonly not: boolean }
  /** Two columns of one row; for dates, whole days. */
  | { readonly t: "columns"; readonly left: Ref; readonly sign: Sign; readonly right: Ref }
  | { readonly t: "days"; readonly from: Ref; readonly to: Ref; readonly sign: Sign; readonly value: number }
  /** Whether rows of another table refer to the current row. */
  | { readonly t: "exists"; readonly link: Link; readonly filters: readonly Filter[]; readonly not: boolean };

export type Expr =
  | { readonly e: "col"; readonly ref: Ref }
  | { readonly e: "product"; readonly left: Ref; readonly right: Ref }
  | { readonly e: "plus"; readonly refs: readonly Ref[] }
  /** Whole days from one date to another. */
  | { readonly e: "days"; readonly from: Ref; readonly to: Ref };

export type Aggregate = "sum" | "average" | "median" | "lowest" | "highest" | "count" | "distinct";
/** Without an expression, counts rows. */
export type Figure = { readonly agg: Aggregate; readonly expr: Expr | null };

export type Bucket = "year" | "quarter" | "month" | "week" | "weekday" | "day";
export type Group =
  /** Grouped by its columns; `shown` are other columns of the same row. */
  | { readonly g: "col"; readonly ref: Ref; readonly also: readonly Ref[]; readonly shown?: readonly Ref[] }
  | { readonly g: "bucket"; readonly ref: Ref; readonly bucket: Bucket };

/** One of the sides of a comparison: its name and its rows. */
export type Side = { readonly name: string; readonly filters: readonly Filter[] };

type Common = { readonly base: Tab; readonly filters: readonly Filter[] };

export type Meaning = Common &
  (
    | {
        readonly shape: "figures";
        readonly figures: readonly Figure[];
        readonly groups: readonly Group[];
        /** Null: not ordered by size; groups are sorted by name. */
        readonly order: "most" | "least" | null;
        /** The number of ranks; null for every group. */
        readonly ranks: number | null;
        readonly together: boolean;
        /** A condition on a group's figure. */
        readonly having: { readonly sign: Sign; readonly value: number } | null;
      }
    | {
        readonly shape: "rows";
        readonly shown: readonly Ref[];
        readonly by: Expr | null;
        readonly order: "most" | "least";
        readonly ranks: number | null;
        /** Only the shown columns, each value once, without identifying the row. */
        readonly isValues: boolean;
      }
    | { readonly shape: "share"; readonly figure: Figure; readonly focus: readonly Filter[] }
    | { readonly shape: "exists" }
    /** The same figure of two sides, and their difference. */
    | {
        readonly shape: "sides";
        readonly figure: Figure;
        readonly sides: readonly Side[];
        readonly isRate: boolean;
      }
    /** The mean over days, months, … of a figure in each. */
    | { readonly shape: "mean"; readonly figure: Figure; readonly per: Group }
  );

/** A reading whose parts do not fit together; the message names the obstacle. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** The columns that a meaning shows unchanged, or computes a figure from. */
export function toldColumns(meaning: Meaning): readonly Col[] {
  const exprs: readonly (Expr | null)[] =
    meaning.shape === "figures"
      ? meaning.figures.map(({ expr }) => expr)
      : meaning.shape === "rows"
        ? [meaning.by, ...meaning.shown.map((ref): Expr => ({ e: "col", ref }))]
        : "figure" in meaning
          ? [meaning.figure.expr]
          : [];
  return exprs.flatMap((expr) => (expr?.e === "col" ? [expr.ref.col] : []));
}
