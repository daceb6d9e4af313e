/**
 * Parses the Markdown that models write into blocks: headings, paragraphs, lists, tables, quotes and code.
 *
 * Supports no HTML: tags are text like any other. Linear in the length of the text.
 */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph" | "quote" | "code"; readonly text: string }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly ListItem[];
    }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: "rule" };

export type ListItem = { readonly depth: number; readonly text: string };

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const FENCE = /^\s*(```|~~~)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^\s*>\s?/;
const DELIMITER_CELL = /^:?-+:?$/;

export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; ) {
    const [block, next] = blockAt(lines, index);
    if (block !== undefined) blocks.push(block);
    index = next;
  }
  return blocks;
}

type Read = readonly [block: Block | undefined, next: number];

function blockAt(lines: readonly string[], index: number): Read {
  const line = lines[index] ?? "";
  if (line.trim() === "") return [undefined, index + 1];
  if (FENCE.test(line)) return codeAt(lines, index);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const text = withoutClosing(heading[2] ?? "");
    return [{ kind: "heading", level: heading[1]?.length ?? 1, text }, index + 1];
  }
  if (RULE.test(line)) return [{ kind: "rule" }, index + 1];
  if (QUOTE.test(line)) return quoteAt(lines, index);
  if (ITEM.test(line)) return listAt(lines, index);
  if (isTableAt(lines, index)) return tableAt(lines, index);
  return paragraphAt(lines, index);
}

/** A heading can end with the same signs that it begins with. A pattern for that would be quadratic in its length. */
function withoutClosing(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === "#") end -= 1;
  return text.slice(0, end).trimEnd();
}

function codeAt(lines: readonly string[], index: number): Read {
  const fence = FENCE.exec(lines[index] ?? "")?.[1] ?? "```";
  let end = index + 1;
  while (end < lines.length && !(lines[end] ?? "").trimStart().startsWith(fence)) end += 1;
  return [{ kind: "code", text: lines.slice(index + 1, end).join("\n") }, end + 1];
}

function quoteAt(lines: readonly string[], index: number): Read {
  let end = index;
  while (QUOTE.test(lines[end] ?? "")) end += 1;
  const text = lines.slice(index, end).map((line) => line.replace(QUOTE, ""));
  return [{ kind: "quote", text: text.join("\n") }, end];
}

function listAt(lines: readonly string[], index: number): Read {
  const first = ITEM.exec(lines[index] ?? "");
  const items: ListItem[] = [];
  let end = index;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    const last = items.at(-1);
    if (item !== null)
      items.push({ depth: Math.min(4, Math.floor((item[1]?.length ?? 0) / 2)), text: item[4] ?? "" });
    // An indented line continues the item above it.
    else if (last !== undefined && /^\s+\S/.test(line))
      items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
    else break;
  }
  return [{ kind: "list", ordered: first?.[3] !== undefined, start: Number(first?.[3] ?? 1), items }, end];
}

function isTableAt(lines: readonly string[], index: number): boolean {
  const next = lines[index + 1] ?? "";
  return (
    (lines[index] ?? "").includes("|") &&
    next.includes("-") &&
    cellsOf(next).every((cell) => DELIMITER_CELL.test(cell))
  );
}

function tableAt(lines: readonly string[], index: number): Read {
  const head = cellsOf(lines[index] ?? "");
  const rows: string[][] = [];
  let end = index + 2;
  for (; (lines[end] ?? "").includes("|"); end += 1) rows.push(cellsOf(lines[end] ?? ""));
  return [{ kind: "table", head, rows }, end];
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split("|").map((cell) => cell.trim());
}

function paragraphAt(lines: readonly string[], index: number): Read {
  let end = index + 1;
  while (end < lines.length && !startsBlock(lines, end)) end += 1;
  return [{ kind: "paragraph", text: lines.slice(index, end).join("\n") }, end];
}

function startsBlock(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return (
    line.trim() === "" ||
    [FENCE, HEADING, ITEM, RULE, QUOTE].some((pattern) => pattern.test(line)) ||
    isTableAt(lines, index)
  );
}
