/** The words that a passage must account for: without those that only ask, and with optional ones marked. */
import { ASKING, normal, type Word } from "./passage-words.ts";

/** These are words that a passage paraphrases; `answer-kind.ts` defines what it must contain instead. */
const FRAMES: readonly (readonly [RegExp, string])[] = [
  [/\bhow heavy\b/gi, "weigh"],
  [/\bnumber of\b/gi, ""],
  [/\bhow expensive\b/gi, "cost"],
  [/\b(how (?:long|many)\b.*)\blasts?\b/gi, "$1"],
  [
    /\b(how long\b.*)\b(?:in (?:kilomet(?:re|er)s|met(?:re|er)s|miles|minutes|hours|days|weeks|months))\b/gi,
    "$1",
  ],
  [/\b(how (?:quick(?:ly)?|fast|soon|long)\b.*)\bafter\b/gi, "$1"],
  [/\bhow (?:quick(?:ly)?|fast)\b/gi, ""],
  [/\bhow (?:far|long) ahead\b/gi, ""],
  [/\bhow (?:large|big|high|old|tall|wide|deep|thick|hot|cold|warm|long|much|many|often|soon|far)\b/gi, ""],
  // `until when`, `from what time`, `up to how many days`.
  [
    /(?:^|(?<=[,;]\s*(?:and\s+)?))\s*(?:until|till|up to|by|from|since|within|for|on|in|at|to|of|with|above|over|below|under)\s+(?=(?:what|which|when)\b)/gi,
    "",
  ],
  [
    /^\s*(?:up to|for|within|by|in|after|on)\s+(?=(?:days?|weeks?|months?|years?|hours?|minutes?|people|persons)\b)/gi,
    "",
  ],
  [/\b(?:what|which) temperature\b/gi, ""],
  [/\b(?:what|which) amount\b/gi, ""],
  [/\b(?:minimum|maximum)\b/gi, ""],
  [/\b(?:(?:each|every|per) )?(?:whole |entire )?(?=(?:day|night|week|month|year|hour)\b)/gi, ""],
  [/\b(?:what|which) (\p{L}+ )?(?:value|sum)\b/giu, "$1"],
  [/\bat (?:the )?(?:most|least|latest|earliest)\b/gi, ""],
  [
    /\b(?:what|which) (?:days? of the (?:week|month)|weekdays?|months?|time|days|day(?= (?:do|does|is|are|can|may|must|should|will)\b)|dates?|age)\b/gi,
    "",
  ],
  [/\b(?:what|which) languages?\b/gi, ""],
  [/\b(?:is|are) used (?=for|to|in)\b/gi, ""],
  [/\btakes? place\b/gi, ""],
  [/\bmade (?:of|from|out of)\b|\b(?:what|which) material\b/gi, ""],
  [/\bwhat happens (?:if|when)\b/gi, ""],
  [/\ballowed to (?:bring|take|use|have)\b/gi, "allowed"],
  [/\b(?:want|wants|wish|wishes|like|likes|able|supposed|going) to\b/gi, ""],
  [/\bhow do(?:es)? (?:i|you|we|one)\b/gi, ""],
  [/\b(?:would|'d) like\b|\bfor how (?:long|many)\b/gi, ""],
  [/\b(?:one|each|any|all) of (?=(?:our|your|the|my|these|those)\b)/gi, ""],
  [/\b(?:him|her|it|them|your|our|my)sel(?:f|ves)\b/gi, ""],
  [/\b(?:whether|if)\b|\botherwise\s*[?.]?\s*$/gi, ""],
];

/** The words of a question that a passage must account for, each once. */
export function wordsToAccountFor(question: string): readonly Word[] {
  const text = FRAMES.reduce((rest, [pattern, word]) => rest.replace(pattern, word), normal(question));
  const names = [...text.matchAll(/\b(\p{L}{3,})s?\s(?!I\b)(\p{Lu})(?![\p{L}\p{N}])/gu)].map((match) => ({
    text: `${match[1] ?? ""} ${match[2] ?? ""}`,
    isName: true,
  }));
  names.push(...longNames(text).map((name) => ({ text: name, isName: true })));
  const rest = names.reduce((left, { text: name }) => left.replace(name, " "), text);
  const plain = (rest.match(/[\p{L}\p{N}][\p{L}\p{N}.,]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? [])
    .map((word) => word.replace(/['’]s$/u, ""))
    // The month, unless it is the first word: `May I …`.
    .filter((word) => (word === "May" && !/^\s*May\b/.test(text)) || !ASKING.has(word.toLowerCase()))
    .map((word) => ({ text: word, isName: false }));
  const words = [...new Map([...names, ...plain].map((word) => [word.text.toLowerCase(), word])).values()];
  return withSoftOnes(words, normal(question));
}

/** `Summit Backpack`: consecutive capitalized words are one name, and do not count separately. */
function longNames(text: string): readonly string[] {
  const found = text.match(/\p{Lu}[\p{Ll}\p{Lu}]+(?:\s(?:&\s)?\p{Lu}[\p{Ll}\p{Lu}]+)+/gu) ?? [];
  return found
    .map((name) =>
      name
        .split(" ")
        .filter((word, index) => index > 0 || !ASKING.has(word.toLowerCase()))
        .join(" "),
    )
    .filter((name) => name.includes(" "));
}

/** Verbs that add nothing to the thing and its rule: `what does it cost to take a bicycle`. */
const GENERAL_VERBS =
  /^(?:take|takes|taking|bring|brings|use|uses|using|come|comes|wear|wears|stay|stays|apply|applies)$/i;
/** Followed by one of these, a verb has its own meaning, and so does a noun. */
const PARTICLE = "(?:back|off|over|out|up|away|down|part|care|place)";
const ARTICLE = "(?:the|a|an|of|our|your|this|that|for|in|no)";
/** The audience of a document's rules: it uses `you`, or nothing. */
export const ACTORS =
  /^(?:customers?|clients?|guests?|visitors?|users?|passengers?|learners?|tenants?|readers?|borrowers?|people|persons?|someone|somebody|anyone|anybody|everyone|everybody)$/i;
const BEFORE_ACTOR = "(?:may|can|could|must|should|do|does|did|will|would|have|has|is|are|if|when|whether)";

/** Marks optional words: a verb if two others are left, the audience if one is. */
function withSoftOnes(words: readonly Word[], question: string): readonly Word[] {
  const actors = new Set(words.filter(({ text, isName }) => !isName && isActor(text, question)));
  const verbs = new Set(words.filter(({ text, isName }) => !isName && isGeneralVerb(text, question)));
  const hard = words.length - actors.size - verbs.size;
  // `What time may visitors come on a Sunday?`: a verb and its subject are not both optional if only one word remains.
  const isSpare = hard >= 2 || verbs.size === 0;
  return words.map((word) =>
    (verbs.has(word) && hard + actors.size >= 2) || (actors.has(word) && hard >= 1 && isSpare)
      ? { ...word, isSoft: true }
      : word,
  );
}

function isGeneralVerb(text: string, question: string): boolean {
  if (!GENERAL_VERBS.test(text)) return false;
  const verb = RegExp.escape(text);
  const isNoun = new RegExp(`\\b${ARTICLE}\\s+${verb}\\b`, "iu").test(question);
  return !isNoun && !new RegExp(`\\b${verb}\\s+(?:\\S+\\s+){0,3}${PARTICLE}\\b`, "iu").test(question);
}

/** The subject of the question, followed by its verb. */
function isActor(text: string, question: string): boolean {
  return (
    ACTORS.test(text) &&
    new RegExp(
      `\\b${BEFORE_ACTOR}\\s+(?:an?\\s+|the\\s+|our\\s+|your\\s+|any\\s+|all\\s+)?${RegExp.escape(text)}\\s+\\p{Ll}`,
      "iu",
    ).test(question)
  );
}
