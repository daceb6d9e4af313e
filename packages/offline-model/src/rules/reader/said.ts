/** The content of a goal, chunk by chunk: conditions, nouns, figures and ranks, before the intended rows are known. */
import type { Ask, Chunk, Negation, Sense } from "../words/senses.ts";
import type { DeedKind } from "../words/deed-words.ts";
import type { Aggregate, Bucket, Sign } from "./meaning.ts";
import type { Col, Tab } from "./schema.ts";
import type { TimeSense } from "./times.ts";

export type Item = Chunk & {
  /** The last preposition in front of it, and all function words there. */
  readonly prep: string | null;
  readonly skipped: readonly string[];
};
export type Of<K extends Sense["k"]> = Extract<Item, { k: K }>;

/** A condition as written; `at` is its position among the chunks. */
export type Said = { readonly at: number; readonly prep: string | null; readonly not: Negation | null } & (
  | {
      readonly s: "values";
      readonly col: Col;
      readonly values: readonly string[];
      readonly isRepeated: boolean;
    }
  | { readonly s: "bool"; readonly col: Col; readonly yes: boolean }
  | {
      readonly s: "number";
      readonly col: Col;
      readonly sign: Sign;
      readonly value: number;
      readonly to: number | null;
    }
  | { readonly s: "empty"; readonly col: Col }
  | {
      readonly s: "time";
      readonly times: readonly TimeSense[];
      readonly isThisYear: boolean;
      readonly event: Col | null;
    }
  | { readonly s: "weekday"; readonly days: readonly number[]; readonly event: Col | null }
  | { readonly s: "due"; readonly sign: Sign }
  | { readonly s: "event"; readonly col: Col }
  | { readonly s: "rows"; readonly tab: Tab }
);

export type Noun = {
  readonly at: number;
  readonly text: string;
  readonly prep: string | null;
  /** How far its words are from the name of the matched thing. */
  readonly cost: number;
  /** Money without a name, or a unit such as kilograms, stand for columns with that unit. */
  readonly of:
    | { readonly n: "ent"; readonly tab: Tab }
    | { readonly n: "col"; readonly col: Col }
    | { readonly n: "money" }
    | { readonly n: "stuff"; readonly tab: Tab }
    | { readonly n: "unit"; readonly unit: string };
};

export type Sup = Of<"sup"> & { readonly at: number; readonly count: number | null };

/** `rows`: the noun negated together with the verb, as in `never been given a job`. */
export type Deed = {
  readonly at: number;
  readonly text: string;
  readonly kinds: ReadonlySet<DeedKind>;
  readonly rows: Tab | null;
};

export type Frame = {
  readonly ask: Ask | null;
  readonly said: Said[];
  readonly nouns: Noun[];
  readonly sups: Sup[];
  readonly aggs: { readonly agg: Aggregate; readonly at: number }[];
  readonly deeds: readonly Deed[];
  readonly groups: (Noun | { readonly at: number; readonly bucket: Bucket; readonly isMean: boolean })[];
  readonly buckets: { readonly at: number; readonly bucket: Bucket }[];
  readonly flags: Set<Flag>;
  readonly having: { sign: Sign; value: number; tab: Tab } | null;
  readonly cost: number;
};

/** Words that apply once to the whole question; `morerows` asks how many more. */
export type Flag = Sense["k"] | "morerows";

export function isNumber({ kind, isNumeric }: Col): boolean {
  return kind === "number" && isNumeric;
}

const MONEY = /^(?:eur|usd|gbp|chf)$/;

/** How many of a column's own units make up another one: 60 minutes are an hour. */
export function factorOf(unit: string, col: Col): number {
  if (unit === col.unit) return 1;
  const factors: Readonly<Record<string, number>> = {
    "h min": 60,
    "week day": 7,
    "t kg": 1000,
    "kg g": 1000,
    "km m": 1000,
  };
  return factors[`${unit} ${col.unit ?? lastWord(col)}`] ?? 1;
}

function lastWord({ words }: Col): string {
  return words.at(-1) ?? "";
}

export function isOfUnit(unit: string, col: Col): boolean {
  if (MONEY.test(unit))
    return col.isMoney && (col.unit === null || !MONEY.test(col.unit) || col.unit === unit);
  return col.unit === unit || lastWord(col) === unit || factorOf(unit, col) !== 1;
}
