import { styleText } from "node:util";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const GAP = "  ";
const COLUMN_WIDTH_MIN = 3;

export type Grid = {
  /** The first one is the head. Cells may contain styles and line ends. */
  readonly rows: readonly (readonly string[])[];
  /** Which columns are aligned to the right. */
  readonly right: readonly boolean[];
};

/** Renders a table in aligned columns. Where it is too wide, the cells of its widest columns are wrapped. */
export function gridLines({ rows, right }: Grid, width: number): string[] {
  const [head = []] = rows;
  const natural = head.map((_, column) =>
    Math.max(COLUMN_WIDTH_MIN, ...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const widths = fitted(natural, width - GAP.length * (head.length - 1));
  const lines = rows.map((row) =>
    rowLines(
      head.map((_, column) => row[column] ?? ""),
      widths,
      right,
    ),
  );
  const rule = styleText("dim", widths.map((one) => "─".repeat(one)).join(GAP));
  const [first = [], ...rest] = lines;
  return [...first, rule, ...rest.flat()];
}

/** Limits all columns to the largest width with which they fit. */
function fitted(natural: readonly number[], room: number): number[] {
  const sumWith = (limit: number) => natural.reduce((sum, one) => sum + Math.min(one, limit), 0);
  let limit = Math.max(COLUMN_WIDTH_MIN, Math.min(room, Math.max(...natural)));
  while (limit > COLUMN_WIDTH_MIN && sumWith(limit) > room) limit -= 1;
  return natural.map((one) => Math.min(one, limit));
}

function rowLines(cells: readonly string[], widths: readonly number[], right: readonly boolean[]): string[] {
  const wrapped = cells.map((cell, column) =>
    wrapAnsi(cell, widths[column] ?? 0, { hard: true }).split("\n"),
  );
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    wrapped
      .map((lines, column) => {
        const text = lines[index] ?? "";
        const space = " ".repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(text)));
        return right[column] === true ? `${space}${text}` : `${text}${space}`;
      })
      .join(GAP)
      .trimEnd(),
  );
}

function widthOf(cell: string): number {
  return Math.max(...cell.split("\n").map((line) => stringWidth(line)));
}
