/** Which rows a clause is about: values, names, bounds and times, each included or excluded. */
import type { Mark, MarkList } from "../marks/marks.ts";
import { isReading } from "./measures.ts";
import { DONE } from "../marks/clause-words.ts";
import { type Filter, type Having, type Moment, NotUnderstood, type TimeSpan } from "./question.ts";
import { readBounds } from "./read-bounds.ts";
import type { Column, Table } from "./tables.ts";
import { openColumns } from "../marks/value-marks.ts";

/** Values or times that are in a list, such as `East and North`. */
export type Listed = {
  readonly column: Column | null;
  readonly values: readonly string[];
  readonly spans: readonly TimeSpan[];
  readonly joined: "and" | "or" | null;
};

type ReadFilters = {
  readonly filters: Filter[];
  readonly having: Having[];
  /** The lists of included values and times, in the order of the clause. */
  readonly listed: Listed[];
};

/** Spends every mark that selects rows. */
export function readFilters(marks: MarkList, table: Table): ReadFilters {
  const read: ReadFilters = { filters: [], having: [], listed: [] };
  const before = marks.letters;
  readExclusions(marks, read);
  readBounds(marks, table, read);
  readDone(marks, read);
  readValues(marks, table, read);
  readTimes(marks, read);
  joinConditions(marks, before);
  readOnly(marks, before);
  return read;
}

/** `more than 3 units and no discount`: between two conditions, `and` only means that both hold. */
function joinConditions(marks: MarkList, before: string): void {
  const isSpent = (index: number) => before[index] !== "_" && marks.letters[index] === "_";
  for (const [index, mark] of marks.marks.entries())
    if (mark.letter === "&" && isSpent(index - 1) && isSpent(index + 1)) marks.spend(mark);
}

/** `only in West` is just a condition, unless it means that other rows must not exist (`sold only in West`). */
function readOnly(marks: MarkList, before: string): void {
  const isSpent = (index: number) => before[index] !== "_" && marks.letters[index] === "_";
  for (const [index, mark] of marks.marks.entries()) {
    if (mark.letter !== "l" || !(isSpent(index + 1) || (index > 0 && isSpent(index - 1)))) continue;
    const isExistence = marks.marks.some(
      ({ letter }, other) =>
        "WDHw".includes(letter) && other < index && marks.marks[other - 1]?.letter !== "G",
    );
    if (isExistence && !marks.has(/HE|HM|[AM]/)) continue;
    marks.spend(mark);
  }
}

function readExclusions(marks: MarkList, { filters }: ReadFilters): void {
  for (const taken of marks.takeAll(/X[D]?V(?:[,&|]+V)*/)) {
    const values = taken.filter(({ letter }) => letter === "V");
    for (const column of new Set(values.map((mark) => columnOf(mark)))) {
      const own = values.filter((mark) => mark.column === column).flatMap((mark) => mark.values ?? []);
      filters.push({ kind: "values", column, values: own, negated: true });
    }
  }
  // Without bookings in March, or in March without bookings: the meaning of the time is ambiguous.
  if (marks.has(/Xh.*[PzCc]/))
    throw new NotUnderstood(`“${marks.left("h")[0]?.text ?? ""}” of a time or number`);
  for (const [, mark] of marks.takeAll(/Xh/))
    if (mark?.child !== undefined) filters.push({ kind: "childless", child: mark.child });
  for (const taken of marks.takeAll(/XP(?:[,&|]+P)*/)) {
    filters.push({
      kind: "time",
      spans: taken.flatMap(({ span }) => (span === undefined ? [] : [span])),
      negated: true,
    });
  }
  for (const taken of marks.takeAll(/Xz(?:[,&|]+z)*/)) {
    filters.push({
      kind: "weekday",
      days: taken.flatMap(({ days = [] }) => days),
      negated: true,
    });
  }
  for (const [mark, measure] of marks.takeAll(/(?<!X)eM/)) {
    // A year is not an amount: `hives with a queen from 2024`.
    if (measure?.column === undefined || areYears(measure.column))
      throw new NotUnderstood(`“${mark?.text} ${measure?.text}”`);
    filters.push({ kind: "number", column: measure.column, sign: ">", value: 0, isSome: true });
  }
  for (const [, mark, measure] of marks.takeAll(/XeM/)) {
    if (measure?.column === undefined) throw new NotUnderstood(`“${mark?.text}”`);
    filters.push(withoutAny(measure.column));
  }
  for (const [except, mark] of marks.takeAll(/X[DT](?!V)/)) {
    const column = mark?.column;
    // `not returned`, of the date of the return
    const isUndone = mark?.letter === "T" && /^not$/i.test(except?.text ?? "");
    if ((except?.none !== true && !isUndone) || column === undefined || column.truth !== undefined)
      throw new NotUnderstood(`“${except?.text} ${mark?.text}”`);
    filters.push(withoutAny(column));
  }
  for (;;) {
    // `no discount above 5` excludes those above 5, not all of them.
    if (marks.has(/XM[CNc]/)) throw new NotUnderstood("“no” in front of a bound");
    const at = marks.left("X").find(({ none }) => none === true);
    const taken = at === undefined ? null : marks.take(/XM/);
    if (taken === null) return;
    const [except, measure] = taken;
    if (except?.none !== true || measure?.column === undefined)
      throw new NotUnderstood(`“${except?.text} ${measure?.text}”`);
    filters.push(withoutAny(measure.column));
  }
}

const YEAR = /^(?:1[89]|20)\d{2}$/;

function areYears({ words, samples }: Column): boolean {
  return words.at(-1) === "year" || (samples.length > 0 && samples.every((value) => YEAR.test(value)));
}

const TO_COME = /^(?:expir|expire|expiry|due|until|valid|end|renew|renewal|next)$/;

/** `loans that were returned`: rows with a return date. Beside a time, the date belongs to the time. */
function readDone(marks: MarkList, { filters }: ReadFilters): void {
  if (marks.has(/[PzbBqY]/)) return;
  for (const mark of marks.left("T")) {
    if (mark.column === undefined || !DONE.test(mark.text) || marks.left("S").some(({ byDate }) => byDate))
      continue;
    // A customer with an `insurance_expires` is not necessarily insured now.
    if (mark.column.words.some((word) => TO_COME.test(word))) throw new NotUnderstood(`“${mark.text}”`);
    marks.spend(mark);
    filters.push({ kind: "number", column: mark.column, sign: ">", value: 0, isSome: true });
  }
}

/** Rows whose cell is empty, or 0 where that means none; text never equals 0. */
function withoutAny(column: Column): Filter {
  const isZeroSome = column.kind === "measure" && isReading(column);
  return { kind: "number", column, sign: "=", value: 0, orNone: true, ...(isZeroSome ? { isZeroSome } : {}) };
}

function readValues(marks: MarkList, table: Table, read: ReadFilters): void {
  const seen = new Set<Column>();
  for (const taken of marks.takeAll(isContrast(marks) ? /V(?:[,&|rt]*V)*/ : /V(?:[,&|rt]+V)*/)) {
    const values = taken.filter(({ letter }) => letter === "V");
    const joints = taken.filter(({ letter }) => letter !== "V").map(({ letter }) => letter);
    const columns = new Set(values.map(columnOf));
    if (joints.includes("|") && columns.size > 1)
      throw new NotUnderstood(`“or” between ${[...columns].map(({ name }) => name).join(" and ")}`);
    for (const column of columns) {
      if (seen.has(column)) throw new NotUnderstood(`two conditions on ${column.name}`);
      seen.add(column);
      const own = values.filter((mark) => mark.column === column);
      const all = [...new Set(own.flatMap((mark) => mark.values ?? []))];
      read.filters.push({ kind: "values", column, values: all, negated: false });
      read.listed.push({
        column,
        values: own.flatMap((mark) => (mark.values?.length === 1 ? mark.values : [])),
        spans: [],
        joined: own.length < 2 ? null : joints.includes("|") ? "or" : "and",
      });
    }
  }
  const names = marks.left("F");
  if (names.length === 0) return;
  if (marks.has(/XF/))
    throw new NotUnderstood(`“${marks.left("X")[0]?.text}” before a name that the data may not have`);
  for (const mark of names) marks.spend(mark);
  const values = names.flatMap((mark) => mark.values ?? []);
  const isCode = values.every((value) => /\d/.test(value));
  const columns = openColumns(table).filter(({ kind }) => kind !== "id" || isCode);
  if (columns.length === 0) throw new NotUnderstood(`“${values.join(" and ")}”`);
  if (names.length > 1)
    throw new NotUnderstood(`the names ${values.map((value) => `“${value}”`).join(" and ")} together`);
  read.filters.push({ kind: "anywhere", columns, values });
}

function readTimes(marks: MarkList, read: ReadFilters): void {
  const contrast = isContrast(marks);
  const lists = marks.takeAll(contrast ? /P(?:[,&|rt]*P)*/ : /P(?:[,&|rt]+P)*/).map((taken) => {
    const spans = taken.flatMap(({ span }) => (span === undefined ? [] : contrast ? endsOf(span) : [span]));
    return {
      spans,
      joined: taken.some(({ letter }) => letter === "|")
        ? ("or" as const)
        : spans.length > 1
          ? ("and" as const)
          : null,
    };
  });
  const merged = mergeYear(lists);
  if (merged.length > 1) throw new NotUnderstood("several times that are not joined by “and” or “or”");
  for (const { spans, joined } of merged) {
    read.filters.push({ kind: "time", spans, negated: false });
    read.listed.push({ column: null, values: [], spans, joined: spans.length > 1 ? joined : null });
  }
  const days = marks.takeAll(/z(?:[,&|]*z)*/).flatMap((taken) => taken.flatMap(({ days: own = [] }) => own));
  if (days.length > 0) read.filters.push({ kind: "weekday", days, negated: false });
}

/** A comparison: `compare Q1 with Q2`, `the difference between Q1 and Q2`. */
function isContrast(marks: MarkList): boolean {
  return marks.marks.some(({ letter }) => letter === "R" || letter === "r" || letter === "Z");
}

/** `between Q1 and Q2` means both if they are compared. */
function endsOf(span: TimeSpan): readonly TimeSpan[] {
  if (span.kind !== "span" || span.from === null || span.to === null || span.from.unit !== span.to.unit)
    return [span];
  return [span.from, span.to].map((moment) => ({ kind: "in", moment }));
}

type TimeList = { readonly spans: readonly TimeSpan[]; readonly joined: "and" | "or" | null };

/** A separate year (`Q1 and Q2 revenue of 2025`) applies to the times without one. */
function mergeYear(lists: readonly TimeList[]): readonly TimeList[] {
  const isYear = ({ spans }: TimeList) =>
    spans.length === 1 &&
    spans[0]?.kind === "in" &&
    spans[0].moment.unit === "year" &&
    spans[0].moment.index !== null;
  const years = lists.filter(isYear);
  const others = lists.filter((list) => !isYear(list));
  const [first] = years;
  const year = first?.spans[0]?.kind === "in" ? first.spans[0].moment.year : null;
  if (years.length !== 1 || others.length === 0 || year === null) return lists;
  // The latest quarter belongs to one year anyway.
  const isLatest = ({ spans }: TimeList) =>
    spans.some((span) => span.kind === "last" || (span.kind === "in" && isOpenPeriod(span.moment)));
  if (others.some(isLatest)) return lists;
  const dated = (span: TimeSpan): TimeSpan =>
    span.kind === "last"
      ? span
      : span.kind === "in"
        ? { ...span, moment: { ...span.moment, year: span.moment.year ?? year } }
        : {
            ...span,
            from: span.from && { ...span.from, year: span.from.year ?? year },
            to: span.to && { ...span.to, year: span.to.year ?? year },
          };
  return others.map((list) => ({ ...list, spans: list.spans.map(dated) }));
}

function isOpenPeriod(moment: Moment): boolean {
  return moment.unit !== "day" && moment.index === null;
}

function columnOf(mark: Mark): Column {
  if (mark.column === undefined) throw new NotUnderstood(`“${mark.text}”`);
  return mark.column;
}
