/**
 * The tagged blocks of a prompt: `<tag>` on a line, content, `</tag>` on a line.
 *
 * Goals and pages are untrusted and can contain such lines themselves. Blocks are therefore read from the end, where we
 * determine their order, and the first block of a prompt (the goal or the task) extends from its first opening to its last
 * closing line: everything that it contains stays inside it.
 */
import { BLOCK_TAGS, type BlockTag } from "@planwright/shared/prompt";

const FIRST_TAGS: ReadonlySet<BlockTag> = new Set(["goal", "task"]);

/** Every block found, by its tag; ignores prose between blocks. */
export function readBlocks(prompt: string): ReadonlyMap<BlockTag, string> {
  const lines = prompt.split(/\r?\n/);
  const blocks = new Map<BlockTag, string>();
  let last = lines.length - 1;
  while (last >= 0) {
    const tag = closedBy(lines[last]);
    const opening = tag === null ? -1 : openingLine(lines, tag, last);
    if (tag === null || opening === -1 || blocks.has(tag)) {
      last -= 1;
      continue;
    }
    blocks.set(tag, lines.slice(opening + 1, last).join("\n"));
    last = opening - 1;
  }
  return blocks;
}

function closedBy(line: string | undefined): BlockTag | null {
  return BLOCK_TAGS.find((tag) => line === `</${tag}>`) ?? null;
}

function openingLine(lines: readonly string[], tag: BlockTag, before: number): number {
  const line = `<${tag}>`;
  if (!FIRST_TAGS.has(tag)) return lines.lastIndexOf(line, before);
  const first = lines.indexOf(line);
  return first < before ? first : -1;
}
