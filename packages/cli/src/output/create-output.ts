import { jsonText, onlyStyled } from "@planwright/shared/terminal";
import type { TextSink } from "../command-context.ts";
import { selectFields } from "./json-fields.ts";
import { relativeTime } from "./relative-time.ts";
import { type Column, tableText } from "./table.ts";

/** How commands print: tables and sentences for users, JSON for programs. */
export type Output = {
  /** The reader: a user at a terminal, a user or script through a pipe, or a program that reads JSON. */
  readonly kind: "terminal" | "plain" | "json";
  /** The current size of the terminal; 80 columns and 24 rows when there is none. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  /**
   * Prints `value` as one JSON document with `--json`, otherwise calls `show`.
   *
   * @param rows - The rows from which `--json a,b` selects fields; default: `value` itself.
   */
  readonly result: (value: object, show: () => void, rows?: readonly object[]) => void;
  /** Prints one line of a JSON lines output. */
  readonly record: (value: object) => void;
  readonly table: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => void;
  readonly line: (text: string) => void;
  /** Prints text unchanged, including escape sequences. */
  readonly raw: (text: string) => void;
  /** Prints progress to stderr, so that pipes carry only the result. */
  readonly progress: (text: string) => void;
  /** Prints a hint to stderr, only when the output is a terminal. */
  readonly note: (text: string) => void;
  /** A time, relative to now on a terminal (`3m ago`), otherwise unchanged. @param at - ISO 8601. */
  readonly time: (at: string) => string;
};

const COLUMNS = 80;
const ROWS = 24;

type Options = {
  readonly json: boolean;
  /** The fields of objects to print with `json`; default: all. */
  readonly fields?: readonly string[] | undefined;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

export function createOutput({ json, fields, stdout, stderr, now }: Options): Output {
  const raw = (text: string): void => void stdout.write(text);
  const line = (text: string): void => raw(`${onlyStyled(text)}\n`);
  const selected = (value: object): unknown => {
    if (fields === undefined) return value;
    return Array.isArray(value)
      ? value.map((one: object) => selectFields(one, fields))
      : selectFields(value, fields);
  };
  const kind = json ? "json" : stdout.isTTY === true ? "terminal" : "plain";
  return {
    kind,
    size: () => ({ columns: stdout.columns || COLUMNS, rows: stdout.rows || ROWS }),
    raw,
    progress(text) {
      if (!json) stderr.write(`${onlyStyled(text)}\n`);
    },
    result(value, show, rows) {
      const shown = fields === undefined ? value : selected(rows ?? value);
      if (json) raw(`${jsonText(shown, stdout.isTTY ? 2 : undefined)}\n`);
      else show();
    },
    record: (value) => raw(`${jsonText(selected(value))}\n`),
    table: (columns, rows) => line(tableText(columns, rows, stdout.isTTY ? stdout.columns : undefined)),
    line,
    note(text) {
      if (stdout.isTTY && !json) stderr.write(`${onlyStyled(text)}\n`);
    },
    time: (at) => (kind === "terminal" ? relativeTime(at, now()) : at),
  };
}
