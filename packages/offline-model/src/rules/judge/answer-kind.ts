/**
 * Whether sentences that have the words of a question also hold the kind of thing that it asks for: a number with its noun,
 * a duration, a person, a place, a material; and whether they affirm it, of the thing that is asked about.
 */
import { isAtThatRate, isLimitAskedFor, isThatSpan } from "./limits.ts";
import { ASKING, normal, occurs, type Word } from "./passage-words.ts";
import { root } from "./same-words.ts";

export type Look = {
  readonly question: string;
  readonly words: readonly Word[];
  /** The parts of the title that say what the passage is about. */
  readonly titles: readonly string[];
  /** The items of headings that list several things. */
  readonly listings: readonly (readonly string[])[];
  /** The whole title, with what it is `of`. */
  readonly house: string;
  /** What else was found of the document. */
  readonly around: string;
};

export function isOfItsKind(text: string, look: Look): boolean {
  const { question } = look;
  const counted = countedNoun(question);
  return (
    EXPECTED.every(([asked, pattern]) => !asked.test(question) || pattern.test(text)) &&
    (counted === null || isCounted(counted, text)) &&
    isLimitAskedFor(text, question) &&
    isThatSpan(text, question) &&
    isAtThatRate(text, question, look.house) &&
    namesMaterial(text, look) &&
    !isDenied(text, look) &&
    !isExcepted(text, look) &&
    !isBeforeInstead(text, look) &&
    !isFraction(text, look) &&
    isMeasuredThere(text, look) &&
    namesWho(text, look) &&
    namesWhich(text, look) &&
    namesWhere(text, look)
  );
}

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|no|none|unlimited|free)\b/i;
/** Of money, or of a part of it. */
const AMOUNT =
  /[€$£%]|\b(?:euros?|dollars?|pounds?|cents?|pence|eur|usd|gbp|percent|free|nothing|no (?:fee|charge|cost)|half)\b/i;
const TIME = /\b(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b/i;
const MONEY_NOUN =
  "\\b(?:fees?|costs?|prices?|charges?|surcharges?|deposits?|fines?|penalt(?:y|ies)|salar(?:y|ies)|wages?|rents?|allowances?)\\b";
const MONTH = /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/;
const WEEKDAY = /\b(?:sun|mon|tues|wednes|thurs|fri|satur)days?\b|\bweekends?\b/i;
const DURATION =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b).*\b(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b/is;

/** What the passage must hold besides the words, by how the question asks. */
const EXPECTED: readonly (readonly [RegExp, RegExp])[] = [
  [/\bhow (?:fast|quick(?:ly)?|soon)\b|\bhow long\b(?!.*\b(?:kilomet|met|mile|cm\b|km\b))/i, DURATION],
  [
    /\bhow long\b.*\b(?:kilomet|met|mile|cm\b|km\b)/i,
    /\d.*(?:\b|\d)(?:mm|cm|m|km|miles?|(?:kilo|centi)?met(?:re|er)s?)\b/is,
  ],
  [/\b(?:what|which) day of the week\b|\b(?:what|which) weekdays?\b/i, WEEKDAY],
  [/\b(?:what|which) months?\b/i, MONTH],
  [/\b(?:what|which) days\b/i, new RegExp(`${WEEKDAY.source}|${MONTH.source}`, "i")],
  [
    /\b(?:what|which) (?:dates?|day (?:of the month|(?:do|does|is|are|can|may|must|should|will)))\b/i,
    new RegExp(
      `${WEEKDAY.source}|${MONTH.source}|\\b\\d{1,2}(?:st|nd|rd|th)\\b|\\b(?:first|second|third|fourth|fifth|sixth|tenth|last)\\b`,
      "i",
    ),
  ],
  [
    /\b(?:what|which) time\b/i,
    /\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:am|pm|a\.m|p\.m|o'clock)|\b(?:noon|midnight|midday)\b/i,
  ],
  [/\bwhat amount\b/i, NUMBER],
  [
    /\b(?:what|which) languages?\b/i,
    /\b(?:English|French|German|Spanish|Italian|Portuguese|Dutch|Polish|Welsh|Irish|Danish|Swedish|Norwegian|Finnish|Czech|Greek|Turkish|Arabic|Hindi|Chinese|Japanese|Korean|Russian|Ukrainian)\b/,
  ],
  [/\bhow heavy\b|\bweighs?\b|\bweight\b/i, /\d\s?(?:k?g|grams?|kilos?|kilograms?|tons?)\b/i],
  [new RegExp(`\\bhow high\\b.*${MONEY_NOUN}`, "i"), AMOUNT],
  [
    new RegExp(`\\bhow (?:wide|tall|deep|thick|high(?!.*${MONEY_NOUN}))\\b`, "i"),
    /\d.*(?:\b|\d)(?:mm|cm|m|metres?|meters?|km|inch(?:es)?)\b/is,
  ],
  [
    /\bhow (?:large|big)\b/i,
    /\d.*(?:\b|\d)(?:mm|cm|m|metres?|meters?|km|litres?|liters?|inch(?:es)?)\b|\bsizes?\b/is,
  ],
  [
    /\bhow old\b|\b(?:what|which) age\b/i,
    /\byears?\b|\b(?:19|20)\d\d\b|\b(?:age|aged|under|over|at least|from)\b[^.;]*(?:\d|\b(?:five|six|seven|eight|nine|ten|eleven|twelve)\b)|\d+ or (?:older|over|younger)/i,
  ],
  [/\bhow (?:hot|cold|warm)\b|\b(?:what|which) temperature\b/i, /\bdegrees?\b|°/i],
  [/\bhow far\b(?! (?:in advance|ahead))/i, /\d.*\b(?:km|kilomet(?:re|er)s?|metres?|meters?|miles?)\b/is],
  [/\bhow often\b/i, /\d|\b(?:once|twice|times?|attempts?|daily|weekly|monthly|yearly|every)\b/i],
  [/\bhow (?:much|many|expensive)\b/i, NUMBER],
  [
    /\bhow (?:much|expensive)\b.*\b(?:fees?|costs?|prices?|charges?|charged?|deposits?|fines?|pays?|paid|salary|wages?)\b/i,
    AMOUNT,
  ],
  [
    /\bminimum\b/i,
    /\b(?:minimum|at least|no (?:less|fewer|younger|shorter) than|or (?:older|more|over)|and (?:over|older))\b/i,
  ],
  [
    /\bmaximum\b/i,
    /\b(?:maximum|at most|up to|no (?:more|longer|older) than|not (?:exceed|more)|never|limit(?:ed)?|or (?:less|fewer|younger))\b/i,
  ],
  [/\b(?:minimum|maximum)\b/i, NUMBER],
  [/\b(?:what|which) (?:percentage|percent|share|proportion)\b/i, /%|\bpercent\b/i],
  [
    /\bwhen\b/i,
    new RegExp(
      `\\d|${TIME.source}|${MONTH.source}|${WEEKDAY.source}|\\b(?:before|after|first|once|until|if)\\b`,
      "i",
    ),
  ],
  [/\bwhy\b/i, /\b(?:because|since|so that|due to|reason)\b|,\s+for\s/i],
];
const DENIAL = /\b(?:no|not|never|none|without|cannot|can't|doesn't|isn't|neither|nor)\b/i;
const YES_OR_NO = /^\s*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had)\b/i;

/** `Vendor A has no module` is no answer to `which vendor has a module`; that there is no fee is one to `what is the fee`. */
function isDenied(text: string, { question, words }: Look): boolean {
  if (DENIAL.test(question) || YES_OR_NO.test(question) || /^There (?:is|are|was|were) no\b/.test(text))
    return false;
  if (/\bhow (?:much|many)\b/i.test(question)) return false;
  // `not for more than three months` is a limit.
  const isLimit = /\b(?:not|never)\b[^.;]{0,30}\b(?:more|longer|later|older|earlier|less|fewer) than\b/i.test(
    text,
  );
  if (isLimit && /\bhow (?:long|old|late|early|far|high|big|large)\b/i.test(question)) return false;
  const affirmed = partsOf(text)
    .map((part) => part.split(DENIAL, 1)[0] ?? "")
    .join("; ");
  return words.some((word) => occurs(word, text) && !occurs(word, affirmed));
}

/** `unless the goods were faulty`: of what is excepted a sentence says the opposite, which only answers yes or no. */
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

/** What `half a litre` takes is not what a litre takes. */
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

/** Of the parts of a sentence, the one with the measure has what is measured, or goes on about the sentence's subject. */
function isMeasuredThere(text: string, { question, words }: Look): boolean {
  const isMeasure =
    /\bhow (?:heavy|much|many|long|large|big|wide|tall|deep|high|old|far|fast)\b|\b(?:weigh|weight|cost|price)s?\b/i;
  if (!isMeasure.test(question)) return true;
  const parts = partsOf(text);
  const subject = text.split(/\s+/, 4).join(" ");
  const own = words.filter((word) => occurs(word, text));
  return parts.some(
    (part) => NUMBER.test(part) && own.every((word) => occurs(word, part) || occurs(word, subject)),
  );
}

function partsOf(text: string): readonly string[] {
  return text.split(
    /;\s+|(?<=[.!?])\s+|,\s+(?:and|but)\s+|\s+and\s+(?=\p{Ll}+s\s|must\b|can\b|does\b|is\b)/u,
  );
}

/** Who does something is its subject, or stands behind `by` or `of`; the things of the question are not. */
function namesWho(text: string, { question, words }: Look): boolean {
  if (!/\bwho(?:m|se)?\b/i.test(question)) return true;
  const isNew = (phrase: string) =>
    (normal(phrase).match(/\p{L}{2,}/gu) ?? []).some(
      (other) => !ASKING.has(other.toLowerCase()) && !words.some((word) => occurs(word, other)),
    );
  // A list of topics has no subject, and what is done (`training`) is nobody who does it.
  if (LABELLED.test(text)) return false;
  return partsOf(text).some((part) => {
    const at = firstPlace(part, words);
    const behind = /\b(?:by|of)\s+((?:an?\s+|the\s+)?\p{L}+(?:\s\p{L}+)?)/iu.exec(part.slice(at))?.[1] ?? "";
    // `The chair of the board is Patricia Lyle.`
    const called =
      /\b(?:is|are|was|were)\s+(\p{Lu}[\p{L}.'-]+(?:\s\p{Lu}[\p{L}.'-]+)*)/u.exec(part.slice(at))?.[1] ?? "";
    return isNew(part.slice(0, at)) || isNew(behind) || isNew(called);
  });
}

/** Which one of several it is: a name, a number or a word beside its noun, and not `the laboratory` alone. */
function namesWhich(text: string, { question, words }: Look): boolean {
  const noun = /^\s*(?:(?:at|by|for|from|in|on|to|with)\s+)?which\s+(\p{Ll}{3,}[^s\s])\s/iu.exec(
    normal(question),
  )?.[1];
  if (noun === undefined || !words.some((word) => root(word.text) === root(noun))) return true;
  const parts = normal(text).match(/[\p{L}\p{N}]+|[.,;:!?]/gu) ?? [];
  // Where the title has it, the passage is about one.
  if (!parts.some((word) => root(word) === root(noun))) return true;
  return parts.some((word, index) => {
    if (root(word) !== root(noun)) return false;
    const [before = "", after = ""] = [parts[index - 1], parts[index + 1]];
    const isSaidOf = /^(?:\p{Lu}|\d)/u.test(after) || /^(?:is|are|was|were|of|called|named|:)$/i.test(after);
    const isKnown =
      ASKING.has(before.toLowerCase()) || words.some((own) => occurs(own, before)) || !/\p{L}/u.test(before);
    return isSaidOf || !(isKnown || /^(?:each|every|no|another|same|only|main)$/i.test(before));
  });
}

function firstPlace(text: string, words: readonly Word[]): number {
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) =>
    words.some((wanted) => occurs(wanted, word)),
  );
  return found?.index ?? text.length;
}

/** An item of a list, such as `Starter: 49 euros a month`. */
export const LABELLED = /^[\p{Lu}\p{N}][\p{L}\p{N} ]{0,24}:\s/u;

const MATERIAL =
  /\b(?:wool|cotton|linen|silk|leather|nylon|polyester|polyamide|fleece|down|feathers?|rubber|plastic|wood|bamboo|steel|iron|alumini?um|titanium|copper|glass|ceramic|paper|cardboard|gold|silver|stone)\b/giu;

/** What a thing is made of is a material that the sentence says it is, and that is not a part of its name. */
function namesMaterial(text: string, { question, words }: Look): boolean {
  if (!/\bmade (?:of|from|out of)\b|\b(?:what|which) material\b/i.test(question)) return true;
  const said = /\b(?:is|are|made (?:of|from))\s+(?!filled)([^.;]*)/i.exec(text)?.[1] ?? "";
  return [...said.matchAll(MATERIAL)].some(([material]) => !words.some((word) => occurs(word, material)));
}

/** A place stands behind a preposition, and is not one of the words of the question. */
function namesWhere(text: string, { question, words }: Look): boolean {
  if (!/^\s*where\b/i.test(question)) return true;
  const places = [
    ...text.matchAll(
      /\b(?:at|in|into|on|near|inside|outside|beside|behind|opposite|above|below|under|from|to)\s+(?:the\s+|an?\s+|its\s+|our\s+)?(\p{L}{3,})/giu,
    ),
  ];
  return places.some(([, noun = ""]) => !TIME.test(noun) && !words.some((word) => occurs(word, noun)));
}

/** What `how many` asks the number of. */
function countedNoun(question: string): string | null {
  const after = /\bhow many\s+(.{1,80})/i.exec(normal(question))?.[1] ?? "";
  return (after.match(/[\p{L}]+/gu) ?? []).find((word) => !ASKING.has(word.toLowerCase())) ?? null;
}

/** Whether a number stands right in front of the noun: `28 days`, `up to 5,000 orders`. */
function isCounted(noun: string, text: string): boolean {
  // A number of another sentence or clause counts something else.
  const words = normal(text).match(/[\p{L}]+|\d[\d.,]*\d|\d|[.,;:!?]/gu) ?? [];
  return words.some(
    (word, index) => root(word) === root(noun) && isNumberNear(words.slice(Math.max(0, index - 2), index)),
  );
}

function isNumberNear(before: readonly string[]): boolean {
  const at = before.findLastIndex((word) => NUMBER.test(word));
  return at >= 0 && before.slice(at).every((word) => !/^[.,;:!?]$/.test(word));
}
