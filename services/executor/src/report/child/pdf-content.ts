/** Converts a report's tree to pdfmake content. Lengths are in points. */
import type { Content, Layout, Style, TextPart } from "pdfmake";
import { type Alignment, type Block, type Grid, type Line, type Span, plainText } from "./report-document.ts";
import { CODE_FONT } from "./pdf-fonts.ts";

export const TEXT_POINTS = 10;
/** Indenting more levels would leave no room for the text. */
const INDENTED_LEVELS_MAX = 8;
const INDENT = 14;
const HEADING_POINTS = [20, 16, 13, 11.5, 10.5, 10] as const;
const CHART_HEIGHT_MAX = 520;
const GREY = "#4a5365";
const LINE = "#cfd6e4";
const SHADE = "#f4f6fa";

const LONG_WORD = /\S{81,}/g;
const WORD_PART = /.{1,40}/gsu;
/** A zero-width space. */
const BREAK = "\u200b";

type Place = { readonly width: number; readonly depth: number };

/** @param width - Width of the page between its margins. */
export function pdfContent(blocks: readonly Block[], width: number): Content[] {
  const last = blocks.at(-1);
  return groupHeadings(blocks).map((group) => {
    const contents = group.map((block) => {
      const content = contentOf(block, { width, depth: 0 });
      return block === last ? withoutSpaceBelow(content) : content;
    });
    return { stack: contents, unbreakable: contents.length > 1 };
  });
}

/** Trailing space that does not fit on the last page would add an empty page. */
function withoutSpaceBelow(content: Content): Content {
  const [left, top, right] = content.margin ?? [0, 0, 0];
  return { ...content, margin: [left, top, right, 0] };
}

function contentOf(block: Block, place: Place): Content {
  switch (block.kind) {
    case "heading":
      return {
        ...headingStyle(block.level),
        text: partsOf(block.line),
        outline: true,
      };
    case "paragraph":
      return { text: partsOf(block.line), margin: [0, 0, 0, block.tight ? 1 : 7] };
    case "quote":
      return { stack: inner(block.blocks, place), margin: [indentOf(place), 2, 0, 6], color: GREY };
    case "list":
      return listOf(block, place);
    case "code":
      return framed(
        {
          text: breakable(block.text.replace(/\n$/, "")),
          font: CODE_FONT,
          fontSize: 8,
          preserveLeadingSpaces: true,
        },
        place,
      );
    case "rule":
      return ruled(place);
    case "grid":
      return gridOf(block, place);
    case "chart":
      return chartOf(block, place);
  }
}

export function headingStyle(level: number): Style {
  const fontSize = HEADING_POINTS[level - 1] ?? TEXT_POINTS;
  return { fontSize, bold: true, lineHeight: 1.1, margin: [0, level === 1 ? 0 : 10, 0, 5] };
}

function inner(blocks: readonly Block[], place: Place): Content[] {
  const further = { width: place.width - indentOf(place), depth: place.depth + 1 };
  return blocks.map((block) => contentOf(block, further));
}

function indentOf({ depth }: Place): number {
  return depth < INDENTED_LEVELS_MAX ? INDENT : 0;
}

function listOf({ start, items }: Extract<Block, { kind: "list" }>, place: Place): Content {
  const entries = items.map((blocks): Content => ({ stack: inner(blocks, place) }));
  // Deeper than this, list markers would push the text off the page.
  if (place.depth >= INDENTED_LEVELS_MAX) return { stack: entries };
  const margin: Style["margin"] = [0, 0, 0, 4];
  return start === undefined ? { ul: entries, margin } : { ol: entries, start, margin };
}

const PLAIN: Layout = { hLineWidth: () => 0, vLineWidth: () => 0 };

function framed(content: Content, { width }: Place): Content {
  const pad = 6;
  const layout: Layout = {
    ...PLAIN,
    fillColor: () => SHADE,
    paddingLeft: () => pad,
    paddingRight: () => pad,
    paddingTop: () => pad,
    paddingBottom: () => pad,
  };
  return {
    table: { headerRows: 0, widths: [width - 2 * pad], body: [[content]] },
    layout,
    margin: [0, 2, 0, 8],
  };
}

function ruled({ width }: Place): Content {
  const layout: Layout = {
    hLineWidth: (row) => (row === 0 ? 0.5 : 0),
    vLineWidth: () => 0,
    hLineColor: () => LINE,
  };
  const pad = 8;
  return {
    table: { headerRows: 0, widths: [width - pad], body: [[{ text: "" }]] },
    layout,
    margin: [0, 6, 0, 0],
  };
}

function gridOf({ head, rows, alignments, caption }: Grid, { width }: Place): Content {
  const { widths, fontSize, padding } = columnWidths([head, ...rows], width);
  const cell = (line: Line, column: number): Content => ({
    text: partsOf(line),
    alignment: alignments[column] ?? ("left" satisfies Alignment),
  });
  const body = [
    head.map((line, column): Content => ({ ...cell(line, column), bold: true })),
    ...rows.map((cells) => head.map((_, column) => cell(cells[column] ?? [], column))),
  ];
  const layout: Layout = {
    hLineWidth: (row, { table }) => (row === 0 || row === table.body.length ? 0 : row === 1 ? 1 : 0.5),
    hLineColor: () => LINE,
    vLineWidth: () => 0,
    paddingLeft: () => padding,
    paddingRight: () => padding,
    paddingTop: () => 3,
    paddingBottom: () => 3,
  };
  const table: Content = {
    table: { headerRows: 1, widths: [...widths], body, dontBreakRows: rows.length > 1 },
    layout,
  };
  return { stack: [table, ...captionOf(caption ?? "")], fontSize, margin: [0, 4, 0, 10] };
}

function chartOf({ drawing, caption }: Extract<Block, { kind: "chart" }>, place: Place): Content {
  const scale = Math.min(1, place.width / drawing.width, CHART_HEIGHT_MAX / drawing.height);
  const size = { width: drawing.width * scale, height: drawing.height * scale };
  return { stack: [{ svg: drawing.svg, ...size }, ...captionOf(caption)], margin: [0, 4, 0, 10] };
}

function captionOf(caption: string): Content[] {
  return caption === "" ? [] : [{ text: caption, fontSize: 8.5, color: GREY, margin: [0, 3, 0, 0] }];
}

function partsOf(line: Line): TextPart[] {
  return line.map(partOf);
}

function partOf({ text, bold, italic, strike, code, href }: Span): TextPart {
  return {
    text: breakable(text),
    ...(bold === undefined ? {} : { bold }),
    ...(italic === undefined ? {} : { italics: italic }),
    ...(strike === undefined ? {} : { decoration: "lineThrough" as const }),
    ...(code === undefined ? {} : { font: CODE_FONT, fontSize: TEXT_POINTS * 0.88, background: SHADE }),
    ...(href === undefined ? {} : { link: href, color: "#1d5fbf" }),
  };
}

/** Very long words can be broken anywhere; letting the library find the break would take too long. */
function breakable(text: string): string {
  return text.replaceAll(LONG_WORD, (word) => word.match(WORD_PART)?.join(BREAK) ?? word);
}

/** Approximate width of one character of the PDF's font, as a fraction of its size; table heads are bold. */
const CHARACTER = 0.57;
const HEAD_CHARACTER = 0.66;
const DEMAND_CHARS_MAX = 60;
const DEMAND_CHARS_MIN = 4;

/**
 * Column widths that make a table fit the page: wide columns give room to narrow ones, and a table that is narrower than the page
 * stays so. The more columns, the smaller the text.
 *
 * @param width - Width of the page, in points.
 */
function columnWidths(
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

/** A column that needs less than an equal share gets what it needs; the others split the rest. */
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

const HEADINGS_MAX = 3;
/** A page has room for three times as many. */
const CHARS_MAX = 1_500;
const ROWS_MAX = 8;
const COLUMNS_MAX = 4;
/** A line break takes as much room as this many characters. */
const LINE_CHARS = 90;

/**
 * Groups blocks that must stay together at the foot of a page: headings with what follows them. Only content that is certain to
 * fit a page is grouped, because a group never continues on a second page. Any other block is its own group.
 */
function groupHeadings(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  let headings: Block[] = [];
  for (const block of blocks) {
    if (block.kind === "heading" && headings.length < HEADINGS_MAX) headings.push(block);
    else {
      const group = [...headings, block];
      const chars = group.reduce((sum, one) => sum + charsOf(one), 0);
      groups.push(...(chars <= CHARS_MAX ? [group] : group.map((one) => [one])));
      headings = [];
    }
  }
  return [...groups, ...headings.map((heading) => [heading])];
}

/** The space that a block takes, in characters of full-width text; infinite when unknown. */
function charsOf(block: Block): number {
  switch (block.kind) {
    case "heading":
      // Large type with space around it.
      return 5 * lineChars(block.line) + 2 * LINE_CHARS;
    case "paragraph":
      return lineChars(block.line);
    case "chart":
      // Its height is limited separately, which leaves room for a few lines.
      return CHARS_MAX - 10 * LINE_CHARS + block.caption.length;
    case "grid": {
      if (block.rows.length > ROWS_MAX || block.head.length > COLUMNS_MAX) return Number.POSITIVE_INFINITY;
      const cells = [...block.head, ...block.rows.flat()];
      return COLUMNS_MAX * cells.reduce((sum, line) => sum + lineChars(line), block.caption?.length ?? 0);
    }
    case "quote":
    case "list":
    case "code":
    case "rule":
      return Number.POSITIVE_INFINITY;
  }
}

function lineChars(line: Line): number {
  const text = plainText(line);
  return text.length + LINE_CHARS * (text.split("\n").length - 1);
}
