/** The text of a Word document (Office Open XML) as Markdown: headings, lists and tables. */
import type { DocumentText } from "../text-extractor.ts";
import { brokenDocument } from "./broken-document.ts";
import { TEXT_CHARS_MAX, plainText, plainTitle } from "./plain-text.ts";
import { openArchive } from "./unzip.ts";

/** Limit on the total unpacked size of the parts that are read. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/** @throws {PermanentError} `document_broken`, including for archives that hold something else. */
export function docxToText(bytes: Uint8Array): DocumentText {
  const archive = openArchive(bytes, { bytesMax: UNPACKED_BYTES_MAX });
  const body = archive.read("word/document.xml")?.toString();
  if (body === undefined) throw brokenDocument("it is an archive without a Word document");
  const collected = collectWordText(headingStyles(archive.read("word/styles.xml")?.toString() ?? ""));
  for (const token of xmlTokens(body)) {
    collected.take(token);
    if (collected.chars() > TEXT_CHARS_MAX) break;
  }
  const core = archive.read("docProps/core.xml")?.toString() ?? "";
  return {
    title: plainTitle(decodeXml(/<dc:title>([^<]*)</.exec(core)?.[1] ?? "")),
    text: plainText(collected.end().join("\n\n")).slice(0, TEXT_CHARS_MAX),
    truncated: collected.chars() > TEXT_CHARS_MAX,
  };
}

const LEVELS_MAX = 6;

/** The styles that are headings, with their levels; style names are the same in every language. */
function headingStyles(styles: string): ReadonlyMap<string, number> {
  const levels = new Map<string, number>([["Title", 1]]);
  for (let level = 1; level <= LEVELS_MAX; level += 1) levels.set(`Heading${level}`, level);
  let style: string | undefined;
  for (const token of xmlTokens(styles)) {
    if (token.kind !== "open") continue;
    if (token.name === "w:style") style = attributeOf(token.attributes, "w:styleId");
    if (token.name !== "w:name" || style === undefined) continue;
    const name = attributeOf(token.attributes, "w:val") ?? "";
    const level = Number(/^heading (\d)$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? 1 : 0));
    if (level >= 1 && level <= LEVELS_MAX) levels.set(style, level);
  }
  return levels;
}

const LIST_LEVELS_MAX = 8;

type Paragraph = { text: string; heading: number; list: number };
type Table = { readonly rows: string[][]; readonly cell: string[] };

type Collected = {
  readonly headings: ReadonlyMap<string, number>;
  readonly blocks: string[];
  /** Open paragraphs, innermost last: a text box is a paragraph inside another one. */
  readonly paragraphs: Paragraph[];
  readonly tables: Table[];
  chars: number;
  inText: boolean;
  /** Depth inside fallback content, which repeats the same content for older programs. */
  fallbacks: number;
};

/** Collects the Markdown of a Word document from its tags, in order. */
type WordText = {
  readonly take: (token: XmlToken) => void;
  /** One above the limit when text was cut off. */
  readonly chars: () => number;
  /** Closes everything still open. */
  readonly end: () => readonly string[];
};

/** @param headings - Heading levels by style. */
function collectWordText(headings: ReadonlyMap<string, number>): WordText {
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
  // Keeps one character more than the limit, to show that there was more.
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
  // A table inside a table cell becomes plain text.
  put(collected, collected.tables.length > 0 ? rows.flat().join(" ") : markdownTable(rows));
}

function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head, ...rest] = rows.filter((row) => row.length > 0);
  if (head === undefined) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim()).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rest.map(line)].join("\n");
}

/** Reads XML as a sequence of tags and texts, in linear time. Only XML's predefined entities are known. */

type XmlToken =
  | { readonly kind: "open"; readonly name: string; readonly attributes: string; readonly empty: boolean }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** The tags and texts of a document, in order; everything else is skipped. */
function* xmlTokens(xml: string): Generator<XmlToken> {
  for (const [, slash, name, attributes = "", empty, text] of xml.matchAll(
    /<(\/?)([A-Za-z_][\w:.-]*)([^<>]*?)(\/?)>|([^<]+)/g,
  )) {
    if (text !== undefined) yield { kind: "text", text: decodeXml(text) };
    else if (name === undefined) continue;
    else if (slash === "/") yield { kind: "close", name };
    else yield { kind: "open", name, attributes, empty: empty === "/" };
  }
}

/** The value of one attribute of a tag. */
function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, found, double, single] of attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (found === name) return decodeXml(double ?? single ?? "");
  }
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes XML entities. */
function decodeXml(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === "string") return ENTITIES[name] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
