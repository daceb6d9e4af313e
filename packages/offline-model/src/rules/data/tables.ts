/** The described tables as the rules see them: columns to add up, columns to group by, dates. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { stemsOf, wordsOf } from "../text/words.ts";
import { type Calendar, dateCalendar, isDateText, periodCalendar } from "./calendar.ts";
import { isDiscountInMoney, isFlow, isRate, UNIT_WORDS } from "./measures.ts";

export type Column = {
  readonly name: string;
  /** SQL for the column's value in a row. */
  readonly sql: string;
  /** Stems of the words of its name, without those that only give its unit. */
  readonly words: readonly string[];
  readonly kind: "measure" | "dimension" | "date" | "id";
  /** The meaning of its sum: `flow` is added up, `rate` never is, `other` only if the goal requests it. */
  readonly adds: "flow" | "rate" | "other";
  readonly wholeNumbers: boolean;
  readonly samples: readonly string[];
  /** The samples are all values of the column. */
  readonly complete: boolean;
  /** For a yes/no column: its value for yes. */
  readonly truth?: string;
  /** For an id: whether it identifies the rows of its table, or refers to those of another table. */
  readonly isOwnKey?: boolean;
  /** Set for a column of a row that a key refers to, which is repeated in many rows. */
  readonly joined?: Joined;
};

type Joined = {
  readonly table: string;
  /** The number of keys followed to reach it. */
  readonly depth: number;
  /** SQL for its plain value; for a column that names a row, distinguishing rows with the same name. */
  readonly value: string;
};

/** Another table whose key refers to rows of this one. */
export type Child = {
  readonly table: string;
  /** Stems of the table's name, and of the noun for one of its rows. */
  readonly names: readonly (readonly string[])[];
  /** Stems of the other tables that its rows refer to. */
  readonly objects: readonly string[];
  /** SQL for its rows that refer to the current row. */
  readonly rows: string;
};

export type Table = {
  readonly source: string;
  readonly name: string;
  /** The text behind FROM. */
  readonly from: string;
  /** The parts of `from` that join other tables; a query keeps those that it uses. */
  readonly joins?: readonly { readonly alias: string; readonly sql: string }[];
  /** The number of rows; null when unknown. */
  readonly rows: number | null;
  /** Stems of the table's name. */
  readonly words: readonly string[];
  readonly columns: readonly Column[];
  /** How rows are assigned to periods; null without a date. */
  readonly calendar: Calendar | null;
  /** The noun for a row, such as `order`; null when the table does not reveal it. */
  readonly entity: string | null;
  /** The column that names a row, such as `name`. */
  readonly label: Column | null;
  /** Names of the tables that its keys refer to, which never name its own rows. */
  readonly parentNames?: readonly string[];
  readonly children?: readonly Child[];
};

/** The key that identifies the table's own rows. */
export function ownKeyOf({ columns }: Pick<Table, "columns">): Column | undefined {
  return columns.find(({ kind, joined }) => kind === "id" && joined === undefined);
}

/** The value for no in a yes/no column. */
export function falsehoodOf({ samples, truth }: Column): string | undefined {
  return samples.find((sample) => sample !== truth);
}

/** A table with everything derived from its columns. */
export function tableOf(given: Pick<Table, "source" | "name" | "from" | "columns" | "rows">): Table {
  const { name, columns } = given;
  const dates = columns.filter(({ kind }) => kind === "date");
  const [date] = dates;
  const calendar = date === undefined ? periodCalendar(columns) : dateCalendar(date);
  const singular = stemsOf(name);
  const label = columns.find((column) => isLabel(column, given)) ?? null;
  return { ...given, words: singular, calendar, entity: entityOf(name, columns), label };
}

/** A unique name: all values are known and as many as rows, or it is the first column, after the key if any. */
function isLabel(column: Column, { name, columns, rows }: Pick<Table, "name" | "columns" | "rows">): boolean {
  const isNamed = column.words.length === 0 || column.words.join() === stemsOf(name).join();
  if (column.kind !== "dimension" || !isNamed) return false;
  if (column.complete) return column.samples.length === rows;
  return columns.find(({ kind }) => kind !== "id") === column;
}

/** The noun that the first column numbers, if it is an id (`order` of `order_id`); else the singular of the table's name. */
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

/** The value for yes in a column that contains only yes and no. */
function truthOf(texts: readonly string[]): { truth?: string } {
  const pair = TRUTHS.find(
    (words) => texts.length > 0 && texts.every((text) => words.includes(text.toLowerCase())),
  );
  const truth = texts.find((text) => text.toLowerCase() === pair?.[0]) ?? pair?.[0];
  return truth === undefined ? {} : { truth };
}

const NAMING = /^(name|title|label|full_?name)$/i;

/** A number stored as text; other text becomes NULL, so that it is neither added nor counted as 0. */
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
  // Large descriptions have no samples: then only the name is known.
  if (texts.length === 0 && !numeric && /(^|_)(date|day|at|time|timestamp)$/i.test(name)) return "date";
  // Years, quarters and months are numbers that are never added up.
  if (numeric && /^(year|quarter|month|week|day|hour)$/i.test(name)) return "dimension";
  return numeric ? "measure" : "dimension";
}

/** A name as an SQL identifier, whatever it contains. */
export function quoteName(name: string): string {
  return `"${name.replace(/"/g, '""')}"`;
}
