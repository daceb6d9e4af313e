import type { Token } from "markdown-it";
import type { Line, Span } from "./report-document.ts";

export type Inlines = {
  readonly line: Line;
  /** The names of the figures that are in it as images. */
  readonly figures: readonly string[];
};

type Reading = {
  readonly isFigure: (name: string) => boolean;
  /** Told what is not in the report, in words. */
  readonly onLeftOut: (what: string) => void;
};

type Marks = Omit<Span, "text">;

/** Reads the inline tokens of one paragraph, heading or cell. */
export function readInlines(tokens: readonly Token[], { isFigure, onLeftOut }: Reading): Inlines {
  const spans: Span[] = [];
  const figures: string[] = [];
  // What each mark was before it, so that its end brings that back.
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

/** The parser writes `%20` for a space; a figure's name is as its author wrote it. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

const LINK_CHARS_MAX = 2_000;
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address when a reader may follow it from a report, normalised; undefined for every other one. */
function safeLink(address: string): string | undefined {
  if (address.length > LINK_CHARS_MAX || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.has(protocol) && href.length <= LINK_CHARS_MAX ? href : undefined;
}
