/** Phrases that say one thing in several words, each put as one word: in questions and passages alike, so that they meet. */

const OWN = "(?:(?:my|our|your|their|his|her|the|any|some|all|of) )*";
const SUM = "(?:fee|deposit|price|money|amount|sum|cost|charge|payment|rent|fare)s?";
const IS = "(?: (?:is|are|was|were|be|been|being|will|gets?|has|have|not|only|fully|then|can|may|must))*";
const FETCH =
  "(?:bring|brings|brought|bringing|take|takes|taken|taking|give|gives|given|send|sends|sent|hand|handed)";
const SHORT = "((?:[^\\s.,;]+ ){0,4}?)";

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

/** A text with each of these phrases as its one word. */
export function withoutPhrases(text: string): string {
  return PHRASES.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text).replace(/ {2,}/g, " ");
}
