/** Decides about marks by their neighbours: `over` before a time, `that` without a noun, a column's name beside its value. */
import { stemsOf, wordsOf } from "../text/words.ts";
import type { Mark } from "./marks.ts";
import { measureNoun, NOTHING, noun, type Rule } from "./settle-nouns.ts";
import { isRowWord } from "./row-marks.ts";
import type { Table } from "../data/tables.ts";

export function settle(given: readonly Mark[], text: string, table: Table): readonly Mark[] {
  const found = withSharedMeasure(given);
  const marks = found.map(
    (mark, index) => namedValue(mark, found[index - 1], found[index + 1], index) ?? mark,
  );
  return marks.flatMap((mark, index) => {
    const place = { mark, previous: marks[index - 1], next: marks[index + 1], marks, index, text, table };
    for (const rule of RULES) {
      const settled = rule(place);
      if (settled !== null) return settled;
    }
    return [mark];
  });
}

/** `the minimum and maximum price` are two figures of one column. */
function withSharedMeasure(marks: readonly Mark[]): readonly Mark[] {
  return marks.flatMap((mark, index) => {
    const [next, second, measure] = marks.slice(index + 1, index + 4);
    const isShared =
      mark.letter === "A" && next?.letter === "&" && second?.letter === "A" && measure?.letter === "M";
    return isShared ? [mark, measure] : [mark];
  });
}

function unknown(text: string): readonly Mark[] {
  return [{ letter: "?", text }];
}

/** Words in positions where they cannot be. */
const misplaced: Rule = ({ mark, previous, next, marks, index, text: clause }) => {
  const { letter, text } = mark;
  const isPaired = marks.slice(0, index).some((earlier) => /^neither$/i.test(earlier.text));
  if (letter === "|" && /^nor$/i.test(text) && !isPaired) return unknown(text);
  if (letter === "G" && /^per$/i.test(text) && /[WSN]/.test(previous?.letter ?? "-")) return unknown(text);
  // `never` is about all time: it needs rows that refer to another one.
  if (letter === "X" && /^(?:never|not .*(?:ever|yet))$/i.test(text) && next?.letter !== "h")
    return unknown(text);
  const isIdiom = /\bin a $/i.test(clause.slice(0, mark.at));
  if (letter === "E" && isRowWord(text) && (isIdiom || !isRowThere(previous, next, mark)))
    return unknown(text);
  // `record revenue` is the highest, not a row.
  if (letter === "E" && /^record$/i.test(text) && previous?.letter !== "G") return unknown(text);
  // `Ridgeline Tent` is a name, not the tent of Ridgeline.
  const isName = letter === "M" && previous?.letter === "V" && /^\p{Lu}/u.test(text);
  return isName && mark.at === (previous.end ?? 0) + 1 ? unknown(`${previous.text} ${text}`) : null;
};

/** `how many rows`, `hire records`; `row orders` and `the revenue entry` are something else. */
function isRowThere(previous: Mark | undefined, next: Mark | undefined, { at = 0, end = 0 }: Mark): boolean {
  if (next?.at === end + 1 && "EDMVTk".includes(next.letter)) return false;
  return previous === undefined || "HAGWXNSCa,".includes(previous.letter) || previous.end === at - 1;
}

/** Yes/no columns, and measures that a row has or lacks. */
const condition: Rule = ({ mark, previous, next, marks, index, text: clause }) => {
  const { letter, column, text } = mark;
  if (letter === "D" && column?.truth !== undefined && !isGrouping(previous, next)) {
    const isSaid =
      "eXE&,".includes(previous?.letter ?? "-") ||
      "ED".includes(next?.letter ?? "-") ||
      ("DEV".includes(previous?.letter ?? "-") &&
        /^(?:contain|ha[sv]|include|allow|need|accept|serve|offer|require)/i.test(text)) ||
      /\b(?:with|are|is|were|was|been|work|works|worked|working)\s+$/i.test(clause.slice(0, mark.at));
    return isSaid ? [{ ...mark, letter: "V", values: [column.truth] }] : unknown(text);
  }
  // `with a discount above 5` is only the bound.
  if (letter === "e" && (next?.letter !== "M" || /[pCNc]/.test(marks[index + 2]?.letter ?? "")))
    return NOTHING;
  // `discounted` means with a discount; `wind speed` only has the same ending.
  const isHad =
    letter === "M" &&
    column?.adds === "rate" &&
    /ed$/i.test(text) &&
    previous?.letter !== "e" &&
    !wordsOf(column.name).includes(wordsOf(text).at(-1) ?? "");
  return isHad && !/[CNc]/.test(next?.letter ?? "") ? [{ letter: "e", text }, mark] : null;
};

const time: Rule = ({ mark, previous, next, text }) => {
  const { letter } = mark;
  if (letter === "C" && next?.letter === "P" && /^over$/i.test(mark.text)) return NOTHING;
  const latest = latestPeriod(mark, text);
  if (latest !== null && !"GWSHA".includes(previous?.letter ?? "-")) return [latest];
  if (letter !== "B" || mark.plural === true || next?.letter !== "P") return null;
  if (previous?.letter === "G" || previous?.letter === "W") return null;
  // `the month of March`; the week of a day is another question.
  const unit = next.span?.kind === "in" ? next.span.moment.unit : null;
  return unit === mark.unit ? NOTHING : unknown(`${mark.text} ${next.text}`);
};

const connective: Rule = ({
  mark: { letter, text, per, at },
  previous,
  next,
  marks,
  index,
  text: clause,
  table,
}) => {
  if (letter === "o" && /^ordered/i.test(text) && next?.letter === "V") return [{ letter: "s", text }];
  // `not paid by card` excludes the card.
  if (
    letter === "s" &&
    previous?.letter === "X" &&
    (next?.letter === "V" || marks[index + 2]?.letter === "V")
  )
    return NOTHING;
  // `the most attendees in total`: ranks are by a sum anyway.
  const isRankOfOne =
    marks.some((other) => other.letter === "S") && !marks.some((other) => other.letter === "N");
  if (letter === "g" && isRankOfOne && marks.some((other) => other.letter === "D" && other.plural !== true))
    return NOTHING;
  // `loans by members from Graz`: the agent, not a grouping.
  const [whose, whence] = [next, marks[index + 2]];
  const isByOwner =
    letter === "G" &&
    per !== true &&
    previous?.letter === "E" &&
    whose?.letter === "D" &&
    whose.plural === true &&
    whence?.letter === "V" &&
    whose.column?.joined !== undefined &&
    whose.column.joined.table === whence.column?.joined?.table;
  if (isByOwner) return NOTHING;
  // `by UPS` names the agent.
  if (letter === "G" && next?.letter === "V" && per !== true) return NOTHING;
  if (letter === "?" && /^between$/i.test(text) && next?.letter === "V") return NOTHING;
  if (letter === "X" && /^but$/i.test(text) && next !== undefined && "XCle".includes(next.letter))
    return NOTHING;
  const isOfRows = next?.letter === "D" && next.column === table.label && next.plural === true;
  if (
    letter === "a" &&
    (next?.letter === "E" || next?.letter === "V" || (isOfRows && previous?.letter === "M"))
  )
    return NOTHING;
  // `share of … in percent` names the unit twice.
  const isTold = marks.slice(0, index).some((earlier) => "KY".includes(earlier.letter));
  if (letter === "K" && isTold && /\bin\s+$/i.test(clause.slice(0, at))) return NOTHING;
  return letter === "j" && next?.letter !== "D" && next?.letter !== "B" ? NOTHING : null;
};

/** Words for a row: its key, the name of its column, the thing it refers to. */
const row: Rule = ({ mark, previous, next, marks, index, table, text: clause }) => {
  const { letter, text, column, values, end = 0 } = mark;
  if (letter === "E" && column !== undefined && values !== undefined)
    return [
      { letter, text, at: mark.at ?? 0, end },
      { letter: "V", text, column, values },
    ];
  if (letter === "u") {
    const isNamed = [next, previous].some((other) => other?.column?.joined?.table === mark.parent);
    // The highest price among bikes is not a question about their inspections.
    const isRanked = marks.some(
      (other) => other.letter === "S" && other.column?.joined?.table === mark.parent,
    );
    return isNamed && (!isRanked || marks.some((other) => other.letter === "E")) ? NOTHING : unknown(text);
  }
  // `the average age of the students`: of all rows, although a column has the same name.
  const isNamedRow = letter === "D" && column === table.label;
  const isPeople = mark.plural === true || stemsOf(text).join() === table.words.join();
  // `the average rate of the freelance teachers`
  const isOfKind =
    previous?.letter === "V" && marks.slice(0, index).some((earlier) => earlier.letter === "A");
  // `which different hops are used in the beers`
  const isWhere =
    stemsOf(text).join() === table.words.join() &&
    /\b(?:in|of|among)\s+(?:(?:the|our|all)\s+)*$/i.test(clause.slice(0, mark.at)) &&
    marks.slice(0, index).some((earlier) => earlier.letter === "D");
  // `which client paid the most, leaving out cancelled shipments`
  const isExcepted = previous?.letter === "V" && marks[index - 2]?.letter === "X" && mark.plural === true;
  if (isNamedRow && isPeople && (/[MKa]/.test(previous?.letter ?? "") || isOfKind || isWhere || isExcepted))
    return [{ ...mark, letter: "E" }];
  // `the branch with the most animals`, of a table of animals
  if (
    letter === "D" &&
    column === table.label &&
    previous?.letter === "S" &&
    /^(?:the )?(?:most|fewest|least)$/i.test(previous.text) &&
    stemsOf(text).join() === table.words.join()
  )
    return [{ ...mark, letter: "E" }];
  if (letter !== "D" && letter !== "M") return null;
  const rest = marks
    .slice(index + 1)
    .map((other) => other.letter)
    .join("");
  const isOf = next?.at !== undefined && /^\s+of\s+(?:the\s+|our\s+)?$/i.test(clause.slice(end, next.at));
  const isRanked = /^SN?V*E/.test(rest) || (letter === "D" && rest.startsWith("ESM"));
  const isFree = previous === undefined || "W,k".includes(previous.letter) || previous.letter === "&";
  return isOf && isRanked && isFree ? [{ ...mark, letter: "k" }] : null;
};

const RULES: readonly Rule[] = [misplaced, condition, row, time, connective, measureNoun, noun];

/** `the Central region`: a name beside a column is a value of it, even one that no row has. */
function namedValue(
  mark: Mark,
  previous: Mark | undefined,
  next: Mark | undefined,
  index: number,
): Mark | null {
  const isName = mark.letter === "F" || mark.isQuoted === true || (index > 0 && /^\p{Lu}/u.test(mark.text));
  if ((mark.letter !== "?" && mark.letter !== "F") || !isName) return null;
  const column = [next, previous].find(
    (neighbour) => neighbour?.letter === "D" && neighbour.column?.kind === "dimension",
  )?.column;
  return column === undefined ? null : { letter: "V", text: mark.text, column, values: [mark.text] };
}

/** A yes/no column behind `by` or `which`, or in front of its own value, is what the rows are grouped by. */
function isGrouping(previous: Mark | undefined, next: Mark | undefined): boolean {
  return (
    (previous !== undefined && "GWdHa".includes(previous.letter) && !isCounted(previous, next)) ||
    (next?.letter === "V" && next.column?.truth !== undefined)
  );
}

/** `how many organic wines` counts wines. */
function isCounted(previous: Mark, next: Mark | undefined): boolean {
  return previous.letter === "H" && (next?.letter === "E" || (next?.letter === "D" && next.plural === true));
}

/** `of the year` means the latest one, `in a month` each of them. */
function latestPeriod({ letter, unit, plural, at, text: word }: Mark, text: string): Mark | null {
  if (letter !== "B" || plural === true || !/\b(?:of|in|for|during|over) the $/i.test(text.slice(0, at)))
    return null;
  if (unit !== "year" && unit !== "quarter" && unit !== "month") return { letter: "?", text: `the ${word}` };
  return {
    letter: "P",
    text: `the ${word}`,
    span: { kind: "in", moment: { unit, index: null, year: null } },
  };
}
