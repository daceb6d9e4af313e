/** The sentences nearest to a question that no passage answers. */
import { shorten } from "../text/format-value.ts";
import { occurs } from "./passage-words.ts";
import { type Hit, titleWords } from "./read-output.ts";
import { wordsToAccountFor } from "./read-question.ts";
import { sentencesOf, withNext } from "./sentences.ts";

const CLOSEST_MAX = 2;
const SHARED_MIN = 2;
const SHARE_MIN = 0.6;

export type Closest = { readonly hit: Hit; readonly text: string };

const MEASURE =
  /^(?:costs?|prices?|fees?|charges?|pay|pays|paid|hours?|days?|weeks?|months?|years?|minutes?|allowed|\d.*)$/i;

/** One or two sentences that have most words of a question; none where they share next to nothing with it. */
export function closestTo(question: string, hits: readonly Hit[]): readonly Closest[] {
  const words = wordsToAccountFor(question).filter(({ isSoft }) => isSoft !== true);
  const scored = hits.flatMap((hit) => {
    const sentences = sentencesOf(hit.snippet);
    return sentences.map((sentence, index) => {
      const shared = words.filter((word) => occurs(word, sentence));
      // A price or a time alone says nothing of what it is for.
      const own = shared.every(({ text }) => MEASURE.test(text)) ? 0 : shared.length;
      const titled = words.filter((word) => !occurs(word, sentence) && occurs(word, titleWords(hit))).length;
      return { hit, text: shorten(withNext(sentences, index, 1), 420), own, score: own + titled / 2 };
    });
  });
  const near = scored.filter(({ own, score }) => own >= SHARED_MIN && score >= words.length * SHARE_MIN);
  const best = Math.max(0, ...near.map(({ score }) => score));
  return near.filter(({ score }) => score === best).slice(0, CLOSEST_MAX);
}
