/** The search queries: one per subject, so that searches can run in parallel. */
import { contentWords, stem } from "../text/words.ts";

const QUERY_WORDS_MAX = 12;
const SEARCHES_MAX = 8;

/** `A, B and C`, `A and B`, `A vs B`: each item one to four words. */
const ITEM = String.raw`[\p{L}\p{N}&.'+#-]+(?:\s[\p{Lu}\p{N}&][\p{L}\p{N}&.'+#-]*){0,3}`;
const LIST = new RegExp(
  String.raw`(${ITEM}(?:\s*,\s*${ITEM}){0,6})(?:\s*,?\s+(?:and|or|with|versus|vs\.?|against)\s+)(?:the\s+)?(${ITEM})`,
  "u",
);

/**
 * The queries of one clause, at least one when `topic` has words.
 *
 * @param topic - The topic of the clause, without the words for what to do.
 */
export function readSearches(clause: string, topic: readonly string[]): readonly string[] {
  if (topic.length === 0) return [];
  const phrases = clause.split(/\s+and\s+(?=(?:the|our|an?|any)\s)/i);
  const topics = phrases.map((phrase) => topic.filter((word) => contentWords(phrase).includes(word)));
  if (topics.length > 1 && topics.every((words) => words.length > 0))
    return topics.map((words) => words.join(" "));
  const items = listedItems(clause);
  if (items.length < 2) return [topic.slice(0, QUERY_WORDS_MAX).join(" ")];
  const listed = new Set(items.flatMap((item) => contentWordsOf(item)).map(stem));
  const shared = topic.filter((word) => !listed.has(stem(word))).slice(0, QUERY_WORDS_MAX - 4);
  return items.slice(0, SEARCHES_MAX).map((item) => [...new Set([item, ...shared])].join(" "));
}

/** Listed names: they begin with a capital or a digit, except that a common noun can precede the first. */
function listedItems(clause: string): readonly string[] {
  const match = LIST.exec(clause);
  if (match === null) return [];
  const items = [...(match[1] ?? "").split(/\s*,\s*/), match[2] ?? ""].map((item) => nameIn(item.trim()));
  if (!items.every((item) => /^[\p{Lu}\p{N}]/u.test(item) || /\s\p{Lu}/u.test(item))) return [];
  return shareNoun(items.map((item) => item.replace(/[.'’]+$/u, "")));
}

/** Drops the words in front of a name, as in `of Vendor A`; a noun before a single letter belongs to it. */
function nameIn(item: string): string {
  return item
    .replace(/^(?:\p{Ll}[\p{L}'-]*\s+)+(?=\p{Lu}\p{L}|\p{N})/u, "")
    .replace(/^(?:of|for|between|in|on)\s+/u, "");
}

/** `vendors A, B and C` and `Vendor A, B and C` are vendor A, vendor B and vendor C. */
function shareNoun(items: readonly string[]): readonly string[] {
  const noun = /^(\p{L}{3,})\s+\p{Lu}$/u.exec(items[0] ?? "")?.[1];
  if (noun === undefined) return items;
  const singular = noun.replace(/s$/i, "");
  return items.map((item, index) => {
    if (index === 0) return item.replace(noun, singular);
    return /^\p{Lu}$/u.test(item) ? `${singular} ${item}` : item;
  });
}

/** Single letters are content here: they are names. */
function contentWordsOf(item: string): readonly string[] {
  return [...contentWords(item), ...item.toLowerCase().split(/\s+/)];
}
