/** Whether a passage states who does something. */
import type { Look } from "./answer-kind.ts";
import { ASKING, normal, occurs, type Word } from "./passage-words.ts";
import { LABELLED, partsOf } from "./sentences.ts";

/** The person who does something is the subject, or follows `by` or `of`; the question's own things are not. */
export function namesWho(text: string, { question, words }: Look): boolean {
  if (!/\bwho(?:m|se)?\b/i.test(question)) return true;
  const isNew = (phrase: string) =>
    (normal(phrase).match(/\p{L}{2,}/gu) ?? []).some(
      (other) => !ASKING.has(other.toLowerCase()) && !words.some((word) => occurs(word, other)),
    );
  // A list of topics has no subject, and an activity (`training`) is not a person.
  if (LABELLED.test(text)) return false;
  if (HOLDS.some(([asked, told]) => asked.test(question) && !told.test(normal(text)))) return false;
  const asksDoer = !/\bwho(?:m|se)?\s+(?:is|are|was|were|gets?|be)\b/i.test(question);
  const said = words.filter((word) => word.isSoft !== true && occurs(word, text));
  return partsOf(text).some((part) => {
    // `Books go for 50p each, and Peter brings the tables.`: one part must state who brings what.
    if (!STANDS_FOR.test(text) && !said.every((word) => occurs(word, part))) return false;
    const at = firstPlace(part, words);
    // A part without any of the words is about something else.
    if (at === part.length) return false;
    const behind =
      /\b(?:by|of)\s+((?:an?\s+|the\s+|our\s+|your\s+)?\p{L}+)/iu.exec(part.slice(at))?.[1] ?? "";
    // `The chair of the board is Patricia Lyle.`
    const called =
      /\b(?:is|are|was|were)\s+(\p{Lu}[\p{L}.'-]+(?:\s\p{Lu}[\p{L}.'-]+)*)/u.exec(part.slice(at))?.[1] ?? "";
    if (asksDoer && isTurned(part, { question, words: said }))
      return BY_SOMEBODY.test(part) || OF_SOMEBODY.test(part);
    if (asksDoer && (isPassive(part, words) || isGiven(part, question))) return BY_SOMEBODY.test(part);
    // `On Thursdays …` is a time, not a person.
    const subject = part.slice(0, at).replace(ADVERBIAL, "");
    return isNew(subject) || isNew(behind) || isNew(called);
  });
}

/** `A lost key costs £35` does not state who has a key: a verb must state what someone has or needs. */
const HOLDS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\bwho(?:m)? (?:is|are|was|were) (?:offered|given|provided)\b/i,
    /\b(?:offer|giv|gave|provid|get)\p{L}*\b/iu,
  ],
  [
    /\bwho (?:gives?|gave|provides?|provided|offers?|offered)\b/i,
    /\b(?:giv(?:es?|en|ing)|gave|provid\p{L}+|offer\p{L}*|runs?|teach(?:es)?|taught|leads?|led|holds?|held|by|of)\b/iu,
  ],
  [
    /\bwho (?:has|have|had)\b(?! to\b)/i,
    /\b(?:(?:has|have|had)\b(?! (?:to|been)\b)|holds?|held|keeps?|kept|owns?|gets?|got|given|carr(?:y|ies))\b/i,
  ],
  [
    /\bwho (?:needs?\b|(?:has|have) to\b|must\b)/i,
    /\b(?:needs?|needed|musts?|has to|have to|requires?|required|obliged|compulsory|mandatory|shall|should)\b/i,
  ],
];

/** `Boxes are packed on Thursdays` does not state who packs them. */
function isPassive(part: string, words: readonly Word[]): boolean {
  const verb =
    /\b(?:is|are|was|were|be|been|being)\s+(?:(?:only|always|\p{L}+ly)\s+)?(\p{L}+(?:ed|en|t|n|ld|de|ght))\b/iu.exec(
      part,
    )?.[1];
  return verb !== undefined && words.some((word) => occurs(word, verb));
}

/** Words that can replace a word of the previous part. */
const STANDS_FOR = /\b(?:he|she|it|they|him|them|his|her|its|their|this|that|these|those|ones?)\b/i;

/** `need the approval of a team lead` */
const OF_SOMEBODY = /\b(?:need|require|with|without|subject to)s?\b.*\bof\s+(?:an?|the|our)\s+\p{L}/iu;

const WHO_VERB =
  /\bwho\s+(?:(?:can|may|must|will|should|would|did|has|have|had|always|usually|also|normally)\s+)*(\p{L}+)/iu;

/** `The hall is left clean`: the action follows its object, so no one is named as doing it. */
function isTurned(
  part: string,
  { question, words }: { readonly question: string; readonly words: readonly Word[] },
): boolean {
  const verb = WHO_VERB.exec(question)?.[1];
  const done = words.find((word) => verb !== undefined && occurs(word, verb));
  const others = words.filter((word) => word !== done);
  if (done === undefined || others.length === 0 || STANDS_FOR.test(part)) return false;
  const at = firstPlace(part, [done]);
  return others.every((word) => firstPlace(part, [word]) < at);
}

/** The same for verbs with too little meaning to search for: `a written estimate is given`. */
function isGiven(part: string, question: string): boolean {
  return (
    /\bwho\s+(?:gives?|gave|provides?|offers?|makes?|takes?|gets?)\b/i.test(question) &&
    /\b(?:is|are|was|were)\s+(?:given|provided|offered|made|taken)\b/i.test(part)
  );
}

const BY_SOMEBODY =
  /\bby\s+(?!(?:hand|car|post|e-?mail|phone|bus|van|train|bicycle|bike|air|sea|ship|courier|noon|midnight|then|\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December|the (?:end|\d))\b)\p{L}/iu;
const ADVERBIAL = /^(?:in|on|at|for|from|after|before|during|if|when|with|until|every|each)\b[^,]*(?:,|$)/i;

function firstPlace(text: string, words: readonly Word[]): number {
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) =>
    words.some((wanted) => occurs(wanted, word)),
  );
  return found?.index ?? text.length;
}
