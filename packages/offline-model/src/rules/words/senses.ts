/** The possible meanings of a phrase in a goal: words of the language, and words of the current tables. */
import type { DeedKind } from "./deed-words.ts";
import type { Aggregate, Bucket, Sign } from "../reader/meaning.ts";
import type { Col, Schema, Tab } from "../reader/schema.ts";
import type { TimeSense } from "../reader/times.ts";
import type { Token } from "./tokens.ts";

export type Ask =
  | "how many"
  | "how much"
  | "how long"
  | "how often"
  | "which"
  | "what"
  | "who"
  | "when"
  | "where"
  | "whether"
  | "list";

export type Negation = "not" | "no" | "without" | "except";

export type Sense =
  /** A function word: has no meaning alone. A preposition can determine which of two keys is meant. */
  | { readonly k: "skip" }
  | { readonly k: "ask"; readonly ask: Ask }
  | { readonly k: "agg"; readonly agg: Aggregate }
  /** `most` has no kind; `heaviest` is of weights; `latest` of dates. */
  | {
      readonly k: "sup";
      readonly dir: "most" | "least";
      readonly kinds: readonly string[] | null;
      readonly isDate: boolean;
      readonly often: boolean;
    }
  | { readonly k: "num"; readonly value: number }
  | { readonly k: "cmp"; readonly sign: Sign; readonly kinds: readonly string[] | null }
  /** After its number: `or more`. */
  | { readonly k: "trail"; readonly sign: Sign }
  | { readonly k: "between" }
  | { readonly k: "unit"; readonly unit: string }
  | { readonly k: "ent"; readonly tab: Tab }
  | { readonly k: "col"; readonly col: Col }
  | { readonly k: "val"; readonly col: Col; readonly value: string }
  | { readonly k: "bool"; readonly col: Col; readonly yes: boolean }
  | { readonly k: "time"; readonly time: TimeSense }
  | { readonly k: "this"; readonly unit: "year" }
  | { readonly k: "weekday"; readonly days: readonly number[] }
  | { readonly k: "neg"; readonly neg: Negation }
  | { readonly k: "each" }
  | { readonly k: "by" }
  | { readonly k: "bucket"; readonly bucket: Bucket }
  | { readonly k: "share" }
  | { readonly k: "different" }
  /** The action in the rows of a table: `sold` of sales. */
  | { readonly k: "verb"; readonly tab: Tab }
  /** A verb that only links a figure to what is named: `carried`. */
  | { readonly k: "deed"; readonly kinds: ReadonlySet<DeedKind> }
  /** The thing that a table's rows are amounts of: `honey` of a table with a `honey_type`. */
  | { readonly k: "stuff"; readonly tab: Tab }
  /** `called`: in front of a name. */
  | { readonly k: "naming" }
  /** `a single sailing`: each row separately; after a negation, any. */
  | { readonly k: "single" }
  | { readonly k: "than" }
  /** `how much lower`, `compared with`: two sides. */
  | { readonly k: "more"; readonly kinds: readonly string[] | null }
  | { readonly k: "versus" }
  | { readonly k: "difference" }
  | { readonly k: "money" }
  | { readonly k: "and" }
  | { readonly k: "or" }
  | { readonly k: "due"; readonly sign: Sign }
  /** For two dates of a row: things that happened on the same day. */
  | { readonly k: "sameday" }
  /** Means that a state continues; the goal must name that state. */
  | { readonly k: "still" }
  | { readonly k: "total" }
  | { readonly k: "addup" }
  /** `anything`, `ever`: in a yes/no question, or after a negation. */
  | { readonly k: "any" }
  /** `paid`, `brought in`: of money figures. */
  | { readonly k: "pays" }
  /** `is shown`, `is kept`: of places. */
  | { readonly k: "lies" }
  /** The duration of something: from one date of a row to the other. */
  | { readonly k: "duration" }
  /** `and by how much`. */
  | { readonly k: "byhowmuch" }
  | { readonly k: "onaverage" }
  | { readonly k: "missing" };

export type Chunk = Sense & {
  readonly from: number;
  readonly end: number;
  /** The distance of the words from their meaning; 0 for the thing's own name. */
  readonly cost: number;
  readonly text: string;
  /** A comma is in front of it. */
  readonly isListed: boolean;
};

export type Words = { readonly tokens: readonly Token[]; readonly schema: Schema; readonly source: string };
