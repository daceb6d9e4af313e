/** Words of a clause in the form in which names are compared with them, and verbs that belong to nouns. */
import { stem } from "../text/words.ts";

const WORDS = /[\p{L}\p{N}]+(?:['’]s)?/uy;

/** The words from `at` on, with the end of each; up to six. */
export function wordsFrom(
  text: string,
  at: number,
): readonly { readonly stem: string; readonly word: string; readonly end: number }[] {
  const words: { stem: string; word: string; end: number }[] = [];
  let start = at;
  while (words.length < 6) {
    WORDS.lastIndex = start;
    const match = WORDS.exec(text);
    if (match === null) break;
    const word = match[0].replace(/['’]s$/u, "");
    words.push({ stem: stem(word.toLowerCase()), word, end: start + match[0].length });
    const gap = /^[ _-]/u.exec(text.slice(start + match[0].length));
    if (gap === null) break;
    start += match[0].length + gap[0].length;
  }
  return words;
}

export function isPlural(word: string): boolean {
  return /[^s]s$/i.test(word);
}

/** Verbs of completed actions. */
export const DONE = /(?:ed|born|built|sent|left|bought|sold|paid|held)$/i;

/** A verb with fewer letters is too short to determine its noun. */
const VERB_LETTERS_MIN = 4;

/** `inspected` of an inspection, `hired` of a hire. */
export function isPastOf(
  { word, stem: root }: { word: string; stem: string },
  noun: string | undefined,
): boolean {
  if (noun === undefined || !/ed$/i.test(word)) return false;
  return root === noun || (root.length >= VERB_LETTERS_MIN && noun.startsWith(root));
}
