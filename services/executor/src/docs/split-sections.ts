/** Splits a document at its headings, so that a search finds the passage rather than the whole document. */

export type Section = {
  /** The headings above it, outermost first: `Pricing › Enterprise`. */
  readonly title: string;
  readonly body: string;
};

const BODY_CHARS_MAX = 2_000;
const TITLE_CHARS_MAX = 200;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(```|~~~)/;
const FRONT_MATTER = /^---[ \t]*\r?\n[\s\S]{0,10000}?\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * The sections of a Markdown or plain text document, in order; sections without text are left out.
 *
 * @param name - Title of the text before the first heading.
 */
export function splitSections(text: string, name: string): readonly Section[] {
  const sections: Section[] = [];
  const headings: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;

  function close(): void {
    const title = headings
      .filter((heading) => heading !== undefined)
      .join(" › ")
      .slice(0, TITLE_CHARS_MAX);
    for (const body of splitBody(lines.join("\n").trim()))
      sections.push({ title: title === "" ? name : title, body });
    lines = [];
  }

  for (const line of text.replace(FRONT_MATTER, "").split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? HEADING.exec(line) : null;
    if (heading === null) {
      lines.push(line);
      continue;
    }
    close();
    const [, marks = "", words = ""] = heading;
    // A skipped level stays a hole, which the title leaves out.
    headings.length = marks.length - 1;
    headings[marks.length - 1] = words;
  }
  close();
  return sections;
}

/** Pieces of bounded length, split at the last empty line, line end or space that leaves a reasonably long piece. */
function splitBody(body: string): readonly string[] {
  const pieces: string[] = [];
  let rest = body;
  while (rest.length > BODY_CHARS_MAX) {
    const window = rest.slice(0, BODY_CHARS_MAX);
    const at = ["\n\n", "\n", " "]
      .map((gap) => window.lastIndexOf(gap))
      .find((index) => index > BODY_CHARS_MAX / 2);
    pieces.push(rest.slice(0, at ?? BODY_CHARS_MAX).trim());
    rest = rest.slice(at ?? BODY_CHARS_MAX).trim();
  }
  return rest === "" ? pieces : [...pieces, rest];
}
