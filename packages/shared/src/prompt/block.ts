/**
 * The parts of a prompt: `<tag>` on its own line, content, `</tag>` on its own line.
 *
 * Goals, pages and tool outputs are untrusted. What they contain can neither end its block nor
 * open another.
 */

/** The tags of all prompts. Content is kept from writing any of them, not only its own. */
export const BLOCK_TAGS = [
  "today",
  "goal",
  "constraints",
  "plan_size",
  "tools",
  "agents",
  "data",
  "facts",
  "open_questions",
  "step",
  "output",
  "incomplete",
  "results",
  "rules",
  "past_plans",
  "reason",
  "issues",
  "last_program",
  "revisions_left",
  "task",
  "context",
  "references",
  "width",
  "path",
  "tried",
  "actions",
  "draft",
] as const;
const TAG = new RegExp(`<(?=\\s*/?\\s*(?:${BLOCK_TAGS.join("|")})\\b)`, "gi");

export type BlockTag = (typeof BLOCK_TAGS)[number];

/** A block of plain text. The angle bracket of a tag inside it is replaced by one that only looks alike. */
export function textBlock(tag: BlockTag, text: string): string {
  return `<${tag}>\n${text.replaceAll(TAG, "‹")}\n</${tag}>`;
}

/** A block of JSON, a line for each entry of a list. The angle bracket of a tag inside it is escaped. */
export function jsonBlock(tag: BlockTag, value: unknown): string {
  const json = Array.isArray(value) ? listText(value) : JSON.stringify(value);
  return `<${tag}>\n${json.replaceAll(TAG, "\\u003c")}\n</${tag}>`;
}

function listText(list: readonly unknown[]): string {
  if (list.length === 0) return "[]";
  return `[\n${list.map((entry) => JSON.stringify(entry)).join(",\n")}\n]`;
}
