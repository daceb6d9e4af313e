import { diffArrays } from "diff";

/** Longer texts are compared line by line: a comparison by words would be slow, and too long to read. */
const WORDS_MAX = 1_500;
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

export type TextPart = { readonly side: DiffPart<string>["side"]; readonly text: string };

/** Texts with a smaller share of common words are shown one after the other, not word by word. */
const COMMON_SHARE_MIN = 0.3;

/** The difference of two texts, by words, or by lines if one of them is long. */
export function diffText(left: string, right: string): TextPart[] {
  const sides = [left, right].map((text) => text.match(WORDS) ?? []);
  const isLong = sides.some((words) => words.length > WORDS_MAX);
  const [leftItems = [], rightItems = []] = isLong ? [left, right].map(withEnds) : sides;
  const parts = diffSequences(leftItems, rightItems);
  if (!isLong && isPatchwork(parts)) return [...partOf("left", left), ...partOf("right", right)];
  return parts.map(({ side, items }) => ({ side, text: items.join("") }));
}

function isPatchwork(parts: readonly DiffPart<string>[]): boolean {
  const wordsOn = (side: DiffPart<string>["side"]) =>
    parts
      .filter((part) => part.side === side)
      .reduce((sum, { items }) => sum + items.filter((item) => item.trim() !== "").length, 0);
  const common = wordsOn("both");
  return common < COMMON_SHARE_MIN * (common + Math.max(wordsOn("left"), wordsOn("right")));
}

function partOf(side: DiffPart<string>["side"], text: string): TextPart[] {
  return text === "" ? [] : [{ side, text }];
}

/** A text's lines. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/\r?\n/);
}

/** The difference of two texts, line by line. */
export function diffLines(left: string, right: string): DiffPart<string>[] {
  return diffSequences(linesOf(left), linesOf(right));
}

/** Lines with their line breaks, so that they join to the same text. */
function withEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** A part that two sequences share, or that only one of them has. */
export type DiffPart<Item> = {
  /** `left`, `right`: only on that side. */
  readonly side: "both" | "left" | "right";
  readonly items: readonly Item[];
};

/** The search takes time quadratic in the insertions and deletions: this many take about 0.1 s on the page's thread. */
const EDITS_MAX = 1_000;

/**
 * The parts of both, in order, with as few insertions and deletions as possible. At each difference, the left part comes first.
 *
 * Pure, and total: if the sequences differ in too many positions, everything between the common beginning and the common end is
 * one part of each.
 */
export function diffSequences(left: readonly string[], right: readonly string[]): DiffPart<string>[] {
  const changes = diffArrays([...left], [...right], { maxEditLength: EDITS_MAX });
  if (changes === undefined) return commonEnds(left, right);
  return changes.map(({ added, removed, value }) => ({
    side: added ? "right" : removed ? "left" : "both",
    items: value,
  }));
}

function commonEnds(left: readonly string[], right: readonly string[]): DiffPart<string>[] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const parts: DiffPart<string>[] = [
    { side: "both", items: left.slice(0, start) },
    { side: "left", items: left.slice(start, left.length - end) },
    { side: "right", items: right.slice(start, right.length - end) },
    { side: "both", items: left.slice(left.length - end) },
  ];
  return parts.filter(({ items }) => items.length > 0);
}
