/** Words of questions and passages as they are compared: by their roots, with close synonyms, and names as a unit. */

import { meansSame, root } from "./same-words.ts";

const OWN = "(?:(?:my|our|your|their|his|her|the|any|some|all|of) )*";
const SUM = "(?:fee|deposit|price|money|amount|sum|cost|charge|payment|rent|fare)s?";
const IS = "(?: (?:is|are|was|were|be|been|being|will|gets?|has|have|not|only|fully|then|can|may|must))*";
const FETCH =
  "(?:bring|brings|brought|bringing|take|takes|taken|taking|give|gives|given|send|sends|sent|hand|handed)";
const SHORT = "((?:[^\\s.,;]+ ){0,4}?)";

/** Words of asking, grammar and politeness: a passage need not contain them. */
export const ASKING = new Set(
  `a about according an and any are as at be been being both by can could did do does doing document documents for from
   gave get gets getting give given gives go got had has have having he her his how i in into is it its just know let
   may me might must my need needs of offer offered offers on or our out own per please policy policies provide
   provides provided say says shall she should show so some tell than that the their them there these they this those to
   up us want was we were what when where which who whom whose why will with would you your s find search explain
   describe include includes included including contain contains information info details happen happens happened there's docs documentation long far often soon exactly`.match(
    /\S+/g,
  ),
);

export type Word = {
  readonly text: string;
  readonly isName: boolean;
  /** Words that the passage need not contain if it contains the rest: `take` in `what does it cost to take a bicycle`. */
  readonly isSoft?: true;
};

const MONEY = /[€$£]\s?\d/;
const MONEY_ROOT = root("cost");

export function occurs({ text: word, isName }: Word, passage: string): boolean {
  const text = normal(passage);
  if (isName) {
    const parts = word
      .split(" ")
      .map((part) => RegExp.escape(part.length > 3 ? part.replace(/s$/, "") : part));
    return new RegExp(`(?<![\\p{L}\\p{N}])${parts.join("s? ")}s?(?![\\p{L}\\p{N}])`, "iu").test(text);
  }
  if (/^\d/.test(word)) return new RegExp(`(?<![\\d.,])${RegExp.escape(word)}(?![\\d]|[.,]\\d)`).test(text);
  const wanted = root(word);
  if (MONEY.test(text) && meansSame(wanted, MONEY_ROOT)) return true;
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).some((other) => {
    return meansSame(wanted, root(other));
  });
}

export function normal(text: string): string {
  const plain = text
    .replace(/[’]/g, "'")
    .replace(/'s\b/g, "")
    .replace(/\be-?mail/gi, "email")
    .replace(/\bset[- ]up\b/gi, "setup")
    .replace(/(?<=\p{L})-(?=\p{L})/gu, " ");
  return withoutPhrases(plain);
}

/** Phrases with one meaning in several words, each replaced by one word, in questions and passages alike. */
const PHRASES: readonly (readonly [RegExp, string])[] = (
  [
    [`(?:get|gets|getting|got|have|want|receive)? ?${OWN}money back`, " refund"],
    [`(?:get|gets|getting|receive) ${OWN}(${SUM}) back`, "$1 refunded"],
    ["(?:paid|pay|pays|paying) (?:(?:it|them) )?back|reimbursed?", "refunded"],
    [`(${SUM})${IS} (?:returned|given back)`, "$1 refunded"],
    [`(?:return|returns|refund|refunds|give back) ${OWN}(?:full )?(${SUM})`, "refunded $1"],
    [
      "free of (?:charge|cost)|for free|at no (?:extra |additional )?(?:charge|cost)|pays? nothing|without (?:any |a |extra )?(?:charge|costs?|fees?|payment|paying)(?: (?:anything|for it|extra|a fee|any fee|fees))?",
      "free",
    ],
    ["pick(?:s|ed|ing)? up", "collect"],
    [`pick(?:s|ed|ing)? ${SHORT}up`, "collect $1"],
    [`${FETCH} ${SHORT}back`, "return $1"],
    ["(?:go|goes|going|went|gone) up", "rise"],
    ["(?:go|goes|going|went|gone) down", "fall"],
    ["call(?:s|ed|ing)? off", "cancel"],
    ["sign(?:s|ed|ing)? up", "register"],
    ["more than|over(?= [€$£]?\\d)|above(?= [€$£]?\\d)", "above"],
    ["(?:less|fewer) than|under(?= [€$£]?\\d)|below(?= [€$£]?\\d)", "below"],
    ["in advance|ahead of time|beforehand", "ahead"],
    ["check[- ]in", "checkin"],
  ] as const
).map(([pattern, word]) => [new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu"), word]);

/** A text with each of these phrases replaced by its word. */
function withoutPhrases(text: string): string {
  return PHRASES.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text).replace(/ {2,}/g, " ");
}
