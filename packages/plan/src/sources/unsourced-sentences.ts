import { citesKnown } from "./citations.ts";
import type { KnownSources } from "./known-sources.ts";
import { OPENERS, splitSentences } from "./split-sentences.ts";

const NUMBER_WORD =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|per ?cent|halves|half|twice|tripled?|doubled?)\b/i;
const LIST_MARK = /^\s*(?:>\s*)*(?:[-*•+]\s+|\d{1,3}[.)]\s+)?/;
const LIST_ITEM = /^\s*(?:>\s*)*(?:[-*•+]|\d{1,3}[.)])\s+/;
const HEADING = /^\s*#{1,6}\s+/;
const FENCE = /^\s*(`{3,}|~{3,})\s*([\w-]*)/;
const TABLE_ROW = /^\s*\||\s\|\s/;
const TABLE_RULE = /^[\s|:-]{3,}$/;
const SOURCE_LINE = /^[\s>*_-]*(?:sources?|references?)[*_]*:/i;
/** Fenced text of these kinds is prose; any other is code. */
const SAID_LANGUAGES: ReadonlySet<string> = new Set([
  "",
  "text",
  "txt",
  "plain",
  "csv",
  "tsv",
  "md",
  "markdown",
]);
/** In a heading: more than its number, a year or the length of a list. */
const MEASURE = /[$€£¥%]|\d[.,]\d|\d{3,}/;
const YEAR = /\b(?:19|20)\d\d\b/g;

/**
 * Returns the sentences that state a figure or a name and cite no source that a step of the plan knows.
 *
 * A sentence may cite `[s1]`, the name of a document in brackets, or a URL, also after its full stop. Items of lists count as
 * sentences, and so do rows of tables and lines of fenced text, unless the line before or after the table cites a source.
 * Headings count if they state a measure. Code, lines of sources and text that only introduces a list do not count.
 */
export function unsourcedSentences(text: string, known: KnownSources): readonly string[] {
  const blocks = blocksOf(text);
  return blocks.flatMap((block, index) => {
    const [before, after] = [blocks[index - 1], blocks[index + 1]];
    switch (block.kind) {
      case "code":
        return [];
      case "rows": {
        const isCovered = [before?.lines.at(-1), after?.lines.at(0)].some(
          (line) => line !== undefined && citesKnown(line, known),
        );
        return isCovered
          ? []
          : block.lines.filter((row) => statesInRow(row, known) && !citesKnown(row, known));
      }
      case "heading":
        return block.lines.filter(
          (line) => MEASURE.test(bare(line).replaceAll(YEAR, "")) && !citesKnown(line, known),
        );
      case "text":
        return unsourcedIn(block.lines[0] ?? "", known, after);
      default:
        return block.kind satisfies never;
    }
  });
}

type Block = {
  readonly kind: "text" | "heading" | "rows" | "code";
  readonly lines: string[];
  readonly isItem?: boolean;
};

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r?\n/);
  let isOpen = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, fence, language = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const end = lines.findIndex((one, at) => at > index && one.trim().startsWith(fence));
      const inside = lines.slice(index + 1, end === -1 ? undefined : end);
      blocks.push({ kind: SAID_LANGUAGES.has(language.toLowerCase()) ? "rows" : "code", lines: inside });
      index = end === -1 ? lines.length : end;
    } else if (isTableRow(lines, index)) {
      const start = index;
      if (isRuleBetweenCells(lines[index + 1] ?? "")) index += 1;
      while (TABLE_ROW.test(lines[index + 1] ?? "")) index += 1;
      const rows = lines.slice(start, index + 1);
      const hasHead = TABLE_RULE.test(rows[1] ?? "");
      blocks.push({ kind: "rows", lines: rows.slice(hasHead ? 2 : 0) });
    } else if (HEADING.test(line)) {
      blocks.push({ kind: "heading", lines: [line.trim()] });
    } else if (line.trim() !== "") {
      const last = blocks.at(-1);
      if (isOpen && last?.kind === "text" && goesOn(last.lines[0] ?? "", line))
        last.lines[0] += ` ${line.trim()}`;
      else blocks.push({ kind: "text", lines: [line.trim()], isItem: LIST_ITEM.test(line) });
      isOpen = true;
      continue;
    }
    isOpen = false;
  }
  return blocks;
}

function isTableRow(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return /^\s*\|/.test(line) || (TABLE_ROW.test(line) && TABLE_RULE.test(lines[index + 1] ?? ""));
}

/** The rule below a table's header, also without spaces or an outer border: `---|---`. */
function isRuleBetweenCells(line: string): boolean {
  return line.includes("|") && TABLE_RULE.test(line);
}

/** Whether a line is wrapped text: it starts no item and no sentence, and the line before it ended none. */
function goesOn(before: string, line: string): boolean {
  return !LIST_ITEM.test(line) && !/[.!?…:]["'”’)\]*_]*$/.test(before) && /^\s*[\p{Ll}\p{N}[(]/u.test(line);
}

function unsourcedIn(paragraph: string, known: KnownSources, after: Block | undefined): string[] {
  if (SOURCE_LINE.test(paragraph)) return [];
  const isCitation = (bracket: string): boolean => citesKnown(bracket, known);
  const mark = LIST_ITEM.exec(paragraph)?.[0] ?? "";
  return splitSentences(paragraph.slice(mark.length), isCitation).flatMap((sentence, index) => {
    const isSaid = states(bare(sentence), known) && !introduces(sentence, known, after);
    return isSaid && !citesKnown(sentence, known) ? [index === 0 ? mark + sentence : sentence] : [];
  });
}

/** `These are the 2 results:`, and `Sales of North:` before a list. */
function introduces(sentence: string, known: KnownSources, after: Block | undefined): boolean {
  const said = bare(sentence);
  if (!/:[*_]*$/.test(said) || MEASURE.test(said.replaceAll(YEAR, ""))) return false;
  return after?.isItem === true || after?.kind === "rows" || after?.kind === "code" || !hasName(said, known);
}

/** In a table row, each cell starts a new statement. */
function statesInRow(row: string, known: KnownSources): boolean {
  return (
    /\p{N}/u.test(row) ||
    row.split(/[|,;\t]/).some((cell) => /^\s*\p{Lu}\p{L}/u.test(cell) || states(cell, known))
  );
}

function states(said: string, known: KnownSources): boolean {
  return /\p{N}/u.test(said) || NUMBER_WORD.test(said) || hasName(said, known);
}

/** A capitalized word inside the sentence; at its start, one that is capitalized elsewhere too. */
function hasName(said: string, known: KnownSources): boolean {
  let end = 0;
  for (const { 0: word, index } of said.matchAll(/\p{L}[\p{L}\p{N}'’-]*/gu)) {
    const isFirst = end === 0 || /[:.!?…]/.test(said.slice(end, index));
    end = index + word.length;
    if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}/u.test(word)) return true;
    if (!/^\p{Lu}\p{L}/u.test(word) || OPENERS.has(word.toLowerCase())) continue;
    if (!isFirst || known.isName(word)) return true;
  }
  return false;
}

function bare(sentence: string): string {
  return sentence.replace(HEADING, "").replace(LIST_MARK, "").trim();
}
