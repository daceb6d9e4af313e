/** Reads Markdown into the tree of a report. HTML in it is text, and what would be loaded is left out. */
import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";
import type { Block, Figure } from "./report-document.ts";
import { readBlocks } from "./read-blocks.ts";
import { readInlines } from "./read-inlines.ts";

/** Quotes and lists inside each other; the parser leaves out what is deeper. */
const NESTING_MAX = 40;

export type Markdown = {
  readonly blocks: readonly Block[];
  /** The names of the figures that it has placed. */
  readonly placed: ReadonlySet<string>;
  /** What is not in the blocks, in words. */
  readonly warnings: readonly string[];
};

const parser = createParser();

/**
 * Figures stand where a fence (```` ```chart name ````) or an image names them; each stands once.
 *
 * @param figures - By their names, and by other names that an image may use, such as a file's.
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
  // Addresses are links when they say their scheme, and file names such as report.md are none.
  created.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  // Which addresses may be followed is decided where links are read; a refused one leaves its text.
  created.validateLink = () => true;
  return created;
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
