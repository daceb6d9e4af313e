/** The described tables as the reader sees them: the kind of each column, references between rows, and all names. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { dateCalendar } from "../data/calendar.ts";
import { isMoney } from "../data/measures.ts";
import { columnOf, quoteName } from "../data/tables.ts";
import { rootOf, rootsOf } from "../words/tokens.ts";

export type Kind = "number" | "year" | "date" | "time" | "bool" | "text" | "key";

export type Col = {
  readonly table: string;
  readonly name: string;
  /** SQL for its value, with the bare column name in it. */
  readonly sql: string;
  readonly kind: Kind;
  /** Roots of the words of its name, without its unit and function words. */
  readonly words: readonly string[];
  /** The root of the unit that its name ends in. */
  readonly unit: string | null;
  /** The meaning of its sum; see `tables.ts`. */
  readonly adds: "flow" | "rate" | "other";
  readonly isMoney: boolean;
  readonly isPerson: boolean;
  readonly samples: readonly string[];
  readonly complete: boolean;
  readonly unique: boolean;
  /** Number of rows without a value; null when they were not counted. */
  readonly empty: number | null;
  readonly min: string | number | null;
  readonly max: string | number | null;
  readonly truth: string | null;
  readonly falsehood: string | null;
  /** It contains numbers, whatever they are for. */
  readonly isNumeric: boolean;
  readonly isWhole: boolean;
};

/** Each row of `from` contains the key of one row of `to`. */
export type Link = { readonly from: string; readonly column: Col; readonly to: string; readonly key: Col };

export type Tab = {
  readonly source: string;
  readonly name: string;
  readonly rows: number | null;
  readonly cols: readonly Col[];
  /** The nouns for its rows: each a phrase of roots. */
  readonly nouns: readonly (readonly string[])[];
  /** The columns that show a row. */
  readonly labels: readonly Col[];
  readonly isPersons: boolean;
  /** The columns of other tables that refer to its rows. */
  readonly refs: readonly Col[];
};

export type Schema = { readonly tables: readonly Tab[]; readonly links: readonly Link[] };

const UNITS = new Set(
  `percent pct kg g t km m cm mm ha h min sec eur usd gbp chf mw kw kwh l litre sqm m2 day million thousand`.split(
    " ",
  ),
);
const EMPTY_WORDS = new Set(
  rootsOf("is has have was the of in on at for a an no nr id number code uuid per date flag"),
);
const PERSONS = new Set(
  rootsOf(
    `customer client donor captain teacher student pupil patient agent member volunteer employee staff nurse manager owner buyer seller
     author artist driver guest visitor doctor tenant player coach person crew worker mechanic resident user applicant child adult trainer
     salesperson colleague contact reporter inspector pilot rider reader borrower instructor chair participant`,
  ),
);

type Described = DataSource["tables"][number];

/** One schema per source, so that a column is the same object wherever it is named. */
const known = new WeakMap<DataSource, Schema>();

/** The tables of one source; tables of different sources cannot be joined. */
export function schemaOf(data: DataSource): Schema {
  const schema = known.get(data) ?? describedSchema(data);
  known.set(data, schema);
  return schema;
}

function describedSchema({ source, tables }: DataSource): Schema {
  const bare = tables.map((table) => tabOf(source, table));
  const links = bare.flatMap((child) => bare.flatMap((parent) => linksBetween(child, parent)));
  return { tables: bare.map((table) => withLinkNouns(table, links)), links };
}

function tabOf(source: string, { name, rows, columns }: Described): Tab {
  const cols = columns.map((column, index) =>
    colOf(name, column, { rows: rows ?? null, isFirst: index === 0 }),
  );
  const own = rootsOf(name);
  const labels = labelsOf(cols, own);
  const named = labels
    .map((col) => col.words.filter((word) => !/^(?:nam|titl|label)$/.test(word)))
    .filter((words) => words.length > 0 && words.length <= 2);
  const nouns = [own, ...(own.length > 1 ? [own.slice(-1)] : []), ...named];
  const isPersons =
    nouns.some((words) => PERSONS.has(words.at(-1) ?? "")) || labels.some((col) => col.isPerson);
  return { source, name, rows: rows ?? null, cols, nouns: distinct(nouns), labels, isPersons, refs: [] };
}

/** The columns that name a row: its key and its name, if it has them. */
function labelsOf(cols: readonly Col[], table: readonly string[]): readonly Col[] {
  const unique = cols.filter((col) => col.unique && (col.kind === "text" || col.kind === "key"));
  const [first] = unique;
  const named =
    cols.find(({ name }) => /^(?:name|title|full_?name)$/i.test(name)) ??
    cols.find((col) => isNameOf(col, table.at(-1) ?? "")) ??
    unique.find(({ kind, words }) => kind === "text" && words.join(" ") === table.at(-1));
  return [...new Set([named, first].filter((col) => col !== undefined))];
}

/** `hive_name` of hives. */
function isNameOf({ name, kind, words }: Col, row: string): boolean {
  return kind === "text" && /[ _](?:name|title)$/i.test(name) && words.length === 2 && words[0] === row;
}

function distinct(nouns: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(nouns.map((words) => [words.join(" "), words])).values()].filter(
    (words) => words.length > 0,
  );
}

function colOf(
  table: string,
  described: Described["columns"][number],
  { rows, isFirst }: { rows: number | null; isFirst: boolean },
): Col {
  const old = columnOf(described);
  const all = rootsOf(described.name);
  const last = all.at(-1) ?? "";
  const hasUnit = all.length > 1 && UNITS.has(last);
  const named = (hasUnit ? all.slice(0, -1) : all).filter((word) => !EMPTY_WORDS.has(word));
  const words = named.length === 0 ? all : named;
  const complete = described.complete && old.samples.length > 0;
  // The values of a large table are not counted: its first key is assumed to identify its rows.
  const isOwnKey = old.kind === "id" && isFirst && described.min === undefined && !complete;
  const unique = described.unique ?? ((complete && rows !== null && old.samples.length === rows) || isOwnKey);
  const isNumeric =
    old.kind === "measure" ||
    (old.samples.length > 0 && old.samples.every((text) => /^-?\d+(?:\.\d+)?$/.test(text)));
  const isNamedAsRow = isFirst && words.at(-1) === rootsOf(table).at(-1);
  const kind = kindOf({ old, described, isKey: isFirst && (unique || isNamedAsRow), isNumeric });
  return {
    table,
    name: described.name,
    sql: old.sql,
    kind,
    words: kind === "year" && words.length > 1 ? words.filter((word) => word !== "year") : words,
    unit: hasUnit ? last : null,
    adds: old.adds,
    isMoney: isMoney(described) || /^(?:eur|usd|gbp|chf)$/.test(last),
    isPerson: PERSONS.has(last),
    samples: old.samples,
    complete,
    unique,
    empty:
      described.unique === true
        ? 0
        : (described.empty ?? (described.min !== undefined || described.unique !== undefined ? 0 : null)),
    min: described.min ?? null,
    max: described.max ?? null,
    truth: old.truth ?? null,
    falsehood: old.truth === undefined ? null : (old.samples.find((sample) => sample !== old.truth) ?? null),
    isNumeric,
    isWhole: old.wholeNumbers,
  };
}

type Given = {
  old: ReturnType<typeof columnOf>;
  described: Described["columns"][number];
  isKey: boolean;
  isNumeric: boolean;
};

function kindOf({ old, described, isKey, isNumeric }: Given): Kind {
  if (old.kind === "date") return dateCalendar(old)?.units.includes("day") === true ? "date" : "text";
  if (old.truth !== undefined) return "bool";
  if (old.samples.length > 0 && old.samples.every((text) => /^\d{1,2}:\d{2}(?::\d{2})?$/.test(text)))
    return "time";
  if (isNumeric && isYear(old, described)) return "year";
  if (old.kind === "id") return "key";
  if (isNumeric && old.wholeNumbers && isKey) return "key";
  if (old.kind === "measure") return "number";
  return "text";
}

function isYear(
  { name, samples }: { name: string; samples: readonly string[] },
  { min, max }: { min?: unknown; max?: unknown },
): boolean {
  const values = [...samples, ...[min, max].filter((value) => value !== undefined).map(String)];
  const areYears = values.length > 0 && values.every((text) => /^(?:1[0-9]|20)\d\d$/.test(text));
  return areYears && /(?:^|_)(?:years?|since|in|built|founded|made|bought|born)(?:_|$)/i.test(name);
}

/** ISO text of a date column's value. */
function isoOfCol(col: Col): string {
  const calendar = dateCalendar({ name: col.name, sql: col.sql, kind: "date", samples: col.samples });
  return calendar?.iso ?? col.sql;
}

function linksBetween(child: Tab, parent: Tab): readonly Link[] {
  if (child === parent) return [];
  const found = child.cols.flatMap((column) =>
    parent.cols
      .filter((key) => key.unique && refersTo(column, key, parent))
      .map((key): Link => ({ from: child.name, column, to: parent.name, key })),
  );
  // A key and a name that both match are two ways to express the same.
  return found.filter((link, index) => found.findIndex((other) => other.column === link.column) === index);
}

function refersTo(column: Col, key: Col, parent: Tab): boolean {
  if (column.unique && key.unique && column.name !== key.name) return false;
  if (key.kind !== "text" && key.kind !== "key") return false;
  if (column.kind !== "text" && column.kind !== "key" && !(column.isNumeric && key.isNumeric)) return false;
  const isNamed =
    column.name.toLowerCase() === key.name.toLowerCase() ||
    parent.nouns.some((noun) => noun.length > 0 && noun.join(" ") === column.words.join(" "));
  if (column.complete && key.complete) {
    const known = new Set(key.samples.map((text) => text.toLowerCase()));
    const isSubset = column.samples.every((text) => known.has(text.toLowerCase()));
    return isSubset && (isNamed || column.samples.length >= 3);
  }
  return isNamed && column.isNumeric === key.isNumeric && (column.isNumeric || areAlike(column, key));
}

function areAlike(one: Col, other: Col): boolean {
  const shape = (text: string) => text.replace(/\d+/g, "9").replace(/\p{L}+/gu, "a");
  const shapes = new Set(one.samples.map(shape));
  return other.samples.some((text) => shapes.has(shape(text)));
}

/** A referring column reveals what a row is: `agent` of tickets, if the table of agents has a `login`. */
function withLinkNouns(table: Tab, links: readonly Link[]): Tab {
  const named = links
    .filter(({ to, column }) => to === table.name && column.words.length === 1 && rootOf(column.name) !== "")
    .map(({ column }) => column.words);
  const nouns = distinct([...table.nouns, ...named]);
  const isPersons = table.isPersons || nouns.some((words) => PERSONS.has(words.at(-1) ?? ""));
  const refs = links.filter(({ to }) => to === table.name).map(({ column }) => column);
  return { ...table, nouns, isPersons, refs };
}

/** SQL of a column under a table's alias. */
export function sqlOf(col: Col, alias: string): string {
  return col.sql.replaceAll(quoteName(col.name), `${quoteName(alias)}.${quoteName(col.name)}`);
}

export function isoSql(col: Col, alias: string): string {
  return isoOfCol(col).replaceAll(quoteName(col.name), `${quoteName(alias)}.${quoteName(col.name)}`);
}

/** The paths from a table to another along keys, up to two. */
export function pathsBetween({ links }: Schema, from: string, to: string): readonly (readonly Link[])[] {
  if (from === to) return [[]];
  const first = links.filter((link) => link.from === from);
  return first.flatMap((link) => {
    if (link.to === to) return [[link]];
    return links
      .filter((next) => next.from === link.to && next.to === to && to !== from)
      .map((next) => [link, next]);
  });
}
