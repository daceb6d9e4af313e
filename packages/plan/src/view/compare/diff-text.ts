import { type DiffPart, diffSequences } from "./diff-sequences.ts";

/** Longer texts are compared line by line: a comparison by words would be slow, and too long to read. */
const WORDS_MAX = 1_500;
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

export type TextPart = { readonly side: DiffPart<string>["side"]; readonly text: string };

/** Texts that have less than this share of their words in common are told one after the other, not word by word. */
const COMMON_SHARE_MIN = 0.3;

/** The difference of two texts, in words, or in lines when one of them is long. */
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

/** Lines with what ends them, so that they join to the same text. */
function withEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}
