/**
 * Whether a passage answers a question: every content word of the question has to occur in one or two of its
 * sentences, or in its title, and a question for a number or a time needs one there.
 */
import { shorten } from "../text/format-value.ts";
import { type Hit, titleWords } from "./read-output.ts";

/** Words of asking, of grammar and of manners: a passage need not have them. */
const ASKING = new Set(
  `a about according acme am an and any are as at be been being both by can could did do does doing document documents for from
   gave get gets getting give given gives go got had has have having he her his how i if in into is it its just know let like
   many may me might much must my need needs of offer offered offers on one or our out own per please provide
   provides provided say says shall she should show so some tell than that the their them there these they this those to
   up us want was we were what when where which who whom whose why will with would you your s find search explain
   describe include includes included including contain contains information info details happen happens happened last lasts there's docs documentation long far often soon exactly`.match(
    /\S+/g,
  ),
);
ASKING.delete("acme");

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|no|none|unlimited|free)\b/i;
const TIME = /\b(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b/i;

/** What the passage must hold besides the words, by how the question begins. */
const EXPECTED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\bhow (?:long|fast|quick(?:ly)?|soon)\b/i,
    /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b).*\b(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?)\b/is,
  ],
  [/\bhow (?:much|many|old|tall|wide|deep|large|big|high|heavy|hot|cold|expensive)\b/i, NUMBER],
  [/\bwhen\b/i, new RegExp(`\\d|${TIME.source}|\\b(?:before|after|first|once|until)\\b`, "i")],
  [/\bwhy\b/i, /\b(?:because|since|for|so that|due to|reason|as)\b/i],
];
/** These ask with an adjective that the passage says in another way. */
const MEASURES: readonly (readonly [RegExp, string])[] = [
  [/\bhow heavy\b/gi, "weigh"],
  [/\bhow expensive\b/gi, "cost"],
  [/\bhow (?:quick(?:ly)?|fast)\b/gi, ""],
  [/\bhow (?:large|big|high|old|tall|wide|deep|hot|cold|long|much|many|often|soon|far)\b/gi, ""],
  [/\bhow do(?:es)? (?:i|you|we|one)\b/gi, ""],
];

const ENDINGS = /(?:ations?|ments?|ings?|ions?|als?|ers?|ors?|ed|ies|es|s|ly|e|y)$/;

const SYNONYMS = [
  "cost price pricing charge euro pay",
  "warranty guarantee",
  "leave vacation holiday",
  "weigh weight kg",
  "employee staff worker",
  "phone telephone",
  "allow possible permit limit",
  "cancel terminate quit",
  "start begin",
  "buy purchase",
].map((group) => new Set(group.split(" ").map(root)));

export type Word = { readonly text: string; readonly isName: boolean };

/** The words of a question that a passage has to account for, each once. */
export function wordsToAccountFor(question: string): readonly Word[] {
  const text = MEASURES.reduce((rest, [pattern, word]) => rest.replace(pattern, word), normal(question));
  const names = [...text.matchAll(/\b(\p{L}{3,})s?\s(\p{Lu})(?![\p{L}\p{N}])/gu)].map((match) => ({
    text: `${match[1] ?? ""} ${match[2] ?? ""}`,
    isName: true,
  }));
  const rest = names.reduce((left, { text: name }) => left.replace(name, " "), text);
  const plain = (rest.match(/[\p{L}\p{N}][\p{L}\p{N}.,]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? [])
    .map((word) => word.replace(/['’]s$/u, ""))
    .filter((word) => word === "May" || !ASKING.has(word.toLowerCase()))
    .map((word) => ({ text: word, isName: false }));
  return [...new Map([...names, ...plain].map((word) => [word.text.toLowerCase(), word])).values()];
}

export type Quotation = {
  readonly hit: Hit;
  readonly text: string;
  readonly sentences: number;
  /** How many of all words of the question the stretch itself has, also those that only ask. */
  readonly shared: number;
};

/** The shortest stretches of the passages that account for the whole question, the best passage's first. */
export function quotationsFor(question: string, hits: readonly Hit[]): readonly Quotation[] {
  const words = wordsToAccountFor(question);
  if (words.length === 0) return [];
  const found = hits.flatMap((hit) => {
    return stretchesOf(hit, words, question);
  });
  const shortest = Math.min(...found.map(({ sentences }) => sentences));
  return found.filter(({ sentences }) => sentences === shortest).toSorted((a, b) => b.shared - a.shared);
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
  const title = titleWords(hit);
  const expected = EXPECTED.filter(([asked]) => asked.test(question)).map(([, pattern]) => pattern);
  const counted = countedNoun(question);
  // One word is too little to tell an answer from a mention, unless it is what the passage is about.
  const [only] = words.length === 1 ? words : [];
  const isSubject = (text: string) =>
    only === undefined || occurs(only, title) || occurs(only, text.split(/\s+/, 3).join(" "));
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
      const isWhole =
        words.every((word) => occurs(word, `${title}\n${text}`)) && words.some((word) => occurs(word, text));
      if (
        isWhole &&
        expected.every((pattern) => pattern.test(text)) &&
        (counted === null || isCounted(counted, text)) &&
        isSubject(text)
      ) {
        const shared = spoken.filter((word) => occurs({ text: word, isName: false }, text)).length;
        found.push({ hit, text: shorten(withNext(sentences, start, count), 420), sentences: count, shared });
      }
    }
    if (found.length > 0) return found;
  }
  return [];
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

/** A sentence that goes on with `It` or `Its` belongs to the one before. */
function withNext(sentences: readonly string[], start: number, count: number): string {
  const first = /^(?:It|Its|They|This)\b/.test(sentences[start] ?? "") && start > 0 ? start - 1 : start;
  return sentences.slice(first, start + count).join(" ");
}

function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/^#+\s+.*$/gm, "")
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"“-])|\n+/u)
    .map((sentence) => sentence.replace(/^[-*]\s+|^\d+\.\s+/, "").trim())
    .filter((sentence) => sentence !== "");
}

function occurs({ text: word, isName }: Word, passage: string): boolean {
  const text = normal(passage);
  if (isName)
    return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, "iu").test(text);
  if (/^\d/.test(word)) return new RegExp(`(?<![\\d.,])${RegExp.escape(word)}(?![\\d]|[.,]\\d)`).test(text);
  const wanted = root(word);
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).some((other) => {
    const own = root(other);
    return own === wanted || SYNONYMS.some((group) => group.has(own) && group.has(wanted));
  });
}

function normal(text: string): string {
  return text
    .replace(/[’]/g, "'")
    .replace(/'s\b/g, "")
    .replace(/\be-?mail/gi, "email")
    .replace(/\bset[- ]up\b/gi, "setup")
    .replace(/(?<=\p{L})-(?=\p{L})/gu, " ");
}

/** The root that `refund`, `refunded` and `refunds`, or `approve` and `approval`, share. */
export function root(word: string): string {
  let left = word.toLowerCase();
  for (let count = 0; count < 2 && left.length > 4; count++) {
    const shorter = left.replace(ENDINGS, "");
    if (shorter.length < 3 || shorter === left) break;
    left = shorter;
  }
  return left.length > 3 ? left.replace(/s$/, "").replace(/([^aeiou])\1$/, "$1") : left.replace(/s$/, "");
}
