/**
 * Whether a passage answers a question.
 *
 * - Every content word of the question occurs in one or two of its sentences, or in a title that these sentences are about.
 * - The sentences hold the kind of thing that is asked for: a number with its noun, a duration, a person, a place, a reason.
 * - They do not deny what the question takes for granted, and what they measure is what the question is about.
 */
import { shorten } from "../text/format-value.ts";
import { isOfItsKind, LABELLED, type Look } from "./answer-kind.ts";
import { ASKING, normal, occurs, type Word } from "./passage-words.ts";
import { type Hit, titlePartsOf, titleWords } from "./read-output.ts";

/** These ask with an adjective or verb that the passage says in another way. */
const MEASURES: readonly (readonly [RegExp, string])[] = [
  [/\bhow heavy\b/gi, "weigh"],
  [/\bhow expensive\b/gi, "cost"],
  [/\b(how (?:long|many)\b.*)\blasts?\b/gi, "$1"],
  [
    /\b(how long\b.*)\b(?:in (?:kilomet(?:re|er)s|met(?:re|er)s|miles|minutes|hours|days|weeks|months))\b/gi,
    "$1",
  ],
  [/\b(how (?:quick(?:ly)?|fast|soon|long)\b.*)\bafter\b/gi, "$1"],
  [/\bhow (?:quick(?:ly)?|fast)\b/gi, ""],
  [/\bhow (?:large|big|high|old|tall|wide|deep|thick|hot|cold|warm|long|much|many|often|soon|far)\b/gi, ""],
  [/\b(?:what|which) temperature\b/gi, ""],
  [/\b(?:up to )?what amount\b/gi, ""],
  [/\b(?:minimum|maximum)\b/gi, ""],
  [/\b(?:what|which) (?:day of the week|weekdays?|months?|time)\b/gi, ""],
  [/\b(?:what|which) languages?\b/gi, ""],
  [/\b(?:is|are) used (?=for|to|in)\b/gi, ""],
  [/\btakes? place\b/gi, ""],
  [/\bmade (?:of|from|out of)\b|\b(?:what|which) material\b/gi, ""],
  [/\bwhat happens (?:if|when)\b/gi, ""],
  [/\ballowed to (?:bring|take|use|have)\b/gi, "allowed"],
  [/\bhow do(?:es)? (?:i|you|we|one)\b/gi, ""],
  [/\b(?:would|'d) like\b|\bfor how (?:long|many)\b/gi, ""],
];

/** The words of a question that a passage has to account for, each once. */
export function wordsToAccountFor(question: string): readonly Word[] {
  const text = MEASURES.reduce((rest, [pattern, word]) => rest.replace(pattern, word), normal(question));
  const names = [...text.matchAll(/\b(\p{L}{3,})s?\s(?!I\b)(\p{Lu})(?![\p{L}\p{N}])/gu)].map((match) => ({
    text: `${match[1] ?? ""} ${match[2] ?? ""}`,
    isName: true,
  }));
  names.push(...longNames(text).map((name) => ({ text: name, isName: true })));
  const rest = names.reduce((left, { text: name }) => left.replace(name, " "), text);
  const plain = (rest.match(/[\p{L}\p{N}][\p{L}\p{N}.,]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? [])
    .map((word) => word.replace(/['’]s$/u, ""))
    .filter((word) => word === "May" || !ASKING.has(word.toLowerCase()))
    .map((word) => ({ text: word, isName: false }));
  return [...new Map([...names, ...plain].map((word) => [word.text.toLowerCase(), word])).values()];
}

/** `Summit Backpack`: capitals that follow one another are one name, and its words do not count apart. */
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

export type Quotation = {
  readonly hit: Hit;
  readonly text: string;
  readonly sentences: number;
  /** Some words stand in the title only. */
  readonly needsTitle: boolean;
  /** How many of all words of the question the stretch itself has, also those that only ask. */
  readonly shared: number;
};

/** The shortest stretches of the passages that account for the whole question, the best passage's first. */
export function quotationsFor(question: string, hits: readonly Hit[]): readonly Quotation[] {
  const words = wordsToAccountFor(question);
  if (words.length === 0) return [];
  const found = hits.flatMap((hit) => stretchesOf(hit, words, question));
  const shortest = Math.min(...found.map(({ sentences }) => sentences));
  const kept = found.filter(({ sentences }) => sentences === shortest);
  // Who says all of it himself answers better than who only stands under the right title.
  const own = kept.filter(({ needsTitle }) => !needsTitle);
  const best = (own.length > 0 ? own : kept).toSorted((one, other) => other.shared - one.shared);
  // Of a topic every passage says something; a question is answered by the one that shares most with it.
  return words.length === 1 ? best : best.filter(({ shared }) => shared === best[0]?.shared);
}

/** The words that the passage nearest to the question does not have. */
export function missingWords(question: string, hits: readonly Hit[]): readonly string[] {
  const words = wordsToAccountFor(question);
  const missing = hits.map((hit) =>
    words.filter((word) => !occurs(word, `${titleWords(hit)} ${hit.snippet}`)),
  );
  const least = missing.toSorted((a, b) => a.length - b.length)[0] ?? words;
  return least.map(({ text }) => text);
}

/** A stretch of a plain text that accounts for the question; null when none does. */
export function stretchIn(text: string, question: string): string | null {
  return (
    stretchesOf({ path: "", title: "", snippet: text }, wordsToAccountFor(question), question)[0]?.text ??
    null
  );
}

function stretchesOf(hit: Hit, words: readonly Word[], question: string): readonly Quotation[] {
  const sentences = sentencesOf(hit.snippet);
  const look: Look = { question, words, titles: titlePartsOf(hit), house: titleWords(hit) };
  const spoken = [
    ...new Set((normal(question).match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => word.toLowerCase())),
  ];
  for (const count of [1, 2]) {
    const found: Quotation[] = [];
    for (let start = 0; start + count <= sentences.length; start++) {
      // Two sentences belong together when the second one goes on about the first one's subject.
      if (count === 2 && !/^(?:It|Its|They|Their|This|These|Both|He|She)\b/.test(sentences[start + 1] ?? ""))
        continue;
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

function answers(text: string, look: Look): boolean {
  return hasEveryWord(text, look) && isAboutItsOnlyWord(text, look) && isOfItsKind(text, look);
}

/** A sentence without a subject of its own is about its title; beside one, the title only says where: `… at Vendor A`. */
function hasEveryWord(text: string, { question, words, titles, house }: Look): boolean {
  if (!words.some((word) => occurs(word, text))) return false;
  const isAboutTitle =
    LABELLED.test(text) ||
    /^(?:It|Its|They|Their|There|This|These|Both)\b|\b(?:this|these)\s+\p{Ll}/u.test(text);
  return words.every(
    (word) =>
      occurs(word, text) ||
      (titles.some((title) => occurs(word, title)) && (isAboutTitle || isAdjunct(word, question))) ||
      isHouse(word, question, house),
  );
}

/** `the museum`, in a document `Rules of the museum`: where all of it is about. */
function isHouse({ text }: Word, question: string, house: string): boolean {
  const isSaid = new RegExp(`\\b(?:the|our|your|this)\\s+${RegExp.escape(text)}\\b`, "iu").test(question);
  return isSaid && HOUSES.test(text) && occurs({ text, isName: false }, house);
}

const HOUSES =
  /^(?:museum|library|club|school|hotel|ward|hospital|clinic|gym|pool|shop|store|bakery|brewery|zoo|park|garden|theatre|theater|cinema|college|office|house|hostel|campsite|farm|company|centre|center|studio|restaurant|cafe)$/i;

/** `… of Vendor A`, `Vendor A's …`, `in the first month`. */
function isAdjunct({ text }: Word, question: string): boolean {
  const word = RegExp.escape(text.split(" ")[0] ?? text);
  const before = String.raw`\b(?:of|at|for|in|on|with|from|by|to|which|what)\s+(?:the\s+|a\s+|an\s+|our\s+)?(?:[\p{L}\p{N}]+\s+)?${word}`;
  const owner = String.raw`${RegExp.escape(text)}['’]s?\b`;
  return new RegExp(`${before}|${owner}`, "iu").test(question);
}

/** One word is too little to tell an answer from a mention, unless it is what the passage is about. */
function isAboutItsOnlyWord(text: string, { words: [only, ...others], titles }: Look): boolean {
  if (only === undefined || others.length > 0) return true;
  return (
    titles.some((title) => occurs(only, title)) ||
    occurs(only, text.split(/\s+/, 2 + only.text.split(" ").length).join(" "))
  );
}

/** A sentence that goes on with `It` or `Its` belongs to the one before. */
function withNext(sentences: readonly string[], start: number, count: number): string {
  const first = /^(?:It|Its|They|This)\b/.test(sentences[start] ?? "") && start > 0 ? start - 1 : start;
  return sentences.slice(first, start + count).join(" ");
}

function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/^#+\s+.*$/gm, "")
    .split(/(?<=[.!?])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|e\.g|i\.e|approx)\.)\s+(?=[\p{Lu}\p{N}"“-])|\n+/u)
    .map((sentence) => sentence.replace(/^[-*]\s+|^\d+\.\s+/, "").trim())
    .filter((sentence) => sentence !== "" && !META.test(sentence));
}

/** A sentence about the document itself. */
const META = /^(?:This (?:is|page|document)\b|What happens\b)/;
