/**
 * Whether a passage answers a question.
 *
 * - Every content word of the question occurs in one or two of its sentences, or in a title that these sentences are about.
 * - The sentences contain the kind of thing asked for: a number with its noun, a duration, a person, a place, a reason.
 * - They do not deny what the question presumes, and what they measure is what the question is about.
 */
import { shorten } from "../text/format-value.ts";
import { isOfItsKind, type Look } from "./answer-kind.ts";
import { isSaidToBe } from "./identity.ts";
import { normal, occurs, type Word } from "./passage-words.ts";
import { type Hit, listingsOf, titlePartsOf, titleWords } from "./read-output.ts";
import { wordsToAccountFor, ACTORS } from "./read-question.ts";
import { goesOn, pointsBack, sentencesOf, subjectOf, withNext, LABELLED } from "./sentences.ts";
import { asksPermission, saysAllowed } from "./limits.ts";

type Quotation = {
  readonly hit: Hit;
  readonly text: string;
  readonly sentences: number;
  /** Some words are only in the title. */
  readonly needsTitle: boolean;
  /** How many of all the question's words the stretch itself contains, including those that only ask. */
  readonly shared: number;
};

/** The shortest stretches of the passages that account for the whole question; the best passage's first. */
export function quotationsFor(question: string, hits: readonly Hit[]): readonly Quotation[] {
  const words = wordsToAccountFor(question);
  if (words.length === 0) return [];
  const found = hits.flatMap((hit) => stretchesOf(hit, { words, question, hits }));
  const shortest = Math.min(...found.map(({ sentences }) => sentences));
  const kept = found.filter(({ sentences }) => sentences === shortest);
  // A passage that contains all words answers better than one that is only under the right title.
  const own = kept.filter(({ needsTitle }) => !needsTitle);
  const best = (own.length > 0 ? own : kept).toSorted((one, other) => other.shared - one.shared);
  // Every passage is about a topic in some way; a question is answered by the passage that shares most words with it.
  return words.length === 1 ? best : best.filter(({ shared }) => shared === best[0]?.shared);
}

/** The words missing from the passage nearest to the question. */
export function missingWords(question: string, hits: readonly Hit[]): readonly string[] {
  const words = wordsToAccountFor(question);
  const missing = hits.map((hit) =>
    words.filter((word) => word.isSoft !== true && !occurs(word, `${titleWords(hit)} ${hit.snippet}`)),
  );
  const least = missing.toSorted((a, b) => a.length - b.length)[0] ?? words;
  return least.map(({ text }) => text);
}

/** A stretch of a plain text that accounts for the question; null if none does. */
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
      // `An estimate is given before a root canal. It holds for 90 days.`: `it` is the estimate.
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

/** Each word must be in the sentence, in a heading above it, or be what the document is about. */
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

/** One word is not enough to distinguish an answer from a mention, unless the passage is about it. */
function isAboutItsOnlyWord(text: string, { question, words, titles }: Look): boolean {
  const [only, ...others] = words.filter(({ isSoft }) => isSoft !== true);
  if (only === undefined || others.length > 0) return true;
  return (
    titles.some((title) => occurs(only, title)) ||
    (/\bwho\b/i.test(question) && isSaidToBe(only.text, text)) ||
    occurs(only, text.split(/\s+/, 2 + only.text.split(" ").length).join(" "))
  );
}

/** In the sentence, with the meaning that it has there. */
function isImplied({ text: word }: Word, text: string, { question }: Look): boolean {
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

/** `What does a guest pay for …?`; who pays, or when, is a different question. */
function asksAmount(question: string): boolean {
  return /\b(?:how (?:much|high)|what (?:do|does|did|must|should|will|is|are)|(?:have|has|need|needs) to pay)\b/i.test(
    question,
  );
}

/**
 * In a heading above it. A sentence without its own subject is about its title; if it has one, the title only gives the
 * place: `… at Vendor A`.
 */
function isTitled(word: Word, text: string, { question, titles, listings, words, house }: Look): boolean {
  // The audience of a whole document: `Visiting on Ward 4`.
  if (isDone(word, question)) return false;
  if (ACTORS.test(word.text) && occurs(word, house) && isAddressed(word, text, question)) return true;
  const isAboutTitle =
    LABELLED.test(text) || pointsBack(text) || /^There\b|\b(?:this|these)\s+\p{Ll}/u.test(text);
  if (titles.some((title) => occurs(word, title)) && (isAboutTitle || isAdjunct(word, question))) return true;
  // `Emergencies and out of hours` is about both; the sentence must contain none of the other listed words.
  const own = words.filter((other) => other.isSoft !== true && occurs(other, text)).length;
  return (
    own >= 2 &&
    listings.some(
      (items) =>
        items.some((item) => occurs(word, item)) && !items.some((item) => hasWordOf(item, word, text)),
    )
  );
}

/** `must be ordered`, `have to pay`: the sentence must contain the action; a title `Orders` does not imply it. */
function isDone({ text }: Word, question: string): boolean {
  const word = RegExp.escape(text);
  return (
    (/(?:ed|en|ld|id|t)$/i.test(text) &&
      new RegExp(`\\b(?:be|been|being|is|are|was|were)\\b[^.;,]*\\s${word}\\s*\\??$`, "iu").test(question)) ||
    new RegExp(`\\b(?:have|has|need|needs) to ${word}\\b`, "iu").test(question)
  );
}

/** Whether a text contains a word of another item in a list. */
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

/** `the museum`, in a document `Rules of the museum`: all of it is about that place. */
function isHouse({ text: word }: Word, text: string, { question, house, around, words }: Look): boolean {
  const owned = `\\b(?:the|our|your|this)\\s+${RegExp.escape(word)}\\b`;
  if (!new RegExp(owned, "iu").test(question) || !HOUSES.test(word)) return false;
  if (occurs({ text: word, isName: false }, house)) return true;
  // Mentioned elsewhere in the document, and the sentence is about no other place.
  const places = normal(text).matchAll(
    /\b(?:in|into|at|inside|outside|on|from|behind)\s+(?:(?:the|our|an?|any|each|every|all)\s+)?(\p{Ll}{3,})/gu,
  );
  const isElsewhere = [...places].some(([, noun = ""]) => !words.some((own) => occurs(own, noun)));
  return !isElsewhere && new RegExp(owned, "iu").test(around);
}

const HOUSES =
  /^(?:museum|library|club|school|hotel|ward|hospital|clinic|gym|pool|shop|store|bakery|brewery|zoo|park|garden|theatre|theater|kindergarten|cinema|college|office|house|hostel|campsite|farm|company|centre|center|studio|restaurant|cafe|helpdesk|workshop|practice|surgery|shelter|nursery|association|society|agency|garage|airline|festival|gallery|church)$/i;

/** The document's audience need not be named, unless the sentence is about someone else. */
function isAddressed({ text: word }: Word, text: string, question: string): boolean {
  // A sentence about who decides about them is about someone else.
  if (!ACTORS.test(word) || /\bwho\b/i.test(question)) return true;
  return !OTHERS.test(text);
}

const OTHERS =
  /\b(?:staff|employees?|colleagues?|managers?|directors?|members?|children|child|adults?|parents?|nurses?|doctors?|teachers?|instructors?|volunteers?|suppliers?|contractors?|drivers?|trade customers?|seniors?|students?|pupils?)\b/i;

/** An unconditional prohibition applies to everyone and everywhere: where, or to whom, need not be stated. */
function isForbiddenAnyway({ text: word }: Word, text: string, { question, words }: Look): boolean {
  if (!asksPermission(question) || !FORBIDDEN.test(text) || CONDITION.test(text)) return false;
  const said = words.filter((other) => other.isSoft !== true && occurs(other, text)).length;
  const place = `\\b(?:to|in|into|on|onto|at|with|from)\\s+(?:(?:the|an?|my|our|your|any)\\s+)?${RegExp.escape(word)}\\s*[?.]?\\s*$`;
  return said >= 2 && new RegExp(place, "iu").test(question);
}

const FORBIDDEN =
  /\b(?:(?:must|may|can) (?:not|never) be \p{L}+(?: on| out| up)?|(?:not|never) (?:allowed|permitted)|forbidden|prohibited)(?: (?:at all|to (?:others|anyone|anybody)|(?:anywhere|everywhere)[^.;,]*))?\s*[.;]?$/iu;
const CONDITION =
  /^(?:in|on|at|from|between|during|after|before|for|if|when)\b|\b(?:if|unless|except|when|while|only|during)\b/i;
