/**
 * A clause as marks: each meaningful word or phrase is one mark with a letter for its kind, so that patterns over
 * letters describe how marks belong together. A mark that a pattern takes is spent; the rest was not understood.
 */
import type { Unit } from "../data/calendar.ts";
import type { Aggregate, Sign, TimeSpan } from "../data/question.ts";
import type { Child, Column } from "../data/tables.ts";

/**
 * Known to the lexicon: W which, w who, q when, H how many, U how much, A aggregate, d distinct, K share, Y growth,
 * y year on year, R difference, r compare, Z more or less, t than, S superlative, O ordinal, v direction, o sorted by,
 * n rank, l only, g together, e with a, G by, b monthly, B month, C comparator, c or more, X except, & and, | or, J its,
 * j that, s sold.
 * Known to the table: D dimension, M measure, E the noun for a row, T date column, V value, F a name that may be a value,
 * Q a yes/no question, k a column of a looked-up row, h rows that refer to a row, u the thing that a row refers to. P time,
 * N number, z weekday, p price in a table without such a column, a all, ? unknown, ! ambiguous.
 */
export type Letter =
  | "W"
  | "w"
  | "q"
  | "H"
  | "U"
  | "A"
  | "d"
  | "K"
  | "Y"
  | "y"
  | "R"
  | "r"
  | "Z"
  | "t"
  | "S"
  | "O"
  | "v"
  | "o"
  | "n"
  | "G"
  | "b"
  | "B"
  | "C"
  | "c"
  | "X"
  | "&"
  | "|"
  | ","
  | "J"
  | "j"
  | "s"
  | "l"
  | "g"
  | "e"
  | "D"
  | "M"
  | "E"
  | "T"
  | "V"
  | "F"
  | "Q"
  | "k"
  | "h"
  | "u"
  | "P"
  | "N"
  | "z"
  | "p"
  | "a"
  | "?"
  | "!";

/** What a superlative can rank by if it is ambiguous: `best-selling`. */
export type Reading = "pieces" | "money" | "count";

export type Mark = {
  readonly letter: Letter;
  /** As in the clause. */
  readonly text: string;
  /** Its start and end in the clause. */
  readonly at?: number;
  readonly end?: number;
  readonly column?: Column;
  readonly values?: readonly string[];
  readonly number?: number;
  /** `40 million`: the multiplier of the number. */
  readonly scale?: number;
  readonly isPercent?: boolean;
  /** `500 euros`: only a money column has this unit. */
  readonly isMoney?: boolean;
  readonly aggregate?: Aggregate;
  readonly dir?: "most" | "least";
  readonly byDate?: boolean;
  readonly readings?: readonly Reading[];
  readonly per?: boolean;
  readonly unit?: Unit;
  readonly plural?: boolean;
  readonly sign?: Sign | "between";
  readonly needs?: "price";
  readonly none?: boolean;
  /** The rows of another table that refer to a row of this one. */
  readonly child?: Child;
  /** The name of the table that a row refers to. */
  readonly parent?: string;
  readonly span?: TimeSpan;
  readonly days?: readonly number[];
  /** The possible meanings of an ambiguous word. */
  readonly choices?: readonly string[];
  /** A column of whose name the word is only half, or a synonym. */
  readonly isLoose?: boolean;
  /** The word is also the table's name. */
  readonly isOwn?: boolean;
  /** It is in quotation marks. */
  readonly isQuoted?: boolean;
};

/** A mark and its end; `rank` breaks ties of length, the lowest first. */
export type Placed = { readonly mark: Mark | null; readonly end: number; readonly rank: number };

/** A word that could mean several columns. */
export function ambiguous(text: string, columns: readonly Column[]): Mark {
  return { letter: "!", text, choices: columns.map(({ name }) => name) };
}

const SPENT = "_";

export class MarkList {
  readonly marks: readonly Mark[];
  #letters: string;

  constructor(marks: readonly Mark[]) {
    this.marks = marks;
    this.#letters = marks.map(({ letter }) => letter).join("");
  }

  /** Every mark's letter in order; `_` for spent ones. */
  get letters(): string {
    return this.#letters;
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.#letters);
  }

  /** The unspent marks, of some letters or of all. */
  left(letters?: string): readonly Mark[] {
    return this.marks.filter(
      ({ letter }, index) =>
        this.#letters[index] !== SPENT && (letters === undefined || letters.includes(letter)),
    );
  }

  /** Spends the marks of the first match and returns them; already spent ones inside it are not returned again. */
  take(pattern: RegExp): readonly Mark[] | null {
    const match = pattern.exec(this.#letters);
    if (match === null || match[0] === "") return null;
    const end = match.index + match[0].length;
    const taken = this.marks.filter(
      (_, index) => index >= match.index && index < end && this.#letters[index] !== SPENT,
    );
    this.#letters =
      this.#letters.slice(0, match.index) + SPENT.repeat(match[0].length) + this.#letters.slice(end);
    return taken;
  }

  /** Every match of a pattern, one after another. */
  takeAll(pattern: RegExp): readonly (readonly Mark[])[] {
    const found: (readonly Mark[])[] = [];
    for (;;) {
      const taken = this.take(pattern);
      if (taken === null) return found;
      found.push(taken);
    }
  }

  /** Spends one mark. */
  spend(mark: Mark): void {
    const index = this.marks.indexOf(mark);
    if (index >= 0) this.#letters = this.#letters.slice(0, index) + SPENT + this.#letters.slice(index + 1);
  }
}
