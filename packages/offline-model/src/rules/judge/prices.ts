/** Whether an amount of money, or a number, belongs to what a question asks about. */
import type { Look } from "./answer-kind.ts";
import { occurs, type Word } from "./passage-words.ts";
import { meansSame, root } from "./same-words.ts";

const ASKS_PRICE =
  /\b(?:what|how much)\b.*\b(?:costs?|prices?|charges?|charged|fees?)\b|\bhow (?:much|expensive) (?:is|are|was|were)\b|^\s*(?:the )?(?:price|cost|fee|charge)s? (?:of|for|to)\b/i;
/** Sums that are paid in addition to a price, or instead of it. */
const BESIDE =
  "(?:deposit|fine|penalty|surcharge|supplement|discount|reduction|refund|tip|voucher|fee|float|bond|subsidy)s?";
const MONEY = "(?:euros?|dollars?|pounds?|cents?|pence|kroner|kronor|francs|percent|eur|usd|gbp)\\b|%";
const NUMBER_WORD = "(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty)";
const AMOUNT = new RegExp(
  `[€$£]\\s?\\d[\\d.,]*|(?:\\d[\\d.,]*|\\b${NUMBER_WORD})\\s?(?:${MONEY})|\\bfree\\b|\\bnothing\\b|\\bno (?:\\p{L}+ )?(?:fee|charge|cost)s?\\b`,
  "giu",
);
/** `free of charge`, `free for members`, `free.`; not `a free shirt`, and not `free from 2 pm`. */
const FREE =
  /^free(?:[.,;:!?)]|\s+(?:of|for|at|above|below|once|within|if|when|in|on|until|unless|and|but|to|as|with|the first)\b|\s*$)/i;

/** `Private parties leave a deposit of £100 if the hall is left clean` does not state what the hall costs. */
export function isPriceOf(text: string, { question, words, titles }: Look): boolean {
  if (!ASKS_PRICE.test(question)) return true;
  const nouns = words.filter((word) => word.isSoft !== true && !meansSame(root(word.text), root("cost")));
  const things = nouns.filter((word) => occurs(word, text));
  // A word that is only in the document's title is not what each of its sections prices.
  const heads = titles.length > 1 ? titles.slice(1) : titles;
  const isHeaded = nouns.some((word) => heads.some((head) => occurs(word, head)));
  if (nouns.length > 0 && things.length === 0 && !isHeaded) return false;
  const all = [...text.matchAll(AMOUNT)];
  if (things.length === 0 || all.length === 0) return true;
  return all.some(({ 0: amount, index }) => {
    const [before, behind] = [text.slice(0, index), text.slice(index + amount.length)];
    if (isBesidePrice(before, behind, question)) return false;
    if (/^free$/i.test(amount) && !FREE.test(text.slice(index))) return false;
    if (/\bby\s+$/i.test(before) && !/\b(?:rise|increase|more|less|up|down)\b/i.test(question)) return false;
    // `20% taken off`, `10 euros off every paddle`
    if (/^\s*(?:(?:taken|comes?) )?(?:off|less|discount|reduction)\b/i.test(behind)) return false;
    return things.some((thing) => isSaidOf(thing, before, question) || isPricedBehind(thing, behind));
  });
}

/** `the deposit of £80` is not what a cake costs. */
function isBesidePrice(before: string, behind: string, question: string): boolean {
  const named =
    new RegExp(`\\b(${BESIDE})\\s+(?:of|is|are|was)\\s+(?:\\p{L}+\\s+)?$`, "iu").exec(before) ??
    new RegExp(`^\\s+(${BESIDE})\\b`, "iu").exec(behind);
  return named !== null && !occurs({ text: named[1] ?? "", isName: false }, question);
}

/** The thing is in front of the amount, and not only in combination: `a preflight with corrections costs $18`. */
function isSaidOf(thing: Word, before: string, question: string): boolean {
  const parts = before.split(/\s+/);
  return parts.some(
    (word, index) =>
      occurs(thing, word) &&
      !isPartOfName(parts.slice(index + 1), question) &&
      !parts
        .slice(Math.max(0, index - 2), index)
        .some((other) => /^(?:with|without|including|before|after|until)$/i.test(other)),
  );
}

/** `A locker key costs 5 euros` does not state what a locker costs. */
function isPartOfName([next = "", verb = ""]: readonly string[], question: string): boolean {
  return (
    /^\p{Ll}{3,}$/u.test(next) &&
    /^(?:costs?|is|are)$/i.test(verb) &&
    !occurs({ text: next, isName: false }, question)
  );
}

/** `6 euros for a bicycle`, `£2 a piece`. */
function isPricedBehind(thing: Word, behind: string): boolean {
  const [start = ""] = behind.split(/[.;]\s/, 1);
  const found = /\b(?:for|per|to|on|of|each|every|an?)\s+((?:\S+\s*){1,4})/iu.exec(start);
  const [near = ""] = found?.[1]?.split(/\b(?:until|if|when|unless|before|after)\b/i, 1) ?? [];
  return found !== null && found.index < 25 && occurs(thing, near);
}

const LIMIT =
  "(?:(?:no|not) (?:more|fewer|less) than|at (?:most|least)|up to|fewer than|less than|more than|above|over|below|under|(?:maximum|minimum) of)";

/** `No more than five objects are brought out` does not state how many there are. */
export function isLimitInstead(noun: string, text: string, question: string): boolean {
  const asksLimit =
    /\b(?:can|could|may|must|should|shall|need|needs|have to|has to|allowed|permitted|possible|at most|at least|maximum|minimum|limit|up to)\b/i;
  if (asksLimit.test(question)) return false;
  const limits = text.matchAll(
    new RegExp(`\\b${LIMIT}\\s+(?:\\d[\\d.,]*|${NUMBER_WORD})((?:\\s+\\p{L}+){1,3})`, "giu"),
  );
  return [...limits].some(([, behind = ""]) => occurs({ text: noun, isName: false }, behind));
}

/** `Two more pods will be built` does not state how many there are; `no dogs in the pods` not how many are allowed. */
export function isWholeCount(text: string, { question, words }: Look): boolean {
  if (!/\bhow many\b/i.test(question)) return true;
  const isMore = new RegExp(`(?:\\d|\\b${NUMBER_WORD})\\s+(?:more|further|additional|extra|other)\\s`, "iu");
  if (isMore.test(text) && !/\b(?:more|further|additional|extra|other|else|need|want)/i.test(question))
    return false;
  const none = /\bno\s+\p{L}+/iu.exec(text);
  if (none === null || new RegExp(`\\d|\\b${NUMBER_WORD}\\b`, "iu").test(text)) return true;
  const place = /\b(?:in|on|at|during|for)\s+(?:the\s+|our\s+)?(\p{L}{3,})/iu.exec(
    text.slice(none.index),
  )?.[1];
  return place === undefined || words.some((word) => occurs(word, place));
}
