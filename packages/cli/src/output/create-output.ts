import { jsonText, onlyStyled } from "@planwright/shared/terminal";
import type { TextSink } from "../command-context.ts";
import { type Column, tableText } from "./table.ts";

/** How commands print: tables and sentences for users, JSON for programs. */
export type Output = {
  /** The reader: a user at a terminal, a user or script through a pipe, or a program that reads JSON. */
  readonly kind: "terminal" | "plain" | "json";
  /** The current size of the terminal; 80 columns and 24 rows when there is none. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Prints `value` as one JSON document with `--json`, otherwise calls `show`. */
  readonly result: (value: unknown, show: () => void) => void;
  /** Prints one line of a JSON lines output. */
  readonly record: (value: unknown) => void;
  readonly table: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => void;
  readonly line: (text: string) => void;
  /** Prints text unchanged, including escape sequences. */
  readonly raw: (text: string) => void;
  /** Prints progress to stderr, so that pipes carry the result alone. */
  readonly progress: (text: string) => void;
  /** Prints a hint to stderr, only when the output is a terminal. */
  readonly note: (text: string) => void;
};

const COLUMNS = 80;
const ROWS = 24;

type Streams = { readonly stdout: TextSink; readonly stderr: TextSink };

export function createOutput({ json, stdout, stderr }: Streams & { readonly json: boolean }): Output {
  const raw = (text: string): void => void stdout.write(text);
  const line = (text: string): void => raw(`${onlyStyled(text)}\n`);
  return {
    kind: json ? "json" : stdout.isTTY === true ? "terminal" : "plain",
    size: () => ({ columns: stdout.columns || COLUMNS, rows: stdout.rows || ROWS }),
    raw,
    progress(text) {
      if (!json) stderr.write(`${onlyStyled(text)}\n`);
    },
    result(value, show) {
      if (json) raw(`${jsonText(value, stdout.isTTY ? 2 : undefined)}\n`);
      else show();
    },
    record: (value) => raw(`${jsonText(value)}\n`),
    table: (columns, rows) => line(tableText(columns, rows, stdout.isTTY ? stdout.columns : undefined)),
    line,
    note(text) {
      if (stdout.isTTY && !json) stderr.write(`${onlyStyled(text)}\n`);
    },
  };
}
