import { type Block, type Line, plainText } from "./report-document.ts";

const HEADINGS_MAX = 3;
/** A page has room for three times as many. */
const CHARS_MAX = 1_500;
const ROWS_MAX = 8;
const COLUMNS_MAX = 4;
/** A line break takes as much room as so many characters. */
const LINE_CHARS = 90;

/**
 * Blocks that are not to be parted at the foot of a page: headings and what follows them. Only what is certain to fit
 * a page is grouped, because a group never continues on a second page. Any other block is a separate group.
 */
export function groupHeadings(blocks: readonly Block[]): Block[][] {
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

/** How much room a block takes, in characters of text across the page; infinite when that is not known. */
function charsOf(block: Block): number {
  switch (block.kind) {
    case "heading":
      // Large type, and the space around it.
      return 5 * lineChars(block.line) + 2 * LINE_CHARS;
    case "paragraph":
      return lineChars(block.line);
    case "chart":
      // Its height has its own limit, which leaves room for a few lines.
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
