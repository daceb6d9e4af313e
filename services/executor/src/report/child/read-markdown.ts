/** Reads Markdown into a report's tree. HTML is treated as text, and anything that would be loaded is left out. */
import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";
import type { Block, Figure, Line, Span } from "./report-document.ts";
import { readBlocks } from "./read-blocks.ts";

/** Maximum nesting of quotes and lists; the parser leaves out anything deeper. */
const NESTING_MAX = 40;

export type Markdown = {
  readonly blocks: readonly Block[];
  /** The names of the figures that were placed. */
  readonly placed: ReadonlySet<string>;
  /** Messages about content that was left out. */
  readonly warnings: readonly string[];
};

const parser = createParser();

/**
 * Figures are placed where a fence (```` ```chart name ````) or an image names them, each only once.
 *
 * @param figures - By name, and by other names that an image may use, such as a file's.
 */
export function readMarkdown(markdown: string, figures: ReadonlyMap<string, Figure>): Markdown {
  const tokens = parser.parse(markdown, {});
  const placed = new Set<string>();
  const warnings = new Set<string>();
  if (tokens.some(({ level }) => level >= NESTING_MAX - 1))
    warnings.add(`content nested deeper than ${NESTING_MAX} levels is left out`);

  const take = (name: string): Block | undefined => {
    const figure = figures.get(name);
    if (figure === undefined) warnings.add(`there is no chart or table named ${quote(name)}`);
    else if (placed.has(figure.name)) warnings.add(`${quote(name)} is shown only at its first use`);
    if (figure === undefined || placed.has(figure.name)) return undefined;
    placed.add(figure.name);
    return figure.block;
  };
  const inlines = (token: Token | undefined) =>
    readInlines(token?.children ?? [], {
      isFigure: (name) => figures.has(name),
      onLeftOut: (what) => warnings.add(what),
    });
  return { blocks: readBlocks(tokens, { take, inlines }), placed, warnings: [...warnings] };
}

function createParser(): MarkdownIt {
  const created = new createMarkdownIt({ html: false, linkify: true, maxNesting: NESTING_MAX });
  // Only addresses with a scheme become links, so that file names such as report.md do not.
  created.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  // Whether a link is allowed is decided where links are read; a refused one leaves its text.
  created.validateLink = () => true;
  return created;
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

export type Inlines = {
  readonly line: Line;
  /** The names of the figures that are images in it. */
  readonly figures: readonly string[];
};

type Reading = {
  readonly isFigure: (name: string) => boolean;
  /** Called with a message about content that is left out. */
  readonly onLeftOut: (what: string) => void;
};

type Marks = Omit<Span, "text">;

/** Reads the inline tokens of one paragraph, heading or cell. */
export function readInlines(tokens: readonly Token[], { isFigure, onLeftOut }: Reading): Inlines {
  const spans: Span[] = [];
  const figures: string[] = [];
  // The value of each mark before it was opened, to restore when it closes.
  const open: Marks[] = [];
  let marks: Marks = {};
  const enter = (more: Marks) => {
    open.push(marks);
    marks = { ...marks, ...more };
  };
  for (const token of tokens) {
    const mark = MARKS[token.type];
    if (mark !== undefined) enter(mark);
    else if (token.type === "link_open") enter(linkMarks(token, onLeftOut));
    else if (token.nesting < 0) marks = open.pop() ?? {};
    else if (token.type === "image") {
      const address = decoded(String(token.attrGet("src") ?? ""));
      if (isFigure(address)) figures.push(address);
      else {
        onLeftOut("images are not loaded: their descriptions are shown instead");
        spans.push({ ...marks, text: `[${token.content === "" ? "image" : token.content}]` });
      }
    } else if (token.type === "softbreak") spans.push({ ...marks, text: " " });
    else if (token.type === "hardbreak") spans.push({ text: "\n" });
    else if (token.content !== "") spans.push(spanOf(token, marks));
  }
  return { line: spans, figures };
}

const MARKS: Readonly<Record<string, Marks>> = {
  strong_open: { bold: true },
  em_open: { italic: true },
  s_open: { strike: true },
};

function spanOf({ type, content }: Token, marks: Marks): Span {
  return type === "code_inline" ? { ...marks, code: true, text: content } : { ...marks, text: content };
}

function linkMarks(token: Token, onLeftOut: (what: string) => void): Marks {
  const href = safeLink(String(token.attrGet("href") ?? ""));
  if (href === undefined) onLeftOut("links other than to http, https and mailto are plain text");
  return href === undefined ? {} : { href };
}

/** The parser writes `%20` for a space, but a figure's name is as its author wrote it. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

const LINK_CHARS_MAX = 2_000;
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The normalised address if readers may follow it from a report; otherwise undefined. */
function safeLink(address: string): string | undefined {
  if (address.length > LINK_CHARS_MAX || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.has(protocol) && href.length <= LINK_CHARS_MAX ? href : undefined;
}
