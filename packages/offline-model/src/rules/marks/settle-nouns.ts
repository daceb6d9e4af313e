/** Nouns that only repeat their neighbours in a clause. */
import { stemsOf } from "../text/words.ts";
import type { Mark } from "./marks.ts";
import type { Table } from "../data/tables.ts";

type Place = {
  readonly mark: Mark;
  readonly previous: Mark | undefined;
  readonly next: Mark | undefined;
  readonly marks: readonly Mark[];
  readonly index: number;
  readonly text: string;
  readonly table: Table;
};

/** The replacement of a mark; null if no rule applies. */
export type Rule = (place: Place) => readonly Mark[] | null;

export const NOTHING: readonly Mark[] = [];

/** `product category` is the category; a `customer region` is not necessarily the region of a row. */
function isOwnerOf({ text, column }: Mark, { column: owned }: Mark, table: Table): boolean {
  const said = stemsOf(text).join();
  const isRow =
    said === table.words.join() || (table.entity !== null && said === stemsOf(table.entity).join());
  const isJoined = column?.joined !== undefined && column.joined.table === owned?.joined?.table;
  return isRow || isJoined || column === owned || /^(?:product|item|article)s?$/i.test(text);
}

/** Measures that repeat another one in the clause. */
export const measureNoun: Rule = ({ mark, previous, marks, index, text: clause }) => {
  const { letter, column } = mark;
  // `the speaking score`, of columns `speaking` and `total_score`
  const isOfLast =
    letter === "M" &&
    mark.isLoose === true &&
    previous?.letter === "M" &&
    previous.column !== column &&
    mark.at === (previous.end ?? 0) + 1;
  if (isOfLast && /^(?:score|rating)s?$/i.test(mark.text)) return NOTHING;
  // `tent price` of a column called tent.
  if (letter === "p" && previous?.letter === "M" && previous.column?.adds === "other") return NOTHING;
  // `duration of a lesson in minutes`
  const isUnit = /\bin\s+$/i.test(clause.slice(0, mark.at));
  if (
    letter === "M" &&
    isUnit &&
    marks.slice(0, index).some((earlier) => earlier.letter === "M" && earlier.column === column)
  )
    return NOTHING;
  // `weight in kg` is the weight.
  if (letter === "M" && previous?.letter === "M" && previous.column === column && mark.isLoose === true)
    return NOTHING;
  // `the three heaviest cats with their weights`
  if (
    letter === "M" &&
    /\bwith\s+(?:(?:the|its|their)\s+)?$/i.test(clause.slice(0, mark.at)) &&
    marks.slice(0, index).some((earlier) => earlier.letter === "S" && earlier.column === column)
  )
    return NOTHING;
  // `without a last inspection date`
  if (
    letter === "B" &&
    previous?.letter === "T" &&
    previous.end === (mark.at ?? 0) - 1 &&
    /^dates?$/i.test(mark.text)
  )
    return NOTHING;
  return null;
};

/** Nouns that repeat their neighbours. */
export const noun: Rule = ({ mark, previous, next, marks, index, text: clause, table }) => {
  const { letter, column } = mark;
  const isCompound =
    (mark.plural !== true || /^sales$/i.test(mark.text)) &&
    mark.end !== undefined &&
    next?.at === mark.end + 1;
  // `payment method`, of a column `method` of payments
  if (letter === "E" && next?.letter === "D" && isCompound && previous?.letter !== "H") return NOTHING;
  if (letter === "D" && next?.letter === "D" && isCompound && column?.truth === undefined)
    return isOwnerOf(mark, next, table) ? NOTHING : [{ letter: "?", text: mark.text }];
  // `total order amount` is that of the orders.
  if (letter === "E" && /[AH]/.test(previous?.letter ?? "") && next?.letter === "M" && isCompound)
    return NOTHING;
  // `the most common reason for a visit`
  if (
    letter === "E" &&
    previous?.letter === "D" &&
    marks.some((other) => other.letter === "S" && /common|frequent/i.test(other.text)) &&
    /\b(?:for|of|in|among)\s+(?:an?\s+|all\s+|the\s+|our\s+)*$/i.test(clause.slice(0, mark.at))
  )
    return NOTHING;
  // `the mountain bikes compared with the cargo bikes`
  const [joint, other] = [next, marks[index + 2]];
  const isListed = joint !== undefined && "&|r".includes(joint.letter) && other?.letter === "V";
  const isNounOfValue = letter === "E" || (letter === "D" && mark.plural === true);
  if (isNounOfValue && previous?.letter === "V" && isListed && other.column === previous.column)
    return NOTHING;
  if (letter !== "D") return null;
  // `the average score of the students from Graz`, in a table of their exams
  const isBehindRows =
    /[ME]/.test(previous?.letter ?? "") ||
    (previous?.letter === "G" && previous.per !== true && marks[index - 2]?.letter === "E");
  const isOwner = column?.joined !== undefined && column.joined.table === next?.column?.joined?.table;
  // `technicians based in Whitby`, of a column `base`
  const isValue = next?.letter === "V" || (next?.letter === "D" && marks[index + 2]?.column === next.column);
  if (isOwner && isValue && mark.plural === true && isBehindRows) return NOTHING;
  // `the average days per hire for Fantasy costumes`
  const owner = previous?.column?.joined?.table;
  const isCostume =
    owner !== undefined &&
    (column?.joined?.table === owner || column?.words.join() === stemsOf(owner).join());
  if (
    isCostume &&
    previous?.letter === "V" &&
    mark.plural === true &&
    marks.slice(0, index).some((earlier) => earlier.letter === "M")
  )
    return NOTHING;
  // `a condition other than good`
  if (
    next?.letter === "X" &&
    next.none !== true &&
    marks[index + 2]?.column === column &&
    previous?.letter !== "G"
  )
    return NOTHING;
  if (next?.letter === "V" && next.column === column && previous?.letter !== "G") return NOTHING;
  // `how many Ridgeline products` counts products.
  if (marks[index - 2]?.letter === "H" && next?.letter !== "E") return null;
  return previous?.letter === "V" && previous.column === column ? NOTHING : null;
};
