/** Which rows a clause is about: values, names, bounds and times, each wanted or left out. */
import type { Mark, MarkList } from "./marks.ts";
import { moneyColumn } from "./name-marks.ts";
import type { Figure, Filter, Having, Sign, TimeSpan } from "./question.ts";
import type { Column, Table } from "./tables.ts";
import { openColumns } from "./value-marks.ts";

/** Values or times that stand in a list, such as `East and North`. */
export type Listed = {
  readonly column: Column | null;
  readonly values: readonly string[];
  readonly spans: readonly TimeSpan[];
  readonly joined: "and" | "or" | null;
};

export type ReadFilters = {
  readonly filters: Filter[];
  readonly having: Having[];
  /** The lists of wanted values and times, in the order of the clause. */
  readonly listed: Listed[];
};

/** A clause whose marks do not fit together; the message is for the reader. */
export class NotUnderstood extends Error {
  override readonly name = "NotUnderstood";
}

/** Spends every mark that says which rows are wanted. */
export function readFilters(marks: MarkList, table: Table): ReadFilters {
  const read: ReadFilters = { filters: [], having: [], listed: [] };
  readExclusions(marks, read);
  readBounds(marks, table, read);
  readValues(marks, table, read);
  readTimes(marks, read);
  return read;
}

function readExclusions(marks: MarkList, { filters }: ReadFilters): void {
  for (const taken of marks.takeAll(/X[D]?V(?:[,&|]+V)*/)) {
    const values = taken.filter(({ letter }) => letter === "V");
    for (const column of new Set(values.map((mark) => columnOf(mark)))) {
      const own = values.filter((mark) => mark.column === column).flatMap((mark) => mark.values ?? []);
      filters.push({ kind: "values", column, values: own, negated: true });
    }
  }
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
      days: taken.flatMap(({ day }) => (day === undefined ? [] : [day])),
      negated: true,
    });
  }
  for (;;) {
    const at = marks.left("X").find(({ none }) => none === true);
    const taken = at === undefined ? null : marks.take(/XM/);
    if (taken === null) return;
    const [except, measure] = taken;
    if (except?.none !== true || measure?.column === undefined)
      throw new NotUnderstood(`“${except?.text} ${measure?.text}”`);
    filters.push({ kind: "number", column: measure.column, sign: "=", value: 0 });
  }
}

/**
 * `more than 10 units`, `revenue above 1000`, `orders over 500`, `a discount of 15 percent`. Behind a word for rows it is a
 * condition on each row, behind a group (`regions with more than 300 orders`) on the group's figure.
 */
function readBounds(marks: MarkList, table: Table, read: ReadFilters): void {
  for (;;) {
    const before = marks.letters;
    const found =
      marks.take(/CN&?NA?[ME]|A?MCN&?N|A?MCN|CNA?[ME]|A?MNc|NcA?[ME]|CN&?N|CN|Nc/) ?? takeEquality(marks);
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

/** `a discount of 15 percent`, `15 percent discount`, `orders of 3 units`; a rank (`top 3 products`) is none. */
function takeEquality(marks: MarkList): readonly Mark[] | null {
  const behind = marks.take(/MN(?![MDEBc&])/);
  if (behind !== null) return behind;
  return marks.has(/(?<!S)NM/) && !marks.has(/SN|NS/) ? marks.take(/NM/) : null;
}

function firstChange(before: string, after: string): number {
  for (let index = 0; index < before.length; index++) if (before[index] !== after[index]) return index;
  return before.length;
}

/** The letter of what is spoken of in front of a place: rows, a group, or nothing. */
function subjectBefore({ marks, letters, place, table }: Place): "rows" | "group" | null {
  let isGrouped = false;
  for (let index = place - 1; index >= 0; index--) {
    const mark = marks.marks[index];
    if (mark?.letter === "E" || (mark?.letter === "D" && mark.column === table.label)) return "rows";
    if ((mark?.letter !== "D" && mark?.letter !== "B") || letters[index] === "_") continue;
    // `orders per region with more than 5 units` speaks of the orders.
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
  readonly read: ReadFilters;
  readonly subject: "rows" | "group" | null;
};

function addBound(found: readonly Mark[], { marks, table, read, subject }: BoundContext): void {
  const numbers = found.filter(({ letter }) => letter === "N").map(({ number }) => number ?? 0);
  const words = found.map(({ text }) => text).join(" ");
  const sign = found.find(({ letter }) => letter === "C" || letter === "c")?.sign ?? "=";
  const target = found.find(({ letter }) => letter === "M" || letter === "E");
  const price = found.some(({ needs }) => needs === "price");
  const bounds = boundsOf(sign, numbers, words);
  const number = found.findLast(({ letter }) => letter === "N");
  const counted = marks.marks.find(
    ({ letter, at }) => letter === "V" && number?.end !== undefined && at === number.end + 1,
  );
  // `more than 3 tents` counts tents, `over 500 in East` does not count the East.
  if (target === undefined && counted !== undefined)
    throw new NotUnderstood(`“${words} ${counted.text}”: say of which column`);
  if (target?.letter === "E") {
    if (subject !== "group") throw new NotUnderstood(`“${words}” without a group that has rows`);
    read.having.push(
      ...bounds.map((bound) => ({ figure: { aggregate: "count", column: null } as const, ...bound })),
    );
    return;
  }
  const column =
    target?.column ??
    found.find(({ letter }) => letter === "C")?.column ??
    (price ? priceColumn(table) : subject === "rows" ? moneyColumn(table) : null);
  if (column === null) throw new NotUnderstood(`“${words}” without what it is said of`);
  const aggregate = found.find(({ letter }) => letter === "A")?.aggregate;
  if (aggregate !== undefined) {
    if (subject !== "group" || (aggregate === "sum" && column.adds === "rate"))
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
  const figure: Figure = { aggregate: "sum", column };
  read.having.push(...bounds.map((bound) => ({ figure, ...bound })));
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
): readonly { sign: Sign; value: number }[] {
  const [first, second] = numbers;
  if (first === undefined) throw new NotUnderstood(`“${words}”`);
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
  const days = marks
    .takeAll(/z(?:[,&|]*z)*/)
    .flatMap((taken) => taken.flatMap(({ day }) => (day === undefined ? [] : [day])));
  if (days.length > 0) read.filters.push({ kind: "weekday", days, negated: false });
}

/** Two things are held against each other: `compare Q1 with Q2`, `the difference between Q1 and Q2`. */
function isContrast(marks: MarkList): boolean {
  return marks.marks.some(({ letter }) => letter === "R" || letter === "r" || letter === "Z");
}

/** `between Q1 and Q2` is the one and the other where they are compared. */
function endsOf(span: TimeSpan): readonly TimeSpan[] {
  if (span.kind === "in" || span.from === null || span.to === null || span.from.unit !== span.to.unit)
    return [span];
  return [span.from, span.to].map((moment) => ({ kind: "in", moment }));
}

type TimeList = { readonly spans: readonly TimeSpan[]; readonly joined: "and" | "or" | null };

/** A year that stands apart (`Q1 and Q2 revenue of 2025`) belongs to the times without one. */
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
  const dated = (span: TimeSpan): TimeSpan =>
    span.kind === "in"
      ? { ...span, moment: { ...span.moment, year: span.moment.year ?? year } }
      : {
          ...span,
          from: span.from && { ...span.from, year: span.from.year ?? year },
          to: span.to && { ...span.to, year: span.to.year ?? year },
        };
  return others.map((list) => ({ ...list, spans: list.spans.map(dated) }));
}

function columnOf(mark: Mark): Column {
  if (mark.column === undefined) throw new NotUnderstood(`“${mark.text}”`);
  return mark.column;
}
