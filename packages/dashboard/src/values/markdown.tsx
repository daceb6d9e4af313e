import clsx from "clsx";
import { createElement, type ReactNode } from "react";
import { type Block, parseMarkdown } from "./parse-markdown.ts";
import { MARKDOWN } from "./value-words.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";

/** Longer texts are shown unformatted. */
const CHARS_MAX = 100_000;
/** The page's own headings use levels one to three. */
const HEADING_LEVEL_MIN = 4;

/** A model's Markdown, formatted. Built from elements, never from HTML, so that nothing in it can run. */
export function Markdown({ text }: { text: string }) {
  if (text.length > CHARS_MAX) return <pre className="text-block">{text}</pre>;
  return (
    <div className="grid grid-cols-1 gap-3 leading-[1.6] [&_code]:rounded-sm [&_code]:bg-sunken [&_code]:px-1 [&_code]:py-0.5">
      {parseMarkdown(text).map((block, index) => (
        // The blocks of a text never change their order.
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading": {
      const level = Math.min(6, HEADING_LEVEL_MIN + block.level - 1);
      const className = clsx("mt-1.5 font-semibold", block.level === 1 ? "text-[1.15em]" : "text-[1em]");
      return createElement(`h${level}`, { className }, <Inline text={block.text} />);
    }
    case "paragraph":
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case "quote":
      return (
        <blockquote className="m-0 border-l-3 border-line-strong pl-3 text-soft">
          <Inline text={block.text} />
        </blockquote>
      );
    case "code":
      return <pre className="text-block">{block.text}</pre>;
    case "list":
      return <ListView block={block} />;
    case "table":
      return <TableView block={block} />;
    case "rule":
      return <hr className="w-full border-0 border-t border-line" />;
    default:
      block satisfies never;
      return null;
  }
}

function ListView({ block }: { block: Extract<Block, { kind: "list" }> }) {
  const items = block.items.map(({ depth, text }, index) => (
    <li
      key={index}
      className="not-first:mt-1 marker:text-faint"
      style={{ marginInlineStart: `${depth * 1.2}em` }}
    >
      <Inline text={text} />
    </li>
  ));
  return block.ordered ? (
    <ol className="list-decimal pl-6" start={block.start}>
      {items}
    </ol>
  ) : (
    <ul className="list-disc pl-5">{items}</ul>
  );
}

function TableView({ block }: { block: Extract<Block, { kind: "table" }> }) {
  return (
    <ScrollTable
      className="justify-self-start rounded-md border border-line"
      label={MARKDOWN.table}
      head={block.head.map((cell) => <Inline text={cell} />)}
    >
      {block.rows.map((row, index) => (
        <tr key={index}>
          {row.map((cell, column) => (
            <td key={column}>
              <Inline text={cell} />
            </td>
          ))}
        </tr>
      ))}
    </ScrollTable>
  );
}

/** Matches in linear time: each part stops at a character that could start it, or after a fixed number of characters. */
const INLINE =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<!\w)__([^_\n]+)__(?!\w)|\*([^*\s][^*\n]*)\*|(?<!\w)_([^_\s][^_\n]*)_(?!\w)|\[([^[\]\n]+)\]\(([^)\s]{1,2000})\)|(\n)/g;

/**
 * Emphasis, code and links inside a line. Only links to web pages become links; `javascript:` and other untrusted
 * targets stay text.
 */
export function Inline({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(<Part key={match.index} match={match} />);
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

function Part({ match }: { match: RegExpExecArray }): ReactNode {
  const [whole, code, strong, strongToo, emphasis, emphasisToo, label, target, lineBreak] = match;
  if (lineBreak !== undefined) return <br />;
  if (code !== undefined) return <code>{code}</code>;
  const bold = strong ?? strongToo;
  if (bold !== undefined) return <strong>{bold}</strong>;
  const italic = emphasis ?? emphasisToo;
  if (italic !== undefined) return <em>{italic}</em>;
  if (label === undefined || !isWebAddress(target)) return whole;
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}

function isWebAddress(target: string | undefined): boolean {
  return target !== undefined && /^https?:\/\//i.test(target) && URL.canParse(target);
}
