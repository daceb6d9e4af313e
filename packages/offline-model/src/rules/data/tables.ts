/** The described tables as the rules see them: what can be added up, what can be grouped by, what is a date. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { stemsOf, wordsOf } from "../text/words.ts";
import { type Calendar, dateCalendar, isDateText, periodCalendar } from "./calendar.ts";
import { isDiscountInMoney, isFlow, isRate, UNIT_WORDS } from "./measures.ts";

export type Column = {
  readonly name: string;
  /** SQL for its value in a row. */
  readonly sql: string;
  /** Stems of the words of its name; the words that only say in what it is counted are not among them. */
  readonly words: readonly string[];
  readonly kind: "measure" | "dimension" | "date" | "id";
  /** What adding it up means: `flow` is added up, `rate` never is, `other` only when the goal says so. */
  readonly adds: "flow" | "rate" | "other";
  readonly wholeNumbers: boolean;
  readonly samples: readonly string[];
  /** The samples are all values that occur. */
  readonly complete: boolean;
  /** For a column of yes and no: its value for yes. */
  readonly truth?: string;
  /** Of an id: whether it tells the rows of its table apart, or refers to those of another one that is a table too. */
  readonly isOwnKey?: boolean;
  /** Set for a column of a row that a key refers to, which occurs in many rows. */
  readonly joined?: Joined;
};

type Joined = {
  readonly table: string;
  /** How many keys are followed to it. */
  readonly depth: number;
  /** SQL for its plain value; that of a column that names a row also says which of several with this name. */
  readonly value: string;
};

/** Another table whose key refers to rows of this one. */
export type Child = {
  readonly table: string;
  /** Stems of the table's name, and of what one of its rows is. */
  readonly names: readonly (readonly string[])[];
  /** Stems of the other tables that its rows refer to. */
  readonly objects: readonly string[];
  /** SQL for its rows that refer to the row at hand. */
  readonly rows: string;
};

export type Table = {
  readonly source: string;
  readonly name: string;
  /** What stands behind FROM. */
  readonly from: string;
  /** The parts of `from` that join other tables; a query keeps those that it uses. */
  readonly joins?: readonly { readonly alias: string; readonly sql: string }[];
  /** How many rows it has; null when that is not known. */
  readonly rows: number | null;
  /** Stems of the table's name. */
  readonly words: readonly string[];
  readonly columns: readonly Column[];
  /** How periods are told from its rows; null when nothing in it is a date. */
  readonly calendar: Calendar | null;
  /** What one row is, such as `order`; null when the table does not say. */
  readonly entity: string | null;
  /** The column that names a row, such as `name`. */
  readonly label: Column | null;
  /** Names of the tables that its keys refer to: never what its own rows are called. */
  readonly parentNames?: readonly string[];
  readonly children?: readonly Child[];
};

/** The key that tells the table's own rows apart. */
export function ownKeyOf({ columns }: Pick<Table, "columns">): Column | undefined {
  return columns.find(({ kind, joined }) => kind === "id" && joined === undefined);
}

/** The value for no of a column of yes and no. */
export function falsehoodOf({ samples, truth }: Column): string | undefined {
  return samples.find((sample) => sample !== truth);
}

/** A table with what follows from its columns. */
export function tableOf(given: Pick<Table, "source" | "name" | "from" | "columns" | "rows">): Table {
  const { name, columns } = given;
  const dates = columns.filter(({ kind }) => kind === "date");
  const [date] = dates;
  const calendar = date === undefined ? periodCalendar(columns) : dateCalendar(date);
  const singular = stemsOf(name);
  const label = columns.find((column) => isLabel(column, given)) ?? null;
  return { ...given, words: singular, calendar, entity: entityOf(name, columns), label };
}

/** A name that no two rows share: all values are known and as many as rows, or it stands first, behind the key if any. */
function isLabel(column: Column, { name, columns, rows }: Pick<Table, "name" | "columns" | "rows">): boolean {
  const isNamed = column.words.length === 0 || column.words.join() === stemsOf(name).join();
  if (column.kind !== "dimension" || !isNamed) return false;
  if (column.complete) return column.samples.length === rows;
  return columns.find(({ kind }) => kind !== "id") === column;
}

/** What the first column numbers, if it is an id (`order` of `order_id`); otherwise the singular of the table's name. */
function entityOf(name: string, columns: readonly Column[]): string | null {
  const first = columns.find(({ kind, words }) => kind !== "id" || words.length > 0);
  const numbered = first?.kind === "id" ? wordsOf(first.name).slice(0, -1).join(" ") : "";
  if (numbered !== "") return numbered;
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  const singular = last.replace(/(?<=[^aeiou])ies$/, "y").replace(/(?<=ss|x|ch|sh)es$|(?<=[^su])s$/, "");
  return singular === last ? null : [...words.slice(0, -1), singular].join(" ");
}

type DescribedColumn = DataSource["tables"][number]["columns"][number];

const NUMERIC_TYPE = /int|real|num|float|double|dec|money/i;
const NUMBER_TEXT = /^\s*-?[$€£]?\s?-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s*$/;

export function columnOf({ name, type, samples, complete }: DescribedColumn): Column {
  const texts = samples.filter((sample) => sample !== null).map(String);
  const allNumbers =
    texts.length > 0 && texts.every((text) => text.trim() !== "" && Number.isFinite(Number(text)));
  const declared = NUMERIC_TYPE.test(type) ? texts.length === 0 || allNumbers : type === "" && allNumbers;
  const written = !declared && texts.length > 0 && texts.every((text) => NUMBER_TEXT.test(text));
  const all = stemsOf(name);
  const key = all.filter((word) => !UNIT_WORDS.has(word));
  const kind = kindOf({ name, numeric: declared || written, texts });
  const sql = quoteName(name);
  return {
    name,
    sql: written && kind === "measure" ? numberIn(sql) : sql,
    words: NAMING.test(name) ? [] : key.length === 0 ? all : key,
    kind,
    adds: isRate(all) && !isDiscountInMoney(name) ? "rate" : isFlow(all) ? "flow" : "other",
    wholeNumbers:
      /int/i.test(type) ||
      (allNumbers &&
        !/real|float|double|dec|money/i.test(type) &&
        texts.every((text) => Number.isInteger(Number(text)))),
    samples: texts,
    complete: complete && kind === "dimension",
    ...(complete && kind === "dimension" ? truthOf(texts) : {}),
  };
}

const TRUTHS = ["yes no", "true false", "y n", "t f"].map((pair) => pair.split(" "));

/** The value for yes of a column that has nothing but yes and no. */
function truthOf(texts: readonly string[]): { truth?: string } {
  const pair = TRUTHS.find(
    (words) => texts.length > 0 && texts.every((text) => words.includes(text.toLowerCase())),
  );
  const truth = texts.find((text) => text.toLowerCase() === pair?.[0]) ?? pair?.[0];
  return truth === undefined ? {} : { truth };
}

const NAMING = /^(name|title|label|full_?name)$/i;

/** A number that is written as text; what is none becomes NULL, so that it is neither added nor counted as 0. */
function numberIn(sql: string): string {
  const digits = `replace(replace(replace(replace(replace(${sql}, ',', ''), '$', ''), '€', ''), '£', ''), ' ', '')`;
  return `CASE WHEN ${digits} GLOB '*[0-9]*' AND ${digits} NOT GLOB '*[^-0-9.]*' THEN CAST(${digits} AS REAL) END`;
}

function kindOf({
  name,
  numeric,
  texts,
}: {
  name: string;
  numeric: boolean;
  texts: string[];
}): Column["kind"] {
  if (/(^|[_ ])(id|uuid|key|code|no|nr|zip|phone|sku)$/i.test(name) || /[a-z]Id$/.test(name)) return "id";
  if (texts.length > 0 && texts.every(isDateText)) return "date";
  // Large descriptions come without samples: then the name has to do.
  if (texts.length === 0 && !numeric && /(^|_)(date|day|at|time|timestamp)$/i.test(name)) return "date";
  // Years, quarters and months are numbers that no one adds up.
  if (numeric && /^(year|quarter|month|week|day|hour)$/i.test(name)) return "dimension";
  return numeric ? "measure" : "dimension";
}

/** A name as an SQL identifier, whatever it contains. */
export function quoteName(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
