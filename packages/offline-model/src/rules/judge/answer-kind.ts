/**
 * Whether sentences that contain the words of a question also contain the kind of thing asked for (a number with its noun,
 * a duration, a person, a place, a material), and whether they affirm it, about the right thing.
 */
import { EXPECTED, MOMENT, MONTH, NUMBER, TIME } from "./expected.ts";
import { saysWhatItIs, saysWhoItIs } from "./identity.ts";
import { isAtThatRate, isLimitAskedFor, isRuleAskedFor, isThatSpan } from "./limits.ts";
import { ASKING, normal, occurs, type Word } from "./passage-words.ts";
import { isLimitInstead, isPriceOf, isWholeCount } from "./prices.ts";
import { root } from "./same-words.ts";
import { partsOf } from "./sentences.ts";
import { namesWho } from "./who.ts";

/** `the open day`, up to a preposition or the end, with a following verb or adjective. */
const THING =
  /\b(?:the|an?|our|your|my|this|any|each|every)\s+(\p{L}{2,}(?:\s\p{L}{2,}){1,4}?)(?=\s+(?:of|in|at|on|for|to|from|with|by|per|after|before|during|when|if|is|are|was|were|may|must|can)\b|\s*[?.!]?\s*$)/giu;
/** A verb follows the thing if there is an auxiliary: `when does the summer show begin`. */
const HELPED = /\b(?:do|does|did|can|could|may|must|should|will|would|has|have|had)\s+$/i;
/** A predicate that follows the thing's name: `is the annual fee due`. */
const SAID_OF =
  /(?:[^e]ed|en|ing)$|^(?:due|open|free|full|valid|available|allowed|possible|necessary|held|kept|paid|made|done|sold|sent|built|closed|ready|big|large|long|high|wide|heavy|old|deep|like|there|here)$/i;

/** How many words can be in between: `open garden day`. */
const BETWEEN_MAX = 1;
/** How many if the thing is inverted: `the end of the school day`. */
const TURNED_MAX = 3;

export type Look = {
  readonly question: string;
  readonly words: readonly Word[];
  /** The parts of the title that describe the passage's topic. */
  readonly titles: readonly string[];
  /** The items of headings that list several things. */
  readonly listings: readonly (readonly string[])[];
  /** The whole title, with its `of` phrase. */
  readonly house: string;
  /** Other passages found in the document. */
  readonly around: string;
};

export function isOfItsKind(text: string, look: Look): boolean {
  const { question } = look;
  const counted = countedNoun(question);
  return (
    EXPECTED.every(([asked, pattern]) => !asked.test(question) || pattern.test(text)) &&
    (counted === null || (isCounted(counted, text, look) && !isLimitInstead(counted, text, question))) &&
    saysWhoItIs(text, question) &&
    saysWhatItIs(text, question) &&
    keepsTogether(text, look) &&
    isLimitAskedFor(text, question) &&
    isRuleAskedFor(text, question) &&
    isThatSpan(text, question) &&
    isAtThatRate(text, question, look.house) &&
    namesMaterial(text, look) &&
    !isDenied(text, look) &&
    !isExcepted(text, look) &&
    !isBeforeInstead(text, look) &&
    !isFraction(text, look) &&
    isMeasuredThere(text, look) &&
    isPriceOf(text, look) &&
    isWholeCount(text, look) &&
    namesWho(text, look) &&
    namesWhich(text, look) &&
    namesWhere(text, look)
  );
}

const DENIAL = /\b(?:no|not|never|none|without|cannot|can't|doesn't|isn't|neither|nor)\b/i;
const YES_OR_NO = /^\s*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had)\b/i;

/** `Vendor A has no module` does not answer `which vendor has a module`; that there is no fee answers `what is the fee`. */
function isDenied(text: string, { question, words }: Look): boolean {
  if (DENIAL.test(question) || YES_OR_NO.test(question) || /^There (?:is|are|was|were) no\b/.test(text))
    return false;
  if (/\bhow (?:much|many)\b/i.test(question)) return false;
  // `not for more than three months` is a limit.
  const isLimit = /\b(?:not|never)\b[^.;]{0,30}\b(?:more|longer|later|older|earlier|less|fewer) than\b/i.test(
    text,
  );
  if (isLimit && /\bhow (?:long|old|late|early|far|high|big|large)\b/i.test(question)) return false;
  // `the manager, not the staff, decides`
  const affirmed = partsOf(text.replace(/,\s*not [^,;.]*,/giu, " "))
    .map((part) => part.split(DENIAL, 1)[0] ?? "")
    .join("; ");
  return words.some((word) => occurs(word, text) && !occurs(word, affirmed));
}

/** `unless the goods were faulty`: a sentence states the opposite of its exception, which only answers yes or no. */
function isExcepted(text: string, { question, words }: Look): boolean {
  if (YES_OR_NO.test(question) || EXCEPTION.test(question)) return false;
  const [rule = "", ...excepted] = text.split(EXCEPTION);
  return words.some((word) => !occurs(word, rule) && occurs(word, excepted.join(" ")));
}

const EXCEPTION = /\b(?:unless|except|excluding|apart from|instead of|rather than|other than)\b/i;

/** How soon after a fall is not how soon before it. */
function isBeforeInstead(text: string, { question }: Look): boolean {
  return /\bafter\b/i.test(question) && /\bbefore\b/i.test(text) && !/\bafter\b/i.test(text);
}

/** The price of `half a litre` is not the price of a litre. */
function isFraction(text: string, { question, words }: Look): boolean {
  const fractions = [
    ...normal(text).matchAll(/\b(half|double|twice|a quarter of|a third of)\s+(?:an?\s+|the\s+)?(\p{L}+)/giu),
  ];
  return fractions.some(
    ([, fraction = "", noun = ""]) =>
      words.some((word) => !word.isName && root(word.text) === root(noun)) &&
      !question.toLowerCase().includes(fraction.toLowerCase()),
  );
}

/** The part of a sentence with the measure or time names what it belongs to, or continues the sentence's subject. */
function isMeasuredThere(text: string, { question, words }: Look): boolean {
  const isMeasure =
    /\bhow (?:heavy|much|many|long|large|big|wide|tall|deep|high|old|far|fast)\b|\b(?:weigh|weight|cost|price)s?\b/i;
  const told = /\bwhen\b/i.test(question) ? MOMENT : isMeasure.test(question) ? NUMBER : null;
  if (told === null) return true;
  const parts = partsOf(text);
  const subject = text.split(/\s+/, told === MOMENT ? 8 : 4).join(" ");
  const own = words.filter((word) => occurs(word, text));
  return parts.some(
    (part) =>
      told.test(part) &&
      // `It should be 120 euros.` is about everything before it.
      (/^(?:It|Its|They|Their|This)\b/.test(part) ||
        own.every(
          (word) => occurs(word, part) || occurs(word, subject) || isModifier(word, normal(question), part),
        )),
  );
}

/** `dashcam recordings`: the following noun is in the part, and the sentence is about that noun. */
function isModifier({ text: word }: Word, question: string, part: string): boolean {
  const behind = new RegExp(`\\b${RegExp.escape(word)}\\s+(\\p{Ll}{3,}s)\\b`, "iu").exec(question)?.[1];
  return behind !== undefined && !ASKING.has(behind) && occurs({ text: behind, isName: false }, part);
}

/** Which one of several it is: a name, a number or a word beside its noun, and not just `the laboratory`. */
function namesWhich(text: string, { question, words }: Look): boolean {
  const noun = /^\s*(?:(?:at|by|for|from|in|on|to|with)\s+)?which\s+(\p{Ll}{3,}[^s\s])\s/iu.exec(
    normal(question),
  )?.[1];
  if (noun === undefined || !words.some((word) => root(word.text) === root(noun))) return true;
  const parts = normal(text).match(/[\p{L}\p{N}]+|[.,;:!?]/gu) ?? [];
  // If the title contains it, the passage is about one.
  if (!parts.some((word) => root(word) === root(noun))) return true;
  return parts.some((word, index) => {
    if (root(word) !== root(noun)) return false;
    const [before = "", after = ""] = [parts[index - 1], parts[index + 1]];
    const isSaidOf = /^(?:\p{Lu}|\d)/u.test(after) || /^(?:is|are|was|were|of|called|named|:)$/i.test(after);
    const isKnown =
      ASKING.has(before.toLowerCase()) || words.some((own) => occurs(own, before)) || !/\p{L}/u.test(before);
    return isSaidOf || !(isKnown || UNTOLD.test(before));
  });
}

/** In front of a noun, these do not identify one. */
const UNTOLD =
  /^(?:each|every|no|another|same|only|main|outside|external|independent|special|specialist|local|certified|professional|different|new)$/i;

const MATERIAL =
  /\b(?:wool|cotton|linen|silk|leather|nylon|polyester|polyamide|fleece|down|feathers?|rubber|plastic|wood|bamboo|steel|iron|alumini?um|titanium|copper|glass|ceramic|paper|cardboard|gold|silver|stone)\b/giu;

/** A material is one that the sentence states, and that is not a part of the thing's name. */
function namesMaterial(text: string, { question, words }: Look): boolean {
  if (!/\bmade (?:of|from|out of)\b|\b(?:what|which) material\b/i.test(question)) return true;
  const said = /\b(?:is|are|made (?:of|from))\s+(?!filled)([^.;]*)/i.exec(text)?.[1] ?? "";
  return [...said.matchAll(MATERIAL)].some(([material]) => !words.some((word) => occurs(word, material)));
}

/** `on the last Friday` is not a place. */
const WHEN = new RegExp(
  `^(?:last|first|second|third|fourth|next|same|following|every|each|time|end|\\p{L}*days?|${MONTH.source}|spring|summer|autumn|winter|morning|afternoon|evening|noon|midnight)$`,
  "iu",
);

/** A place follows a preposition, and is not one of the question's words. */
function namesWhere(text: string, { question, words }: Look): boolean {
  if (!/^\s*where\b/i.test(question)) return true;
  const places = [
    ...text.matchAll(
      /\b(?:at|in|into|on|near|inside|outside|beside|behind|opposite|above|below|under|from|to)\s+(?:the\s+|an?\s+|its\s+|our\s+)?(\p{L}{3,})/giu,
    ),
  ];
  return places.some(
    ([, noun = ""]) => !TIME.test(noun) && !WHEN.test(noun) && !words.some((word) => occurs(word, noun)),
  );
}

/** The noun that `how many` and `number of` count. */
function countedNoun(question: string): string | null {
  const after = /\b(?:how many|number of)\s+(.{1,80})/i.exec(normal(question))?.[1] ?? "";
  return (after.match(/[\p{L}]+/gu) ?? []).find((word) => !ASKING.has(word.toLowerCase())) ?? null;
}

/** Whether a number is directly in front of the noun: `28 days`, `up to 5,000 orders`. */
function isCounted(noun: string, text: string, { question, words: asked }: Look): boolean {
  // A number in another sentence or clause counts something else.
  const words = normal(text).match(/[\p{L}]+|\d[\d.,]*\d|\d|[.,;:!?]/gu) ?? [];
  const hard = asked.filter(({ isSoft }) => isSoft !== true);
  return words.some((word, index) => {
    if (root(word) !== root(noun)) return false;
    const before = words.slice(Math.max(0, index - 2), index);
    const at = before.findLastIndex((other) => NUMBER.test(other));
    if (at < 0) return false;
    // `three rescue boats` are not all boats.
    const isOfAll = before
      .slice(at + 1)
      .every((other) => UNCHANGED.test(other) || occurs({ text: other, isName: false }, question));
    // One word is not enough to distinguish existing things from mentioned ones.
    return isOfAll && (hard.length > 1 || HAS.test(words.slice(0, index).join(" ")));
  });
}

/** Words that do not select among the counted things. */
const UNCHANGED =
  /^(?:working|business|calendar|full|whole|different|consecutive|separate|individual|paid)$/i;
const HAS =
  /\b(?:there (?:is|are|was|were)|has|have|had|owns?|holds?|keeps?|runs?|employs?|consists? of|in total|altogether)\b/i;

/** Whether the words of a name are adjacent in the passage: an invoice `open after 60 days` is unrelated to `the open day`. */
function keepsTogether(text: string, { question, words, titles }: Look): boolean {
  return thingsOf(normal(question)).every((thing) =>
    thing.slice(1).every((second, index) => {
      const [one, other] = [thing[index] ?? "", second].map((word) => plainWord(word, words));
      if (one === undefined || other === undefined) return true;
      // Words in the title are the passage's subject, wherever they occur.
      if (titles.some((title) => occurs(one, title) || occurs(other, title))) return true;
      // A part that continues the previous one need not repeat its words.
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
