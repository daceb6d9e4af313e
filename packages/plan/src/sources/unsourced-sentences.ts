import { citesKnown } from "./citations.ts";
import type { KnownSources } from "./known-sources.ts";

/** A sentence ends with punctuation that white space follows, and with the citation behind it; a line ends it too, and no number of a list. */
const SENTENCE_END = /(?<=[.!?…]["'”’)]?)(?<!(?:^|\n)\s*\d{1,3}\.)(?=\s+(?!\s*[[(]))|\n+/;
/** A figure that is no list number, or a word in capitals that does not begin the sentence. */
const FIGURE = /\d/;
const NAME = /\S\s+["'“(]?\p{Lu}[\p{L}\p{N}]/u;
const LIST_NUMBER = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)+/;
/** Rows of a table are covered by a source in the line before or after it. */
const TABLE_ROW = /^\s*\|/;

/**
 * The sentences that state a figure or a name and cite no source that a step of the plan knows.
 *
 * A sentence may cite `[s1]`, the name of a document in brackets, or a URL. Headings are not sentences; tables are left to the text
 * around them.
 */
export function unsourcedSentences(text: string, known: KnownSources): readonly string[] {
  return text.split(SENTENCE_END).flatMap((part) => {
    const sentence = part.trim();
    if (sentence.startsWith("#") || TABLE_ROW.test(sentence) || sentence.endsWith(":")) return [];
    const said = sentence.replace(LIST_NUMBER, "");
    const states = FIGURE.test(said) || NAME.test(said);
    return states && !citesKnown(sentence, known) ? [sentence] : [];
  });
}
