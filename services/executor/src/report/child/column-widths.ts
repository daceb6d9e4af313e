import { type Line, plainText } from "./report-document.ts";

/** About the width of one character of the PDF's font, in parts of its size; heads are bold. */
const CHARACTER = 0.57;
const HEAD_CHARACTER = 0.66;
const DEMAND_CHARS_MAX = 60;
const DEMAND_CHARS_MIN = 4;

/**
 * Widths for the columns of a table that fit the page: wide columns give room to narrow ones, and a table that is
 * narrower than the page stays so. The more columns, the smaller the text.
 *
 * @param width - The page's, in points.
 */
export function columnWidths(
  rows: readonly (readonly Line[])[],
  width: number,
): { readonly widths: readonly number[]; readonly fontSize: number; readonly padding: number } {
  const count = rows[0]?.length ?? 0;
  const fontSize = count <= 6 ? 9 : count <= 12 ? 7 : 5;
  const padding = count <= 6 ? 5 : count <= 12 ? 3 : 1;
  const demands = Array.from({ length: count }, (_, column) => {
    let longest = DEMAND_CHARS_MIN;
    for (const [index, row] of rows.entries()) {
      const chars = plainText(row[column] ?? []).length;
      longest = Math.max(longest, index === 0 ? (chars * HEAD_CHARACTER) / CHARACTER : chars);
    }
    return Math.min(longest, DEMAND_CHARS_MAX) * fontSize * CHARACTER + 2;
  });
  const room = width - count * 2 * padding;
  return { widths: share(demands, room), fontSize, padding };
}

/** A column that needs less than an equal part gets what it needs; the others share what is left. */
function share(demands: readonly number[], room: number): number[] {
  const widths = new Map<number, number>();
  let left = room;
  const ascending = demands.map((demand, column) => ({ demand, column })).sort((a, b) => a.demand - b.demand);
  for (const [index, { demand, column }] of ascending.entries()) {
    const width = Math.min(demand, left / (ascending.length - index));
    widths.set(column, width);
    left -= width;
  }
  return demands.map((_, column) => widths.get(column) ?? 0);
}
