/** Quotes what a search or a page says about a subject, with its source. */
import { shorten } from "../text/format-value.ts";
import { contentWords, overlap, stem, wholePhrase } from "../text/words.ts";
import type { Hit } from "./read-output.ts";
import { isQuestion } from "./sentences.ts";

const QUOTE_CHARS_MAX = 420;
const HITS_MAX = 3;

/**
 * Hits that speak of what was looked for, the most telling first.
 *
 * Two of the subject's words are needed, or its only one; once a document is found to be about the subject,
 * its sections whose own title names one of the words belong to it too.
 */
export function relevantHits(hits: readonly Hit[], subject: string, hitsMax = HITS_MAX): readonly Hit[] {
  const words = contentWords(subject).length;
  const names = [...subject.matchAll(/\p{L}{3,}\s\p{Lu}(?!\p{L})/gu)].map((match) => wholePhrase(match[0]));
  const relevance = (hit: Hit) => {
    const text = `${hit.title} ${hit.path.replaceAll("-", " ")} ${hit.snippet}`;
    // `Vendor A` is a name: a passage about vendor B has nothing to say of it.
    return names.every((name) => name.test(text)) ? overlap(subject, text) : 0;
  };
  const titled = words <= 2 && hits.some((hit) => relevance(hit) > 0 && overlap(subject, hit.title) > 0);
  const needed = titled ? 1 : Math.min(2, words);
  const best = Math.max(0, ...hits.map(relevance));
  const enough = Math.max(needed, Math.ceil(best * 0.6));
  const about = new Set(hits.filter((hit) => relevance(hit) >= enough).map(({ path }) => path));
  const belongs = (hit: Hit) =>
    about.has(hit.path) && relevance(hit) > 0 && overlap(subject, sectionOf(hit)) > 0;
  const telling = (hit: Hit) =>
    relevance(hit) + overlap(subject, sectionOf(hit)) + figuresIn(hit.snippet, subject);
  return hits
    .filter((hit) => relevance(hit) >= enough || belongs(hit))
    .toSorted((a, b) => telling(b) - telling(a))
    .slice(0, hitsMax);
}

/** The last part of a title: `Pricing › Plans` → `Plans`; empty for a document's beginning. */
export function sectionOf({ title }: Hit): string {
  const parts = title.split("›");
  return parts.length < 2 ? "" : (parts.at(-1) ?? "").trim();
}

/** Who asks for prices wants the passages with figures: three of them say as much as three words. */
function figuresIn(text: string, subject: string): number {
  if (!/\b(pric|cost|fee|rate|how much|how many|salar|number|percent)/i.test(subject)) return 0;
  return Math.min(3, text.match(/\d+(?:[.,]\d+)*/g)?.length ?? 0);
}

/** The sentences around the one that shares most words with the subject, up to the limit. */
export function bestPassage(text: string, subject: string, charsMax = QUOTE_CHARS_MAX): string {
  const clean = text.replace(/^#+\s+.*$/gm, "").trim();
  const sentences = clean
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[-*]\s+|^\d+\.\s+/, "").trim())
    .filter((sentence) => sentence !== "" && !isQuestion(sentence));
  const whole = sentences.join(" ");
  if (whole.length <= charsMax) return whole;
  const wanted = new Set(contentWords(subject).map(stem));
  const scores = sentences.map(
    (sentence) => contentWords(sentence).filter((word) => wanted.has(stem(word))).length,
  );
  const start = scores.indexOf(Math.max(...scores));
  let passage = "";
  for (const sentence of sentences.slice(start)) {
    if (passage !== "" && passage.length + sentence.length > charsMax) break;
    passage = passage === "" ? sentence : `${passage} ${sentence}`;
  }
  return shorten(passage, charsMax);
}
