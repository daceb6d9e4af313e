/** Collects the Markdown of a Word document from its tags, as they come. */
import { TEXT_CHARS_MAX } from "./plain-text.ts";
import { attributeOf, type XmlToken } from "./xml-tokens.ts";

const LIST_LEVELS_MAX = 8;

type Paragraph = { text: string; heading: number; list: number };
type Table = { readonly rows: string[][]; readonly cell: string[] };

type Collected = {
  readonly headings: ReadonlyMap<string, number>;
  readonly blocks: string[];
  /** Those that are open, the innermost last: a text box is a paragraph inside one. */
  readonly paragraphs: Paragraph[];
  readonly tables: Table[];
  chars: number;
  inText: boolean;
  /** Inside the same once more, for programs that are older than the first. */
  fallbacks: number;
};

export type WordText = {
  readonly take: (token: XmlToken) => void;
  /** One more than may be kept when there was more. */
  readonly chars: () => number;
  /** Ends what was not ended. */
  readonly end: () => readonly string[];
};

/** @param headings - The level of each style that is a heading. */
export function collectWordText(headings: ReadonlyMap<string, number>): WordText {
  const collected: Collected = {
    headings,
    blocks: [],
    paragraphs: [],
    tables: [],
    chars: 0,
    inText: false,
    fallbacks: 0,
  };
  return {
    take: (token) => take(collected, token),
    chars: () => collected.chars,
    end() {
      while (collected.paragraphs.length > 0) closeParagraph(collected);
      while (collected.tables.length > 0) closeTable(collected);
      return collected.blocks;
    },
  };
}

const OPEN: Readonly<Record<string, (collected: Collected, attributes: string) => void>> = {
  "w:p": ({ paragraphs }) => void paragraphs.push({ text: "", heading: 0, list: -1 }),
  "w:pStyle": ({ paragraphs, headings }, attributes) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined)
      paragraph.heading = headings.get(attributeOf(attributes, "w:val") ?? "") ?? 0;
  },
  "w:numPr": ({ paragraphs }) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.list = Math.max(paragraph.list, 0);
  },
  "w:ilvl": ({ paragraphs }, attributes) => {
    const paragraph = paragraphs.at(-1);
    const level = Number(attributeOf(attributes, "w:val"));
    if (paragraph !== undefined && level > 0) paragraph.list = Math.min(level, LIST_LEVELS_MAX);
  },
  "w:t": (collected) => void (collected.inText = true),
  "w:tab": (collected) => write(collected, "\t"),
  "w:br": (collected) => write(collected, "\n"),
  "w:cr": (collected) => write(collected, "\n"),
  "w:tbl": ({ tables }) => void tables.push({ rows: [], cell: [] }),
  "w:tr": ({ tables }) => void tables.at(-1)?.rows.push([]),
  "mc:Fallback": (collected) => void (collected.fallbacks += 1),
};

const CLOSE: Readonly<Record<string, (collected: Collected) => void>> = {
  "w:t": (collected) => void (collected.inText = false),
  "w:p": closeParagraph,
  "w:tc": ({ tables }) => {
    const table = tables.at(-1);
    if (table !== undefined) table.rows.at(-1)?.push(table.cell.splice(0).join(" "));
  },
  "w:tbl": closeTable,
  "mc:Fallback": (collected) => void (collected.fallbacks -= 1),
};

function take(collected: Collected, token: XmlToken): void {
  if (token.kind === "text") {
    if (collected.inText) write(collected, token.text);
    return;
  }
  const { name } = token;
  const isOpen = token.kind === "open";
  if (isOpen && Object.hasOwn(OPEN, name)) OPEN[name]?.(collected, token.attributes);
  if ((!isOpen || token.empty) && Object.hasOwn(CLOSE, name)) CLOSE[name]?.(collected);
}

function write(collected: Collected, text: string): void {
  const paragraph = collected.paragraphs.at(-1);
  if (paragraph === undefined || collected.fallbacks > 0) return;
  // A little more than may be kept, which says that there was more.
  const kept = text.slice(0, TEXT_CHARS_MAX + 1 - collected.chars);
  paragraph.text += kept;
  collected.chars += kept.length;
}

function put({ tables, blocks }: Collected, block: string): void {
  if (block.trim() !== "") (tables.at(-1)?.cell ?? blocks).push(block);
}

function closeParagraph(collected: Collected): void {
  const { text, heading, list } = collected.paragraphs.pop() ?? { text: "", heading: 0, list: -1 };
  if (text.trim() === "") return;
  if (heading > 0) put(collected, `${"#".repeat(heading)} ${text.replaceAll(/\s+/g, " ").trim()}`);
  else put(collected, list >= 0 ? `${"  ".repeat(list)}- ${text.trim()}` : text);
}

function closeTable(collected: Collected): void {
  const { rows } = collected.tables.pop() ?? { rows: [] };
  // A table in a table's cell is text there.
  put(collected, collected.tables.length > 0 ? rows.flat().join(" ") : markdownTable(rows));
}

function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head, ...rest] = rows.filter((row) => row.length > 0);
  if (head === undefined) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim()).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rest.map(line)].join("\n");
}
