/** The grouping of rows and the order of a list: the words behind `by`, `per` and `for each`. */
import type { Unit } from "./calendar.ts";
import { canBeSummed, type Target } from "./figures.ts";
import type { Mark, MarkList } from "../marks/marks.ts";
import { type Figure, NotUnderstood } from "./question.ts";
import type { Column, Table } from "./tables.ts";
import { stem } from "../text/words.ts";

/** Spends the marks of the grouping: `by region and month`, `per order`. */
export function readGroups(marks: MarkList, table: Table): Target {
  const columns: Column[] = [];
  let bucket: Unit | null = null;
  let perRow = false;
  let perBucket = false;
  const add = (mark: Mark, isPer: boolean): void => {
    if (mark.letter === "D" && mark.column !== undefined && !columns.includes(mark.column))
      columns.push(mark.column);
    if ("Bb".includes(mark.letter)) bucket = bucketOf(mark, table, bucket);
    // `per order`, in a table of orders with a column `ordered`.
    const isRow = mark.letter === "T" && isPer && table.words.includes(stem(mark.text.toLowerCase()));
    if (isRow) perRow = true;
    else if (mark.letter === "T") bucket = bucketOf({ ...mark, unit: "day" }, table, bucket);
    if (mark.letter === "E") {
      if (table.label === null || !isOfTheTable(mark, table) || (isMiddle && isPer)) perRow = true;
      else if (!columns.includes(table.label)) columns.push(table.label);
    }
  };
  const isOf = (wanted: Mark["aggregate"]) => marks.marks.some(({ aggregate }) => aggregate === wanted);
  const isMean = isOf("average");
  const isMiddle = isMean || isOf("median");
  for (const taken of marks.takeAll(/G[DBTE](?:[,&G]+[DBT])*/)) {
    if (taken[0]?.per === true && taken[1]?.letter === "B") perBucket = true;
    if (/^per$/i.test(taken[0]?.text ?? "") && taken[1]?.letter === "D" && isMean && marks.has(/M/)) {
      const flow = marks.left("M").find(({ column }) => column?.adds === "flow");
      const what = table.entity ?? "row";
      if (flow !== undefined && !perRow && !taken.some(({ letter }) => letter === "E")) {
        throw new NotUnderstood(
          `an average per ${taken[1].text}: say “average ${flow.text} per ${what} by ${taken[1].text}”`,
        );
      }
    }
    const [by, rows] = taken;
    // `days worked by a volunteer` is not grouped by volunteer.
    const isGap = by?.end !== undefined && rows?.at !== undefined && rows.at - by.end > 1;
    if (rows?.letter === "E" && isGap && /^by$/i.test(by?.text ?? ""))
      throw new NotUnderstood(`“by a ${rows.text}”: what one has done, or each`);
    for (const mark of taken) add(mark, taken[0]?.per === true);
  }
  for (const taken of marks.takeAll(/b/)) {
    perBucket = true;
    for (const mark of taken) add(mark, true);
  }
  const grouped = columns.length + (bucket === null ? 0 : 1);
  return { columns, bucket, perRow, perBucket, grouped, by: readBy(marks, table) };
}

/** `by units`, `by average price`, `by number of orders`, `sorted by revenue`. */
function readBy(marks: MarkList, table: Table): Figure | null {
  const taken = marks.take(/GA?M|GH[ME]/);
  if (taken === null) return null;
  if (taken[0]?.per === true)
    throw new NotUnderstood(`“${taken.map(({ text }) => text).join(" ")}”: one figure for each of another`);
  const column = taken.find(({ letter }) => letter === "M")?.column ?? null;
  const aggregate = taken.find(({ letter }) => letter === "A")?.aggregate;
  if (column === null) return { aggregate: "count", column: null };
  if (aggregate === "sum" && !canBeSummed(column, table))
    throw new NotUnderstood(`the sum of ${column.name}, which cannot be added up`);
  return { aggregate: aggregate ?? (column.adds === "rate" ? "average" : "sum"), column };
}

/** `by employee` of a table of employees; `per row` names none. */
function isOfTheTable(mark: Mark, table: Table): boolean {
  return !/^(rows?|records?|entr(y|ies)|lines?)$/i.test(mark.text) && table.label !== null;
}

function bucketOf(mark: Mark, table: Table, before: Unit | null): Unit {
  const unit = mark.unit ?? "month";
  if (table.calendar?.units.includes(unit) !== true)
    throw new NotUnderstood(`“${mark.text}”: the table has no dates for it`);
  if (before !== null && before !== unit) throw new NotUnderstood(`both ${before} and ${unit}`);
  return unit;
}
