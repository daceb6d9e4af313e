/** The figures of a clause as they are read, and the few that need no words. */
import type { Unit } from "./calendar.ts";
import { stemsOf } from "../text/words.ts";
import type { Mark } from "../marks/marks.ts";
import { isPriceOfRow, MONEY, PIECES } from "./measures.ts";
import { type Figure, type Question, NotUnderstood } from "./question.ts";
import type { Rank } from "./read-rank.ts";
import type { Column, Table } from "./tables.ts";

/** The grouping named by `by` and `per`. */
export type Target = {
  readonly columns: readonly Column[];
  readonly bucket: Unit | null;
  /** `per order`: for one row. */
  readonly perRow: boolean;
  readonly grouped: number;
  /** `per month`: the average is of monthly figures. */
  readonly perBucket: boolean;
  /** `by units`, `by number of orders`. */
  readonly by: Figure | null;
};

/** The subject of a question without `by`: `which region`, `the top months`. */
export type Groups = {
  readonly columns: readonly Column[];
  readonly bucket: Unit | null;
  readonly plural: boolean;
};

export type Figures = {
  readonly shape: Question["shape"];
  readonly figures: readonly Figure[];
  /** Each is a separate answer if a word has several meanings. */
  readonly readings: readonly (readonly Figure[])[];
  readonly groups: Groups;
  readonly contrast: boolean;
  /** For a contrast: how much less the first one is. */
  readonly isLess: boolean;
  readonly orderBy: Column | null;
  /** The columns requested of looked-up rows. */
  readonly shown: readonly Column[];
};

export type FiguresContext = {
  readonly table: Table;
  readonly rank: Rank | null;
  readonly target: Target;
  readonly growth: boolean;
  readonly inherited: Question | null;
  readonly having: Question["having"];
  readonly filters: Question["filters"];
};

export const COUNT: Figure = { aggregate: "count", column: null };

const NO_GROUPS: Groups = { columns: [], bucket: null, plural: false };

export function plain(figures: readonly Figure[]): Figures {
  return {
    shape: "figures",
    figures,
    readings: [figures],
    groups: NO_GROUPS,
    contrast: false,
    isLess: false,
    orderBy: null,
    shown: [],
  };
}

export function unitOf(mark: Mark, table: Table): Unit {
  const unit = mark.unit ?? "month";
  if (table.calendar?.units.includes(unit) !== true)
    throw new NotUnderstood(`“${mark.text}”: the table has no dates for it`);
  return unit;
}

const PEOPLE =
  /^(?:person|people|employee|member|customer|client|agent|player|student|pupil|teacher|patient|doctor|nurse|driver|rider|author|user|guest|manager|worker|seller|buyer|supplier|vendor|competitor|company|team|winner|candidate|artist|actor|director)s?$/i;

/** Whether the values of a column are people or companies. */
export function isPerson({ name, samples }: Column): boolean {
  const isNamed =
    samples.length > 0 &&
    samples.every((sample) => /^\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)+$/u.test(sample));
  return /name$/i.test(name) || PEOPLE.test(name) || isNamed;
}

/** Whether `who` can refer to a row of the table. */
export function namesPeople({ label, entity }: Table): boolean {
  return label !== null && (/name$/i.test(label.name) || PEOPLE.test(entity ?? label.name));
}

export function moneySum(table: Table): Figure {
  const column = moneyColumn(table);
  if (column === null) throw new NotUnderstood("what is to be computed");
  return { aggregate: "sum", column };
}

export function inheritedFigure({ inherited, table }: FiguresContext): Figure | null {
  if (inherited === null || inherited.table.from !== table.from) return null;
  return inherited.figures[0] ?? null;
}

/**
 * Whether the sum of a column is meaningful when a goal requests one. A rate never adds up. A price does if each row has
 * one: beside a number of pieces it is the price per piece.
 */
export function canBeSummed(column: Column, table: Table): boolean {
  if (column.adds !== "rate") return true;
  return isPriceOfRow(column) && column.joined === undefined && piecesColumn(table) === null;
}

export function piecesColumn(table: Table): Column | null {
  return (
    table.columns.find(
      ({ kind, words }) => kind === "measure" && words.some((word) => PIECES.includes(word)),
    ) ?? null
  );
}

/** The money column that a goal means when it names none. */
export function moneyColumn(table: Table): Column | null {
  const measures = table.columns.filter(({ kind, adds }) => kind === "measure" && adds !== "rate");
  for (const word of MONEY) {
    const column = measures.find(({ words, name }) => words.includes(word) || stemsOf(name).includes(word));
    if (column !== undefined) return column;
  }
  return null;
}
