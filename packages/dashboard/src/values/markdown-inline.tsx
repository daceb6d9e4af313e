import type { ReactNode } from "react";

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
