/**
 * The parts of a prompt: `<tag>` on a line of its own, content, `</tag>` on a line of its own.
 *
 * Goals, pages and tool outputs are written by strangers. What they contain can neither end its block nor
 * open another.
 */

const TAGS = "goal|constraints|tools|data|results|reason|issues|revisions_left|task|context";
const TAG = new RegExp(`<(?=\\s*/?\\s*(?:${TAGS})\\b)`, "gi");

/** A block of plain text. The angle bracket of a tag inside it is replaced by one that only looks alike. */
export function textBlock(tag: string, text: string): string {
  return `<${tag}>\n${text.replaceAll(TAG, "‹")}\n</${tag}>`;
}

/** A block of JSON, a line for each entry of a list. The angle bracket of a tag inside it is escaped. */
export function jsonBlock(tag: string, value: unknown): string {
  const json = Array.isArray(value) ? listText(value) : JSON.stringify(value);
  return `<${tag}>\n${json.replaceAll(TAG, "\\u003c")}\n</${tag}>`;
}

function listText(list: readonly unknown[]): string {
  if (list.length === 0) return "[]";
  return `[\n${list.map((entry) => JSON.stringify(entry)).join(",\n")}\n]`;
}
