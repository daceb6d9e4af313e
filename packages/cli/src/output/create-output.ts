import { jsonText, onlyStyled } from "@planwright/shared/terminal";
import type { TextSink } from "../command-context.ts";
import { type Column, tableText } from "./table.ts";

/** How commands speak: to people in tables and sentences, to programs in JSON. */
export type Output = {
  /** Who reads: a person at a terminal, a person or a script through a pipe, or a program. */
  readonly kind: "terminal" | "plain" | "json";
  /** Columns and lines of the terminal as it is now; 80 and 24 when there is none. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** One JSON document with `--json`, else what `show` prints. */
  readonly result: (value: unknown, show: () => void) => void;
  /** One line of JSON, of several. */
  readonly record: (value: unknown) => void;
  readonly table: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => void;
  readonly line: (text: string) => void;
  /** Text as it is, escape sequences and all. */
  readonly raw: (text: string) => void;
  /** What is going on: beside the result, so that pipes carry the result alone. */
  readonly progress: (text: string) => void;
  /** For people only: nothing where the output is no terminal. */
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
