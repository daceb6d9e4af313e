/**
 * Renders Markdown for a terminal: headings, lists, tables, code, quotes and emphasis, wrapped at its width.
 *
 * The text is untrusted: control characters are stripped, even those written as entities (`&#x1b;`).
 */
import { styleText } from "node:util";
import { linePart, oneLine } from "@planwright/shared/terminal";
import createMarkdownIt, { type Token } from "markdown-it";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const GAP = "  ";
const COLUMN_WIDTH_MIN = 3;

type Style = Extract<Parameters<typeof styleText>[0], string>;

/** Longer texts are not rendered. */
const CHARS_MAX = 100_000;
/** Longer lines are hard to read. */
const WIDTH_MAX = 100;
const WIDTH_MIN = 20;
/** Maximum nesting of quotes and lists; the parser leaves out anything deeper. */
const NESTING_MAX = 40;

const parser = new createMarkdownIt({ html: false, maxNesting: NESTING_MAX });

/** @param columns - The terminal's width. Tables can use all of it. */
export function markdownText(text: string, columns: number): string {
  const clean = text.replaceAll("\t", "    ").split("\n").map(oneLine).join("\n");
  if (clean.length > CHARS_MAX) return clean;
  const tokens = parser.parse(clean, {});
  const reader = { tokens, at: 0 };
  return spaced(blocksUntil(reader, undefined, columns)).join("\n");
}

/** The parser's token list, which is read once. */
type Reader = { readonly tokens: readonly Token[]; at: number };
/** The lines of a block; a tight one has no empty line around it. */
type Block = { readonly lines: readonly string[]; readonly tight?: boolean };

function next(reader: Reader): Token | undefined {
  return reader.tokens[reader.at++];
}

function blocksUntil(reader: Reader, end: string | undefined, width: number): Block[] {
  const blocks: Block[] = [];
  for (let token = next(reader); token !== undefined && token.type !== end; token = next(reader)) {
    const block = blockOf(token, reader, Math.max(width, WIDTH_MIN));
    if (block !== undefined && block.lines.length > 0) blocks.push(block);
  }
  return blocks;
}

function blockOf(token: Token, reader: Reader, width: number): Block | undefined {
  switch (token.type) {
    case "heading_open": {
      const styles: Style[] = token.tag === "h1" ? ["bold", "underline"] : ["bold"];
      return { lines: wrapped(lineOf(reader, styles), width) };
    }
    case "paragraph_open":
      return { lines: wrapped(lineOf(reader, []), width), tight: token.hidden };
    case "blockquote_open": {
      const lines = spaced(blocksUntil(reader, "blockquote_close", width - 2));
      return { lines: lines.map((line) => `${styleText("dim", "│")} ${line}`) };
    }
    case "bullet_list_open":
      return listOf(reader, { end: "bullet_list_close", width, marker: () => "•" });
    case "ordered_list_open": {
      const start = Number(token.attrGet("start") ?? 1);
      return listOf(reader, { end: "ordered_list_close", width, marker: (index) => `${start + index}.` });
    }
    case "fence":
    case "code_block":
      return { lines: linesOfCode(token.content) };
    case "hr":
      return { lines: [styleText("dim", "─".repeat(Math.min(width, WIDTH_MAX)))] };
    case "table_open":
      return { lines: gridLines(readGrid(reader), width) };
    default:
      return undefined;
  }
}

type ListOptions = {
  readonly end: string;
  readonly width: number;
  readonly marker: (index: number) => string;
};

function listOf(reader: Reader, { end, width, marker }: ListOptions): Block {
  const items: Block[] = [];
  for (let token = next(reader); token !== undefined && token.type !== end; token = next(reader)) {
    if (token.type !== "list_item_open") continue;
    const mark = `${marker(items.length)} `;
    const indent = " ".repeat(stringWidth(mark));
    const blocks = blocksUntil(reader, "list_item_close", width - indent.length);
    const lines = spaced(blocks).map((line, index) => `${index === 0 ? mark : indent}${line}`);
    items.push({ lines: lines.length === 0 ? [mark.trimEnd()] : lines, tight: blocks[0]?.tight !== false });
  }
  return { lines: spaced(items), tight: true };
}

/** Joins blocks, with an empty line between two blocks unless both are tight. */
function spaced(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ lines, tight = false }, index) => {
    const before = blocks[index - 1];
    if (before === undefined || (tight && before.tight === true)) return lines;
    return ["", ...lines];
  });
}

function linesOfCode(content: string): string[] {
  const lines = content.replace(/\n$/, "").split("\n");
  return lines.map((line) => `    ${styleText("cyan", linePart(line))}`);
}

function readGrid(reader: Reader): { rows: string[][]; right: boolean[] } {
  const rows: string[][] = [];
  const right: boolean[] = [];
  for (let token = next(reader); token !== undefined && token.type !== "table_close"; token = next(reader)) {
    if (token.type === "tr_open") rows.push([]);
    const isHead = token.type === "th_open";
    if (isHead) right.push(String(token.attrGet("style") ?? "").includes("right"));
    if (isHead || token.type === "td_open") rows.at(-1)?.push(lineOf(reader, isHead ? ["bold"] : []));
  }
  return { rows, right };
}

/** Reads the text of a heading, paragraph or cell, and its end. */
function lineOf(reader: Reader, styles: readonly Style[]): string {
  const inline = next(reader);
  next(reader);
  return inlineText(inline?.children ?? [], styles);
}

const MARKS: Readonly<Record<string, Style>> = {
  strong_open: "bold",
  em_open: "italic",
  s_open: "strikethrough",
  link_open: "underline",
};

function inlineText(tokens: readonly Token[], styles: readonly Style[]): string {
  const marks: Style[] = [];
  let address = "";
  let label = "";
  const parts = tokens.map((token): string => {
    const { type, nesting } = token;
    if (nesting > 0) {
      marks.push(MARKS[type] ?? "reset");
      if (type === "link_open") [address, label] = [linePart(String(token.attrGet("href") ?? "")), ""];
      return "";
    }
    if (nesting < 0) {
      marks.pop();
      return type !== "link_close" || label === address ? "" : ` ${styleText("dim", `(${address})`)}`;
    }
    if (type === "softbreak" || type === "hardbreak") return "\n";
    const content = linePart(type === "image" ? `[${token.content || "image"}]` : token.content);
    label += content;
    const all = [...styles, ...marks, ...(type === "code_inline" ? ["cyan" as const] : [])];
    return all.length === 0 || content === "" ? content : styleText(all, content);
  });
  return parts.join("");
}

function wrapped(text: string, width: number): string[] {
  return wrapAnsi(text, Math.min(width, WIDTH_MAX), { hard: true }).split("\n");
}

type Grid = {
  /** The first one is the head. Cells may contain styles and line ends. */
  readonly rows: readonly (readonly string[])[];
  /** Which columns are aligned to the right. */
  readonly right: readonly boolean[];
};

/** Renders a table in aligned columns. Where it is too wide, the cells of its widest columns are wrapped. */
function gridLines({ rows, right }: Grid, width: number): string[] {
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
