/** Whether the words of a thing's name stand together in a passage as they do in the question. */
import type { Look } from "./answer-kind.ts";
import { partsOf } from "./sentences.ts";
import { normal, occurs, type Word } from "./passage-words.ts";

/** `the open day`, up to a preposition or the end, with the verb or the adjective that may stand behind it. */
const THING =
  /\b(?:the|an?|our|your|my|this|any|each|every)\s+(\p{L}{2,}(?:\s\p{L}{2,}){1,4}?)(?=\s+(?:of|in|at|on|for|to|from|with|by|per|after|before|during|when|if|is|are|was|were|may|must|can)\b|\s*[?.!]?\s*$)/giu;
/** A verb follows the thing where another one helps it: `when does the summer show begin`. */
const HELPED = /\b(?:do|does|did|can|could|may|must|should|will|would|has|have|had)\s+$/i;
/** A predicate that follows the thing's name: `is the annual fee due`. */
const SAID_OF =
  /(?:[^e]ed|en|ing)$|^(?:due|open|free|full|valid|available|allowed|possible|necessary|held|kept|paid|made|done|sold|sent|built|closed|ready|big|large|long|high|wide|heavy|old|deep|like|there|here)$/i;

/** An invoice that is `open after 60 days` has nothing to do with `the open day`. */
export function keepsTogether(text: string, { question, words, titles }: Look): boolean {
  return thingsOf(normal(question)).every((thing) =>
    thing.slice(1).every((second, index) => {
      const [one, other] = [thing[index] ?? "", second].map((word) => plainWord(word, words));
      if (one === undefined || other === undefined) return true;
      // What is in the title is the passage's subject, wherever it is said.
      if (titles.some((title) => occurs(one, title) || occurs(other, title))) return true;
      // A part that continues the one before does not have to repeat its words.
      const both = partsOf(text).filter((part) => occurs(one, part) && occurs(other, part));
      return both.length === 0 || both.some((part) => areNear(one, other, part));
    }),
  );
}

function thingsOf(question: string): readonly (readonly string[])[] {
  return [...question.matchAll(THING)].map((match) => {
    const found = (match[1] ?? "").split(/\s+/);
    const isLast = /^\s*[?.!]?\s*$/.test(question.slice(match.index + match[0].length));
    const hasVerb = HELPED.test(question.slice(0, match.index)) || SAID_OF.test(found.at(-1) ?? "");
    return isLast && hasVerb ? found.slice(0, -1) : found;
  });
}

function plainWord(text: string, words: readonly Word[]): Word | undefined {
  return words.find(
    (word) => !word.isName && word.isSoft !== true && word.text.toLowerCase() === text.toLowerCase(),
  );
}

/** How many words may stand between: `open garden day`. */
const BETWEEN_MAX = 1;
/** How many where the thing is put the other way round: `the end of the school day`. */
const TURNED_MAX = 3;

function areNear(one: Word, other: Word, text: string): boolean {
  const said = normal(text).match(/[\p{L}\p{N}]+|[,;:]/gu) ?? [];
  const placesOf = (word: Word) => said.flatMap((part, at) => (occurs(word, part) ? [at] : []));
  const others = placesOf(other);
  return placesOf(one).some((at) =>
    others.some((place) => {
      const between = said.slice(Math.min(at, place) + 1, Math.max(at, place));
      if (between.some((part) => /^[;:]$/.test(part))) return false;
      if (place > at) return between.length <= BETWEEN_MAX && !between.some((part) => /\d/.test(part));
      return between.length <= TURNED_MAX && between.some((part) => /^(?:of|for|from|in|at)$/i.test(part));
    }),
  );
}
