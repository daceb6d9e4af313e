/** The described tables as the rules see them: what can be added up, what can be grouped by, what is a date. */
import type { DataSource } from "../../prompt/plan-prompt.ts";
import { stemsOf } from "../text/words.ts";
import { type Calendar, calendarOf } from "./calendar.ts";

export type Column = {
  readonly name: string;
  /** Stems of the words of its name. */
  readonly words: readonly string[];
  readonly kind: "measure" | "dimension" | "date" | "id";
  readonly wholeNumbers: boolean;
  readonly samples: readonly string[];
};

export type Table = {
  readonly source: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly columns: readonly Column[];
  /** How periods are told from its rows; null when nothing in it is a date. */
  readonly calendar: Calendar | null;
};

export function tablesOf(data: readonly DataSource[]): readonly Table[] {
  return data.flatMap(({ source, tables }) =>
    tables.map((table) => {
      const columns = table.columns.map(columnOf);
      const words = stemsOf(`${table.name} ${source}`);
      return { source, name: table.name, words, columns, calendar: calendarOf(columns) };
    }),
  );
}

type DescribedColumn = DataSource["tables"][number]["columns"][number];

const NUMERIC_TYPE = /int|real|num|float|double|dec|money/i;
const DATE = /^\d{4}-\d{2}(-\d{2}([T ].*)?)?$/;

function columnOf({ name, type, samples }: DescribedColumn): Column {
  const texts = samples.filter((sample) => sample !== null).map(String);
  const allNumbers =
    texts.length > 0 && texts.every((text) => text.trim() !== "" && Number.isFinite(Number(text)));
  const numeric = NUMERIC_TYPE.test(type) ? texts.length === 0 || allNumbers : type === "" && allNumbers;
  return {
    name,
    words: stemsOf(name),
    kind: kindOf({ name, numeric, texts }),
    wholeNumbers: /int/i.test(type) || (allNumbers && texts.every((text) => Number.isInteger(Number(text)))),
    samples: texts,
  };
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
  if (/(^|_)(id|uuid|key|code|no|nr)$/i.test(name) || /[a-z]Id$/.test(name)) return "id";
  if (texts.length > 0 && texts.every((text) => DATE.test(text))) return "date";
  // Large descriptions come without samples: then the name has to do.
  if (texts.length === 0 && !numeric && /(^|_)(date|day|at|time|timestamp)$/i.test(name)) return "date";
  // Years, quarters and months are numbers that nobody adds up.
  if (numeric && /^(year|quarter|month|week|day|hour)$/i.test(name)) return "dimension";
  return numeric ? "measure" : "dimension";
}
