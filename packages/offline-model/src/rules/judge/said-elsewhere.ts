/** How a passage accounts for a word of a question without having the word itself. */
import type { Look } from "./answer-kind.ts";
import { LABELLED, pointsBack } from "./sentences.ts";
import { asksPermission, saysAllowed } from "./limits.ts";
import { ACTORS } from "./read-question.ts";
import { normal, occurs, type Word } from "./passage-words.ts";

/** In the sentence, by what it means there. */
export function isImplied({ text: word }: Word, text: string, { question }: Look): boolean {
  if (/^open$/i.test(word)) return /^\s*(?:until|till|by) /i.test(question) && /\bclose[sd]?\b/i.test(text);
  if (/^(?:costs?|price|fee|charge)$/i.test(word)) return asksAmount(question) && /\bfree\b/i.test(text);
  if (/^(?:allow|allowed|permitted|possible)$/i.test(word)) return saysAllowed(text, question);
  if (/^(?:pay|pays|paying|paid)$/i.test(word))
    return (
      (/\binsur/i.test(question) && /\bcovers?\b/i.test(text)) ||
      (asksAmount(question) && MONEY.test(text)) ||
      (/\bwhen\b|\bwhat (?:date|day)\b/i.test(question) && /\b(?:due|payable)\b/i.test(text))
    );
  if (/^(?:keep|kept|store|stored|leave|left|put|placed?)$/i.test(word))
    return /^\s*where\b/i.test(question) && STANDS.test(text);
  return UNITS.some(
    ([noun, unit]) => noun.test(word) && /\bhow (?:much|many|high)\b/i.test(question) && unit.test(text),
  );
}

const MONEY =
  /[€$£%]|\b(?:euros?|dollars?|pounds?|cents?|pence|percent|free|fees?|prices?|costs?|charges?|charged|rates?)\b/i;
const STANDS = /\b(?:belongs?|stands?|kept|stored|left|placed|put|stays?|goes|go|lie|lies|hang|hangs)\b/i;
const UNITS: readonly (readonly [RegExp, RegExp])[] = [
  [/^light$/i, /\blux\b/i],
  [/^noise$/i, /\bdB\b|\bdecibels?\b/i],
  [/^speed$/i, /\bkm\/h\b|\bmph\b/i],
  [/^(?:heat|temperature)$/i, /\bdegrees?\b|°/i],
];

/** `What does a guest pay for …?`; who pays, or when, is another question. */
function asksAmount(question: string): boolean {
  return /\b(?:how (?:much|high)|what (?:do|does|did|must|should|will|is|are)|(?:have|has|need|needs) to pay)\b/i.test(
    question,
  );
}

/**
 * In a heading above it. A sentence without its own subject is about its title; beside one, the title only says
 * where: `… at Vendor A`.
 */
export function isTitled(
  word: Word,
  text: string,
  { question, titles, listings, words, house }: Look,
): boolean {
  // Whom a whole document is for: `Visiting on Ward 4`.
  if (isDone(word, question)) return false;
  if (ACTORS.test(word.text) && occurs(word, house) && isAddressed(word, text, question)) return true;
  const isAboutTitle =
    LABELLED.test(text) || pointsBack(text) || /^There\b|\b(?:this|these)\s+\p{Ll}/u.test(text);
  if (titles.some((title) => occurs(word, title)) && (isAboutTitle || isAdjunct(word, question))) return true;
  // `Emergencies and out of hours` is about either; the sentence must have none of what else it lists.
  const own = words.filter((other) => other.isSoft !== true && occurs(other, text)).length;
  return (
    own >= 2 &&
    listings.some(
      (items) =>
        items.some((item) => occurs(word, item)) && !items.some((item) => hasWordOf(item, word, text)),
    )
  );
}

/** `must be ordered`, `have to pay`: what is done has to be said; a title `Orders` does not say it of each of its sentences. */
function isDone({ text }: Word, question: string): boolean {
  const word = RegExp.escape(text);
  return (
    (/(?:ed|en|ld|id|t)$/i.test(text) &&
      new RegExp(`\\b(?:be|been|being|is|are|was|were)\\b[^.;,]*\\s${word}\\s*\\??$`, "iu").test(question)) ||
    new RegExp(`\\b(?:have|has|need|needs) to ${word}\\b`, "iu").test(question)
  );
}

/** Whether a text has a word of another item of a list. */
function hasWordOf(item: string, word: Word, text: string): boolean {
  if (occurs(word, item)) return false;
  return (item.match(/\p{L}{4,}/gu) ?? []).some((other) => occurs({ text: other, isName: false }, text));
}

/** `… of Vendor A`, `Vendor A's …`, `in the first month`. */
function isAdjunct({ text }: Word, question: string): boolean {
  const word = RegExp.escape(text.split(" ")[0] ?? text);
  const before = String.raw`\b(?:of|at|for|in|on|with|from|by|to|per|which|what)\s+(?:the\s+|a\s+|an\s+|our\s+)?(?:[\p{L}\p{N}]+\s+)?${word}`;
  const owner = String.raw`${RegExp.escape(text)}['’]s?\b`;
  return new RegExp(`${before}|${owner}`, "iu").test(question);
}

/** `the museum`, in a document `Rules of the museum`: where all of it is about. */
export function isHouse(
  { text: word }: Word,
  text: string,
  { question, house, around, words }: Look,
): boolean {
  const owned = `\\b(?:the|our|your|this)\\s+${RegExp.escape(word)}\\b`;
  if (!new RegExp(owned, "iu").test(question) || !HOUSES.test(word)) return false;
  if (occurs({ text: word, isName: false }, house)) return true;
  // Named elsewhere in the document, and the sentence is about no other place.
  const places = normal(text).matchAll(
    /\b(?:in|into|at|inside|outside|on|from|behind)\s+(?:(?:the|our|an?|any|each|every|all)\s+)?(\p{Ll}{3,})/gu,
  );
  const isElsewhere = [...places].some(([, noun = ""]) => !words.some((own) => occurs(own, noun)));
  return !isElsewhere && new RegExp(owned, "iu").test(around);
}

const HOUSES =
  /^(?:museum|library|club|school|hotel|ward|hospital|clinic|gym|pool|shop|store|bakery|brewery|zoo|park|garden|theatre|theater|kindergarten|cinema|college|office|house|hostel|campsite|farm|company|centre|center|studio|restaurant|cafe|helpdesk|workshop|practice|surgery|shelter|nursery|association|society|agency|garage|airline|festival|gallery|church)$/i;

/** Whom the document is for needs no naming, unless the sentence is about someone else. */
export function isAddressed({ text: word }: Word, text: string, question: string): boolean {
  // Who decides about them is someone else.
  if (!ACTORS.test(word) || /\bwho\b/i.test(question)) return true;
  return !OTHERS.test(text);
}

const OTHERS =
  /\b(?:staff|employees?|colleagues?|managers?|directors?|members?|children|child|adults?|parents?|nurses?|doctors?|teachers?|instructors?|volunteers?|suppliers?|contractors?|drivers?|trade customers?|seniors?|students?|pupils?)\b/i;

/** What is forbidden without any condition is forbidden to anyone and anywhere: where, or to whom, need not be said. */
export function isForbiddenAnyway({ text: word }: Word, text: string, { question, words }: Look): boolean {
  if (!asksPermission(question) || !FORBIDDEN.test(text) || CONDITION.test(text)) return false;
  const said = words.filter((other) => other.isSoft !== true && occurs(other, text)).length;
  const place = `\\b(?:to|in|into|on|onto|at|with|from)\\s+(?:(?:the|an?|my|our|your|any)\\s+)?${RegExp.escape(word)}\\s*[?.]?\\s*$`;
  return said >= 2 && new RegExp(place, "iu").test(question);
}

const FORBIDDEN =
  /\b(?:(?:must|may|can) (?:not|never) be \p{L}+(?: on| out| up)?|(?:not|never) (?:allowed|permitted)|forbidden|prohibited)(?: (?:at all|to (?:others|anyone|anybody)|(?:anywhere|everywhere)[^.;,]*))?\s*[.;]?$/iu;
const CONDITION =
  /^(?:in|on|at|from|between|during|after|before|for|if|when)\b|\b(?:if|unless|except|when|while|only|during)\b/i;
