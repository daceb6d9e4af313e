/**
 * Whether a passage answers a question.
 *
 * - Every content word of the question occurs in one or two of its sentences, or in a title that these sentences are about.
 * - The sentences hold the kind of thing that is asked for: a number with its noun, a duration, a person, a place, a reason.
 * - They do not deny what the question takes for granted, and what they measure is what the question is about.
 */
import { shorten } from "../text/format-value.ts";
import { isOfItsKind, type Look } from "./answer-kind.ts";
import { isSaidToBe } from "./identity.ts";
import { normal, occurs, type Word } from "./passage-words.ts";
import { type Hit, listingsOf, titlePartsOf, titleWords } from "./read-output.ts";
import { wordsToAccountFor } from "./read-question.ts";
import { goesOn, pointsBack, sentencesOf, subjectOf, withNext } from "./sentences.ts";
import { isAddressed, isForbiddenAnyway, isHouse, isImplied, isTitled } from "./said-elsewhere.ts";

type Quotation = {
  readonly hit: Hit;
  readonly text: string;
  readonly sentences: number;
  /** Some words are in the title only. */
  readonly needsTitle: boolean;
  /** How many of all words of the question the stretch itself has, also those that only ask. */
  readonly shared: number;
};

/** The shortest stretches of the passages that account for the whole question, the best passage's first. */
export function quotationsFor(question: string, hits: readonly Hit[]): readonly Quotation[] {
  const words = wordsToAccountFor(question);
  if (words.length === 0) return [];
  const found = hits.flatMap((hit) => stretchesOf(hit, { words, question, hits }));
  const shortest = Math.min(...found.map(({ sentences }) => sentences));
  const kept = found.filter(({ sentences }) => sentences === shortest);
  // Who says all of it himself answers better than who only stands under the right title.
  const own = kept.filter(({ needsTitle }) => !needsTitle);
  const best = (own.length > 0 ? own : kept).toSorted((one, other) => other.shared - one.shared);
  // Of a topic every passage says something; a question is answered by the one that shares most with it.
  return words.length === 1 ? best : best.filter(({ shared }) => shared === best[0]?.shared);
}

/** The words that the passage nearest to the question does not have. */
export function missingWords(question: string, hits: readonly Hit[]): readonly string[] {
  const words = wordsToAccountFor(question);
  const missing = hits.map((hit) =>
    words.filter((word) => word.isSoft !== true && !occurs(word, `${titleWords(hit)} ${hit.snippet}`)),
  );
  const least = missing.toSorted((a, b) => a.length - b.length)[0] ?? words;
  return least.map(({ text }) => text);
}

/** A stretch of a plain text that accounts for the question; null when none does. */
export function stretchIn(text: string, question: string): string | null {
  return (
    stretchesOf(
      { path: "", title: "", snippet: text },
      { words: wordsToAccountFor(question), question, hits: [] },
    )[0]?.text ?? null
  );
}

type Asked = { readonly question: string; readonly words: readonly Word[]; readonly hits: readonly Hit[] };

function stretchesOf(hit: Hit, { question, words, hits }: Asked): readonly Quotation[] {
  const sentences = sentencesOf(hit.snippet);
  const look: Look = {
    question,
    words,
    titles: titlePartsOf(hit),
    listings: listingsOf(hit),
    house: titleWords(hit),
    around: hits
      .filter(({ path }) => path === hit.path)
      .map(({ snippet }) => snippet)
      .join("\n"),
  };
  const spoken = [
    ...new Set((normal(question).match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => word.toLowerCase())),
  ];
  for (const count of [1, 2]) {
    const found: Quotation[] = [];
    for (let start = 0; start + count <= sentences.length; start++) {
      const next = sentences[start + 1] ?? "";
      if (count === 2 && !goesOn(next)) continue;
      // `An estimate is given before a root canal. It holds for 90 days.`: it is the estimate.
      if (count === 2 && pointsBack(next) && !isAbout(subjectOf(sentences[start] ?? ""), words)) continue;
      const text = sentences.slice(start, start + count).join(" ");
      if (!answers(text, look)) continue;
      const shared = spoken.filter((word) => occurs({ text: word, isName: false }, text)).length;
      const needsTitle = words.some((word) => !occurs(word, text));
      found.push({
        hit,
        text: shorten(withNext(sentences, start, count), 420),
        sentences: count,
        needsTitle,
        shared,
      });
    }
    if (found.length > 0) return found;
  }
  return [];
}

function isAbout(subject: string, words: readonly Word[]): boolean {
  return words.some((word) => word.isSoft !== true && occurs(word, subject));
}

function answers(text: string, look: Look): boolean {
  return hasEveryWord(text, look) && isAboutItsOnlyWord(text, look) && isOfItsKind(text, look);
}

/** Each word is said in the sentence, in a heading above it, or by what the document is about. */
function hasEveryWord(text: string, look: Look): boolean {
  const { words } = look;
  if (!words.some((word) => word.isSoft !== true && occurs(word, text))) return false;
  return words.every(
    (word) =>
      occurs(word, text) ||
      (word.isSoft === true && isAddressed(word, text, look.question)) ||
      isImplied(word, text, look) ||
      isTitled(word, text, look) ||
      isHouse(word, text, look) ||
      isForbiddenAnyway(word, text, look),
  );
}

/** One word is too little to tell an answer from a mention, unless it is what the passage is about. */
function isAboutItsOnlyWord(text: string, { question, words, titles }: Look): boolean {
  const [only, ...others] = words.filter(({ isSoft }) => isSoft !== true);
  if (only === undefined || others.length > 0) return true;
  return (
    titles.some((title) => occurs(only, title)) ||
    (/\bwho\b/i.test(question) && isSaidToBe(only.text, text)) ||
    occurs(only, text.split(/\s+/, 2 + only.text.split(" ").length).join(" "))
  );
}
