/** Joins a truncated text with its continuation. */

/** A longer run without white space is not a word: the text is then continued from its exact end. */
const WORD_CHARS_MAX = 80;
/** A continuation that begins with this many of the text's first characters is the text written again. */
const RESTART_CHARS = 40;
/** Repeated words are searched for among this many characters at the end of the text. */
const OVERLAP_CHARS_MAX = 1_000;
const OVERLAP_CHARS_MIN = 12;
const TWO_WORDS = /[\p{L}\p{N}]\S*\s+\S*[\p{L}\p{N}]/u;

/**
 * Splits a truncated text before its last word, which may be incomplete.
 *
 * `kept` is certainly complete, `gap` is the white space after it.
 */
export function splitAtLastWord(text: string): { readonly kept: string; readonly gap: string } {
  const word = /\S*$/.exec(text.slice(-WORD_CHARS_MAX))?.[0] ?? "";
  const before = text.slice(0, text.length - word.length);
  const kept = before.trimEnd();
  if (word.length === WORD_CHARS_MAX || kept === "") return { kept: text, gap: "" };
  return { kept, gap: before.slice(kept.length) };
}

/**
 * Joins a truncated text with its continuation from the end of `splitAtLastWord(text).kept`.
 *
 * Words that the continuation repeats appear only once; a continuation that writes the text again from its start replaces it.
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

/** The length of the longest start of `more` that is the end of `text`, with at least two words; else 0. */
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
