/** Numbers as conditions: `more than 10 units`, `between 100 and 200`, `a discount of 5 or 10 percent`. */
import type { Mark, MarkList } from "../marks/marks.ts";
import { canBeSummed, moneyColumn } from "./figures.ts";
import { isTrade } from "../marks/row-marks.ts";
import { isMoney, scaleOf } from "./measures.ts";
import { type Figure, type Filter, type Having, NotUnderstood, type Sign } from "./question.ts";
import type { Column, Table } from "./tables.ts";

/** The target of the conditions: rows, or the figures of groups. */
type Conditions = { readonly filters: Filter[]; readonly having: Having[] };

/**
 * `more than 10 units`, `revenue above 1000`, `orders over 500`, `a discount of 15 percent`. Behind a word for rows it is a
 * condition on each row; behind a group (`regions with more than 300 orders`), on the group's figure.
 */
export function readBounds(marks: MarkList, table: Table, read: Conditions): void {
  for (;;) {
    const before = marks.letters;
    const found =
      marks.take(/A?MC?N\|N|N\|NM/) ??
      marks.take(/CN&?NA?[ME]|A?MCN&?N|A?MCN|CNA?[ME]|A?MNc|N[ME]c|NcA?[ME]|CN&?N|CN|Nc/) ??
      takeEquality(marks);
    if (found === null) return;
    const start = firstChange(before, marks.letters);
    addBound(found, {
      marks,
      table,
      read,
      subject: subjectBefore({ marks, letters: before, place: start, table }),
    });
  }
}

/** `a discount of 15 percent`, `15 percent discount`, `orders of 3 units`; but not a rank (`top 3 products`). */
function takeEquality(marks: MarkList): readonly Mark[] | null {
  const behind = marks.take(/MN(?![MDEBc&])/);
  if (behind !== null) return behind;
  return marks.has(/(?<!S)NM/) && !marks.has(/SN|NS/) ? marks.take(/NM/) : null;
}

function firstChange(before: string, after: string): number {
  for (let index = 0; index < before.length; index++) if (before[index] !== after[index]) return index;
  return before.length;
}

/** The letter of the subject in front of a position: rows, a group, or nothing. */
function subjectBefore({ marks, letters, place, table }: Place): "rows" | "group" | null {
  let isGrouped = false;
  for (let index = place - 1; index >= 0; index--) {
    const mark = marks.marks[index];
    if (mark?.letter === "E" || (mark?.letter === "D" && mark.column === table.label)) return "rows";
    if ((mark?.letter !== "D" && mark?.letter !== "B") || letters[index] === "_") continue;
    // `orders per region with more than 5 units` is about the orders.
    if (letters[index - 1] !== "G") return "group";
    isGrouped = true;
  }
  return isGrouped ? "group" : null;
}

type Place = {
  readonly marks: MarkList;
  readonly letters: string;
  readonly place: number;
  readonly table: Table;
};

type BoundContext = {
  readonly marks: MarkList;
  readonly table: Table;
  readonly read: Conditions;
  readonly subject: "rows" | "group" | null;
};

function addBound(found: readonly Mark[], { marks, table, read, subject }: BoundContext): void {
  const words = found.map(({ text }) => text).join(" ");
  const sign = found.find(({ letter }) => letter === "C" || letter === "c")?.sign ?? "=";
  const target = found.find(({ letter }) => letter === "M" || letter === "E");
  const price = found.some(({ needs }) => needs === "price");
  const number = found.findLast(({ letter }) => letter === "N");
  const counted = marks.marks.find(
    ({ letter, at }) => letter === "V" && number?.end !== undefined && at === number.end + 1,
  );
  // `more than 3 tents` counts tents, `over 500 in East` does not count the East.
  if (target === undefined && counted !== undefined)
    throw new NotUnderstood(`“${words} ${counted.text}”: say of which column`);
  const boundsIn = (column: Column | null) =>
    boundsOf(
      sign,
      found.filter(({ letter }) => letter === "N").map((mark) => countedIn(mark, column)),
      words,
    );
  if (target?.letter === "E") {
    if (found.some(({ letter }) => letter === "|")) throw new NotUnderstood(`“${words}”`);
    if (subject !== "group") throw new NotUnderstood(`“${words}” without a group that has rows`);
    read.having.push(
      ...boundsIn(null).map((bound) => ({ figure: { aggregate: "count", column: null } as const, ...bound })),
    );
    return;
  }
  const column =
    target?.column ??
    found.find(({ letter }) => letter === "C")?.column ??
    (price ? priceColumn(table) : subject === "rows" && isTrade(table) ? moneyColumn(table) : null);
  if (column === null) throw new NotUnderstood(`“${words}” without what it is said of`);
  checkUnits(found, column);
  const rival = /^costs?$/i.test(target?.text ?? "") ? otherMoney(column, table) : undefined;
  if (rival !== undefined) throw new NotUnderstood(`“${words}”: ${column.name} or ${rival.name}`);
  const bounds = boundsIn(column);
  const aggregate = found.find(({ letter }) => letter === "A")?.aggregate;
  if (aggregate !== undefined) {
    if (subject !== "group" || (aggregate === "sum" && !canBeSummed(column, table)))
      throw new NotUnderstood(`“${words}”`);
    read.having.push(...bounds.map((bound) => ({ figure: { aggregate, column }, ...bound })));
    return;
  }
  const perRow = subject === "rows" || column.adds !== "flow" || target?.per === true;
  if (!perRow && subject === null) throw new NotUnderstood(`“${words}”: whether of one row or of a sum`);
  if (perRow) {
    read.filters.push(...bounds.map((bound) => ({ kind: "number" as const, column, ...bound })));
    return;
  }
  if (bounds.some(({ others }) => others !== undefined)) throw new NotUnderstood(`“${words}” of a group`);
  const figure: Figure = { aggregate: "sum", column };
  read.having.push(...bounds.map((bound) => ({ figure, ...bound })));
}

/** `40 million` is 40 in a column that counts in millions. */
export function countedIn({ number = 0, scale = 1 }: Mark, column: Column | null): number {
  const unit = column === null ? 1 : scaleOf(column);
  return scale === 1 || unit === 1 ? number : number / unit;
}

/** Percentages belong to a rate, euros to a price or an amount: `80 percent of revenue` is not a bound on revenue. */
function checkUnits(found: readonly Mark[], column: Column): void {
  const wrong = found.find(
    ({ isPercent, isMoney: money }) =>
      (isPercent === true && (column.adds === "flow" || isMoney(column))) ||
      (money === true && column.adds !== "other" && !isMoney(column)),
  );
  if (wrong !== undefined) throw new NotUnderstood(`“${wrong.text}” of ${column.name}`);
}

/** The cost of something can be its `parts_cost` or its `total_price`. */
function otherMoney(column: Column, { columns }: Table): Column | undefined {
  return columns.find((other) => other !== column && other.kind === "measure" && isMoney(other));
}

function priceColumn(table: Table): Column | null {
  const columns = table.columns.filter(
    ({ kind, words }) => kind === "measure" && words.some((word) => /^(price|pric|cost)$/.test(word)),
  );
  return columns.length === 1 ? (columns[0] ?? null) : null;
}

function boundsOf(
  sign: Sign | "between",
  numbers: readonly number[],
  words: string,
): readonly { sign: Sign; value: number; others?: readonly number[] }[] {
  const [first, second] = numbers;
  if (first === undefined) throw new NotUnderstood(`“${words}”`);
  if (sign === "=" && second !== undefined) return [{ sign, value: first, others: numbers.slice(1) }];
  if (sign !== "between") {
    if (second !== undefined) throw new NotUnderstood(`“${words}”`);
    return [{ sign, value: first }];
  }
  if (second === undefined) throw new NotUnderstood(`“${words}” without a second number`);
  return [
    { sign: ">=", value: Math.min(first, second) },
    { sign: "<=", value: Math.max(first, second) },
  ];
}
