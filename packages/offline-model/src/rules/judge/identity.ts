/** Whether a passage states who or what something is, and not only what is done with it. */
import { NUMBER } from "./expected.ts";

const ARTICLE = "(?:the|our|your)";
/** The last word of a question that asks for more than an identity: `who is the room for`, `who is the hall used by`. */
const SAID_OF = /(?:ed|en|ing)$|^(?:for|by|with|to|from|about|responsible|allowed|able|exempt|free)$/i;
const NAME = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}.'’-]*)\s\p{Lu}[\p{L}'’-]+/gu;
const NO_NAME = /^(?:the|an?|our|your|this|that|these|all|any|each|every|no|on|in|at|from|if|when|for|by)$/i;

/** `who is the duty officer` needs a name or `… is the duty officer`; `report it to the duty officer` does not answer it. */
export function saysWhoItIs(text: string, question: string): boolean {
  const asked = askedFor("who", question);
  if (asked === undefined || SAID_OF.test(asked.split(/\s+/).at(-1) ?? "")) return true;
  const names = [...text.matchAll(NAME)].filter(
    ([name, first = ""]) => !NO_NAME.test(first) && !question.includes(name),
  );
  return names.length > 0 || isSaidToBe(nounOf(asked), text);
}

/** `the code for the gate` of `what is the code for the gate?`. */
function askedFor(word: "who" | "what", question: string): string | undefined {
  return new RegExp(`^\\s*${word} (?:is|are|was|were) ${ARTICLE} (.+?)\\s*\\??$`, "iu").exec(question)?.[1];
}

/** `code` of `code for the gate`. */
function nounOf(thing: string): string {
  const [head = ""] = thing.split(/\s+(?:of|for|at|in|on|to|from|with|by|per|when|if|after|before)\s+/iu, 1);
  return head.split(/\s+/).at(-1) ?? "";
}

/** `Ola Brandt is the treasurer`. */
export function isSaidToBe(noun: string, text: string): boolean {
  return new RegExp(
    `\\b(?:is|are|was|were|acts as|serves as)\\s+(?:also\\s+)?${ARTICLE}\\s+(?:\\p{L}+\\s+){0,3}${RegExp.escape(noun)}\\b`,
    "iu",
  ).test(text);
}

/** With these, a sentence states what something is even in the passive. */
const TELLS =
  /^(?:set|fixed|limited|charged|raised|increased|reduced|lowered|agreed|capped|called|named|located|based|made|composed|paid|priced|estimated|planned|expected|taken|reached)$/i;

const VERBS =
  "is|are|was|were|be|lies?|stands?|means?|covers?|includes?|consists?|comes?|has|have|had|starts?|begins?|ends?|runs?|applies|takes|belongs";

/** `what is the safe code`: that the code is changed every quarter does not say what it is. */
export function saysWhatItIs(text: string, question: string): boolean {
  const asked = askedFor("what", question);
  if (asked === undefined) return true;
  const noun = RegExp.escape(nounOf(asked));
  const done = new RegExp(
    `\\b${noun}\\b(?:\\s+(?:of|for|to|from|at|in)(?:\\s+[\\p{L}\\p{N}]+){1,5}?)?\\s+(?:is|are|was|were|will be|must be|can be|may be|has been|have been)\\s+(?:(?:not|only|always|then|also|\\p{L}+ly)\\s+)?(\\p{L}+(?:ed|en|wn|ld|nt|pt))\\b`,
    "iu",
  ).exec(text)?.[1];
  if (done !== undefined) return TELLS.test(done);
  // `the code is on the back of your badge`
  const isSomewhere = new RegExp(
    `\\b${noun}s?\\s+(?:is|are|was|were)\\s+(?:on|in|at|behind|under|beside|with)\\b`,
    "iu",
  );
  if (isSomewhere.test(text) && !NUMBER.test(text)) return false;
  const said = new RegExp(
    `\\b${noun}s?\\b[^.;]*?\\b(?:${VERBS})\\b|\\b(?:is|are|was|were|called|named)\\s+(?:\\S+\\s+){0,3}${noun}s?\\b|\\b${noun}s?(?:\\s*:|\\s+of\\b)`,
    "iu",
  );
  if (said.test(text)) return true;
  // `to discuss a matter`, `at 8:10`: it is mentioned, not stated.
  const isMentioned = new RegExp(`\\ban?\\s+(?:\\S+\\s+){0,2}${noun}\\b`, "iu").test(text);
  return !isMentioned && (NUMBER.test(text) || !new RegExp(`\\b${noun}`, "iu").test(text));
}
