/** Finds the items of a list in a model's prose. */

/** One item: its number as written (`3`, `3a`; its position when it is a bullet) and its whole text. */
export type ListItem = { readonly label: string; readonly text: string };

/** `1. Do`, `2) Do`, `Step 3: Do`, `4 - Do`, after leading Markdown markers are removed. */
const NUMBERED = /^(?:step )?(\d{1,4}[a-z]?) ?(?:[.):](?=[\s*_]|$)|[-–—](?=\s))[\s*_]*(.*)$/i;
const BULLET = /^[-*•+]\s+(.*)$/;
const END_OF_PLAN = "<END_OF_PLAN>";
/** How LangChain's planner closes a plan, when the sentence is not a separate item. */
const CLOSING = /^given the above steps/i;

/**
 * Returns the items of the outermost numbered list, or of the bulleted one when nothing is numbered.
 *
 * A blank line is not an item. Lines below an item belong to it when they are indented, or follow without a
 * blank line; other prose is skipped.
 */
export function listItems(text: string): ListItem[] {
  const [plan = ""] = text.split(END_OF_PLAN, 1);
  const lines = plan.split(/\r?\n/).filter((line) => !line.trimStart().startsWith("```"));
  const numbered = itemsOf(lines, (line) => {
    const [, label, rest] = NUMBERED.exec(line.replace(/^[#>*_]+\s*/, "")) ?? [];
    return label === undefined ? undefined : { label, rest: rest ?? "" };
  });
  if (numbered.length > 0) return numbered;
  let count = 0;
  return itemsOf(lines, (line) => {
    const rest = BULLET.exec(line)?.[1];
    return rest === undefined ? undefined : { label: String(++count), rest };
  });
}

type Start = { readonly label: string; readonly rest: string };

function itemsOf(lines: readonly string[], startOf: (line: string) => Start | undefined): ListItem[] {
  const items: { label: string; lines: string[] }[] = [];
  let open: { label: string; lines: string[] } | undefined;
  let outermost: number | undefined;
  let afterBlank = false;
  for (const line of lines) {
    const content = line.trim();
    const indent = line.length - line.trimStart().length;
    const start = outermost === undefined || indent <= outermost + 1 ? startOf(content) : undefined;
    if (content === "") {
      afterBlank = true;
      continue;
    }
    if (start !== undefined) {
      outermost = Math.min(indent, outermost ?? indent);
      open = { label: start.label.toLowerCase(), lines: [start.rest] };
      items.push(open);
    } else if (open !== undefined) {
      const isOutside = indent <= (outermost ?? 0);
      if (isOutside && (afterBlank || content.startsWith("#") || CLOSING.test(content))) open = undefined;
      else open.lines.push(content);
    }
    afterBlank = false;
  }
  return items
    .map((item) => ({ label: item.label, text: item.lines.join("\n").replaceAll("**", "").trim() }))
    .filter((item) => item.text !== "");
}
