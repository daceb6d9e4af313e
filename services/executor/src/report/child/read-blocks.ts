import type { Token } from "markdown-it";
import type { Inlines } from "./read-markdown.ts";
import type { Alignment, Block, Line } from "./report-document.ts";

const FIGURE_FENCE = /^(?:chart|table)\s+(\S.*)$/;

type Reading = {
  /** The figure of that name, if it can be placed here. */
  readonly take: (name: string) => Block | undefined;
  /** The text of a token of type `inline`. */
  readonly inlines: (token: Token | undefined) => Inlines;
};

/** Builds a tree from the parser's token list in one pass. */
export function readBlocks(tokens: readonly Token[], { take, inlines }: Reading): Block[] {
  let at = 0;
  const next = (): Token | undefined => tokens[at++];

  /** Collects the results of `read` for the tokens up to one of this type, which is skipped. */
  function until<T>(end: string | undefined, read: (token: Token) => readonly T[]): T[] {
    const all: T[] = [];
    for (let token = next(); token !== undefined && token.type !== end; token = next())
      for (const one of read(token)) all.push(one);
    return all;
  }

  const blocks = (end?: string): Block[] => until(end, blocksOf);
  const items = (end: string): Block[][] =>
    until(end, ({ type }) => (type === "list_item_open" ? [blocks("list_item_close")] : []));
  const figuresOf = (names: readonly string[]): Block[] => names.flatMap((name) => take(name) ?? []);

  function blocksOf(token: Token): Block[] {
    switch (token.type) {
      case "heading_open":
        return withFigures((line) => [{ kind: "heading", level: Number(token.tag.slice(1)), line }]);
      case "paragraph_open":
        return withFigures((line) =>
          line.length === 0 ? [] : [{ kind: "paragraph", line, tight: token.hidden }],
        );
      case "blockquote_open":
        return [{ kind: "quote", blocks: blocks("blockquote_close") }];
      case "bullet_list_open":
        return [{ kind: "list", start: undefined, items: items("bullet_list_close") }];
      case "ordered_list_open":
        return [
          { kind: "list", start: Number(token.attrGet("start") ?? 1), items: items("ordered_list_close") },
        ];
      case "fence":
        return fence(token);
      case "code_block":
        return [{ kind: "code", text: token.content }];
      case "hr":
        return [{ kind: "rule" }];
      case "table_open":
        return grid();
      default:
        return [];
    }
  }

  /** The text of a heading or paragraph, followed by the figures that its images name. */
  function withFigures(blocksFor: (line: Line) => Block[]): Block[] {
    const { line, figures } = inlines(next());
    next();
    return [...blocksFor(line), ...figuresOf(figures)];
  }

  function fence({ info, content }: Token): Block[] {
    const [, name] = FIGURE_FENCE.exec(info.trim()) ?? [];
    const figure = name === undefined ? undefined : take(name.trim());
    if (figure !== undefined) return [figure];
    return name !== undefined && content.trim() === "" ? [] : [{ kind: "code", text: content }];
  }

  function grid(): Block[] {
    const rows: Line[][] = [];
    const alignments: Alignment[] = [];
    const named = until("table_close", (token) => {
      if (token.type === "tr_open") rows.push([]);
      if (token.type === "th_open") alignments.push(alignmentOf(token));
      if (token.type !== "inline") return [];
      const { line, figures } = inlines(token);
      rows.at(-1)?.push(line);
      return figures;
    });
    const [head = [], ...body] = rows;
    return [{ kind: "grid", head, rows: body, alignments }, ...figuresOf(named)];
  }

  return blocks();
}

function alignmentOf(token: Token): Alignment {
  const style = String(token.attrGet("style") ?? "");
  if (style.includes("right")) return "right";
  return style.includes("center") ? "center" : "left";
}
