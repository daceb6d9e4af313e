import { oneLine } from "@planwright/shared/terminal";
import { styleText } from "node:util";
import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";

export type Column<Row> = {
  readonly title: string;
  readonly of: (row: Row) => string;
  /** The style of a cell on a terminal with colours. */
  readonly style?: (row: Row) => Parameters<typeof styleText>[0];
};

const GAP = "  ";

/** Renders rows as an aligned table. @param width - The terminal's width, at which lines are cut; default: not cut. */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width?: number,
): string {
  const cells = rows.map((row) => columns.map((column) => oneLine(column.of(row))));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => stringWidth(line[index] ?? ""))),
  );
  const pad = (line: readonly string[]): string[] =>
    line.map((cell, index) => (index === line.length - 1 ? cell : padTo(cell, widths[index] ?? 0)));
  const lines = cells.map((line, rowIndex) => {
    const row = rows[rowIndex];
    const padded = pad(cut(line, widths, width));
    return padded.map((cell, index) => {
      const style = row === undefined ? undefined : columns[index]?.style?.(row);
      return style === undefined ? cell : styleText(style, cell);
    });
  });
  const head = pad(columns.map(({ title }) => title)).map((cell) => styleText("bold", cell));
  return [head, ...lines].map((line) => line.join(GAP).trimEnd()).join("\n");
}

/** Cuts the last column to the width that the others leave. */
function cut(
  line: readonly string[],
  widths: readonly number[],
  width: number | undefined,
): readonly string[] {
  if (width === undefined) return line;
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + GAP.length, 0);
  const room = Math.max(width - before, 10);
  const last = line.at(-1) ?? "";
  return [...line.slice(0, -1), stringWidth(last) > room ? `${sliceAnsi(last, 0, room - 1)}…` : last];
}

/** Wide characters count as two columns. */
function padTo(text: string, width: number): string {
  return `${text}${" ".repeat(Math.max(0, width - stringWidth(text)))}`;
}
