/** Turns any text into a full-text query that is always valid. */

const WORDS_MAX = 32;
const WORD_CHARS_MAX = 64;

/** Words that carry no meaning for a search; leaving them out lets questions match. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or " +
    "our should so such than that the their them then there these they this to us was we were what when where which who why will with would you your"
  ).split(" "),
);

export type FullTextQuery = {
  /** Matches sections with every word. */
  readonly all: string;
  /** Matches sections with any of the words. */
  readonly any: string;
};

/**
 * The words of a text as FTS5 queries; `undefined` when it has no words.
 *
 * A single capital letter counts as a name, as in "product A".
 */
export function toFullTextQuery(text: string): FullTextQuery | undefined {
  const words = [...new Set(text.normalize("NFC").match(/[\p{L}\p{N}\p{M}]+/gu))].map((word) =>
    word.slice(0, WORD_CHARS_MAX),
  );
  const telling = words.filter((word, index) => !isStopWord(word, index));
  // Quoted, so that NEAR, OR and * are ordinary words.
  const quoted = (telling.length === 0 ? words : telling).slice(0, WORDS_MAX).map((word) => `"${word}"`);
  if (quoted.length === 0) return undefined;
  return { all: quoted.join(" AND "), any: quoted.join(" OR ") };
}

function isStopWord(word: string, index: number): boolean {
  const isName = word.length === 1 && word !== word.toLowerCase() && index > 0;
  return !isName && STOP_WORDS.has(word.toLowerCase());
}
