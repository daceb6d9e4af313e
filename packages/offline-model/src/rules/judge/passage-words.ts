/** Words of questions and passages as they are compared: by their roots, with close synonyms, and names as a whole. */

import { withoutPhrases } from "./phrases.ts";
import { meansSame, root } from "./same-words.ts";

/** Words of asking, of grammar and of manners: a passage need not have them. */
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
  /** What the passage need not say where it says the rest: `take` in `what does it cost to take a bicycle`. */
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
