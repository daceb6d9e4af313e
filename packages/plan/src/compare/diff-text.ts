import { type DiffPart, diffSequences } from "./diff-sequences.ts";

/** A longer text is compared line by line: words would take too long, and nobody reads so many of them. */
const WORDS_MAX = 1_500;
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

export type TextPart = { readonly side: DiffPart<string>["side"]; readonly text: string };

/** The difference of two texts, in words, or in lines when one of them is long. */
export function diffText(left: string, right: string): TextPart[] {
  const sides = [left, right].map((text) => text.match(WORDS) ?? []);
  const isLong = sides.some((words) => words.length > WORDS_MAX);
  const [leftItems = [], rightItems = []] = isLong ? [left, right].map(withEnds) : sides;
  return diffSequences(leftItems, rightItems).map(({ side, items }) => ({ side, text: items.join("") }));
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
