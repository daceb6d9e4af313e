/** Words of questions and passages as they are compared: by their roots, with close synonyms, and names as a whole. */

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

export type Word = { readonly text: string; readonly isName: boolean };

/** Past forms that share too little with their verb. */
const BASES = new Map(
  `lent lend, sent send, bought buy, sold sell, kept keep, held hold, left leave, paid pay, took take, taken take, brought bring,
   began begin, begun begin, lost lose, found find, met meet, made make, wrote write, written write, spoke speak, spoken speak,
   broke break, broken break, chose choose, chosen choose, ate eat, eaten eat, wore wear, worn wear, stole steal, stolen steal,
   grew grow, grown grow, ran run, taught teach, fed feed, built build, drove drive, driven drive, gave give, given give, won win,
   spent spend, told tell, saw see, seen see, went go, gone go, came come, drew draw, drawn draw, hung hang`
    .split(/,\s+/)
    .map((pair) => pair.trim().split(" ") as [string, string]),
);

const ENDINGS = /(?:ations?|ments?|ings?|ions?|als?|ers?|ors?|ied|ed|ies|es|s|ly|e|y)$/;

const SYNONYMS = [
  "cost price pricing charge euro",
  "warranty guarantee",
  "leave vacation holiday",
  "weigh weight kg",
  "employee staff worker",
  "phone telephone",
  "allow possible permit",
  "cancel terminate quit",
  "start begin",
  "buy purchase",
  "above over exceed",
  "below under",
  "include contain comprise cover",
  "absent missing",
].map((group) => new Set(group.split(" ").map(root)));

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
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).some((other) => {
    const own = root(other);
    return own === wanted || SYNONYMS.some((group) => group.has(own) && group.has(wanted));
  });
}

export function normal(text: string): string {
  return text
    .replace(/[’]/g, "'")
    .replace(/'s\b/g, "")
    .replace(/\be-?mail/gi, "email")
    .replace(/\bset[- ]up\b/gi, "setup")
    .replace(/(?<=\p{L})-(?=\p{L})/gu, " ");
}

/** The root that `refund`, `refunded` and `refunds`, or `approve` and `approval`, share. */
export function root(word: string): string {
  let left = BASES.get(word.toLowerCase()) ?? word.toLowerCase();
  for (let count = 0; count < 2 && left.length > 4; count++) {
    const shorter = left.replace(ENDINGS, "");
    if (shorter.length < 3 || shorter === left) break;
    left = shorter;
  }
  // `take` and `takes`: a word of four letters keeps its ending above.
  return left.length > 3 ? left.replace(/[es]$/, "").replace(/([^aeiou])\1$/, "$1") : left.replace(/s$/, "");
}
