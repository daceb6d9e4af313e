/** Puts a text that was cut off and its continuation together. */

/** A longer run without white space is no word: the text is then continued from its very end. */
const WORD_CHARS_MAX = 80;
/** A continuation that begins like the text begins, over so many characters, is the text written again. */
const RESTART_CHARS = 40;
/** Repeated words are looked for among this many characters at the end of the text. */
const OVERLAP_CHARS_MAX = 1_000;
const OVERLAP_CHARS_MIN = 12;
const TWO_WORDS = /[\p{L}\p{N}]\S*\s+\S*[\p{L}\p{N}]/u;

/**
 * Divides a text that was cut off before its last word, of which the end may be missing.
 *
 * `kept` is what surely is whole, `gap` the white space after it.
 */
export function splitAtLastWord(text: string): { readonly kept: string; readonly gap: string } {
  const word = /\S*$/.exec(text.slice(-WORD_CHARS_MAX))?.[0] ?? "";
  const before = text.slice(0, text.length - word.length);
  const kept = before.trimEnd();
  if (word.length === WORD_CHARS_MAX || kept === "") return { kept: text, gap: "" };
  return { kept, gap: before.slice(kept.length) };
}

/**
 * A text that was cut off, with its continuation from the end of `splitAtLastWord(text).kept`.
 *
 * Words of the text that the continuation repeats stand there once; a continuation that is the text written again
 * from its start takes its place.
 */
export function joinTexts(text: string, continuation: string): string {
  const more = continuation.trimStart();
  const { kept, gap } = splitAtLastWord(text);
  if (more === "") return kept;
  const beginning = text.trimStart().slice(0, RESTART_CHARS);
  if (beginning.length === RESTART_CHARS && more.startsWith(beginning)) {
    return more.length > kept.length ? more : kept;
  }
  const repeated = overlapOf(kept, more);
  if (repeated > 0) return kept + more.slice(repeated);
  const space = continuation.slice(0, continuation.length - more.length);
  return kept + (gap === "" ? space : longer(space, gap)) + more;
}

/** How many characters at the start of `more` are the end of `text`, at least two words of them; else 0. */
function overlapOf(text: string, more: string): number {
  const longest = Math.min(OVERLAP_CHARS_MAX, text.length, more.length);
  for (let length = longest; length >= OVERLAP_CHARS_MIN; length--) {
    const candidate = more.slice(0, length);
    if (text.endsWith(candidate) && TWO_WORDS.test(candidate)) return length;
  }
  return 0;
}

function longer(left: string, right: string): string {
  return left.length > right.length ? left : right;
}
