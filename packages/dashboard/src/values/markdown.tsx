import { createElement, type ReactNode } from "react";
import { Inline } from "./markdown-inline.tsx";
import { type Block, parseMarkdown } from "./parse-markdown.ts";
import { MARKDOWN } from "./value-words.ts";
import { ScrollTable } from "../ui/scroll-table.tsx";
import styles from "./markdown.module.css";

/** Longer texts are shown unformatted. */
const CHARS_MAX = 100_000;
/** The page's own headings go down to three. */
const HEADING_LEVEL_MIN = 4;

/** A model's Markdown, formatted. Built from elements, never from HTML, so that nothing in it can run. */
export function Markdown({ text }: { text: string }) {
  if (text.length > CHARS_MAX) return <pre className="text-block">{text}</pre>;
  return (
    <div className={styles.markdown}>
      {parseMarkdown(text).map((block, index) => (
        // The blocks of one text keep their places.
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading": {
      const level = Math.min(6, HEADING_LEVEL_MIN + block.level - 1);
      return createElement(`h${level}`, { "data-level": block.level }, <Inline text={block.text} />);
    }
    case "paragraph":
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case "quote":
      return (
        <blockquote>
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
      return <hr />;
    default:
      block satisfies never;
      return null;
  }
}

function ListView({ block }: { block: Extract<Block, { kind: "list" }> }) {
  const items = block.items.map(({ depth, text }, index) => (
    <li key={index} style={{ marginInlineStart: `${depth * 1.2}em` }}>
      <Inline text={text} />
    </li>
  ));
  return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
}

function TableView({ block }: { block: Extract<Block, { kind: "table" }> }) {
  return (
    <ScrollTable label={MARKDOWN.table} head={block.head.map((cell) => <Inline text={cell} />)}>
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
