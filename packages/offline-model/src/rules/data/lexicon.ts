/** The words by which a clause says what it wants of a table. */
import { stem, stemsOf } from "../text/words.ts";

export const AVERAGE = /\b(average|avg|mean|typical(ly)?|durchschnitt\w*|promedio|moyenne)\b/i;
export const COUNT = /\b(how many|number of|count( of)?|wie viele|cu[aá]nt[oa]s|combien)\b/i;
export const TOTAL = /\b(total|sum|overall|altogether|in all|how much|insgesamt|gesamt\w*)\b/i;
export const GROWTH =
  /\b(grew|grow(s|n|ing|th)?|increas(e|ed|es|ing)|ris(e|es|en|ing)|rose|gain(ed|s)?|declin(e|ed|es|ing)|decreas(e|ed|es|ing)|dropp?(ed|s)?|fell|fall(en|s)?|shr[aiu]nk|chang(e|ed|es)|wuchs|gewachsen|wachstum|creci[oó]|crecimiento|croissance)\b/i;
const DECLINE = /\b(declin\w*|decreas\w*|dropp?(ed|s)?|fell|fall(en|s)?|shr[aiu]nk|lost|losing)\b/i;
const MOST =
  /\b(most|highest|top|best|largest|biggest|greatest|leading|strongest|fastest|maximum|max|schnellsten|meisten|h[oö]chste\w*)\b/i;
const LEAST =
  /\b(least|lowest|worst|bottom|smallest|fewest|weakest|poorest|slowest|minimum|min|cheapest|am wenigsten)\b/i;
export const SHARE = /\b(share|percentage|percent|proportion|fraction)\b/i;
export const YEAR_ON_YEAR =
  /\b(year[- ](on|over)[- ]year|yoy|(than|from|against|with|to) (the )?(last|previous|prior) year|a year (ago|before|earlier))\b/i;
export const TREND = /\b(trend|over time|develop(ed|ment)?|evol(ve|ved|ution))\b/i;
export const COMPARE = /\b(compar(e|ed|ing|ison)|versus|vs\.?|against|difference between)\b/i;

/** Which end of the list is wanted: a large decline is the least growth. */
export function readOrder(text: string): "most" | "least" | null {
  const clause = text.replace(/\bat (least|most)\b/gi, " ");
  const order = LEAST.test(clause) ? "least" : MOST.test(clause) ? "most" : null;
  if (!DECLINE.test(clause)) return order;
  return order === "least" ? "most" : "least";
}

/** The clause without the words that this page explains. */
export function withoutLexicon(clause: string): string {
  const known = [AVERAGE, COUNT, TOTAL, GROWTH, MOST, LEAST, SHARE, YEAR_ON_YEAR, TREND, COMPARE];
  return known.reduce((text, pattern) => text.replace(new RegExp(pattern.source, "giu"), " "), clause);
}

/** Groups of words that stand for one another when a measure is looked for. */
const SYNONYMS = [
  "revenue sales sale turnover income earnings amount proceeds value money umsatz ingresos ventas",
  "units unit quantity qty pieces volume items",
  "price cost cheap cheapest expensive priciest pricey",
  "profit margin",
].map((group) => new Set(stemsOf(group)));

export function areSynonyms(one: string, other: string): boolean {
  return one === other || SYNONYMS.some((group) => group.has(one) && group.has(other));
}

/** Measures that are averaged, because their sum means nothing. */
export function isRate(words: readonly string[]): boolean {
  return words.some((word) => RATES.has(word));
}
const RATES = new Set(
  stemsOf("price rate percent percentage discount score rating ratio margin age temperature share"),
);

/** Measures that people mean when they name none, the best first. */
export const USUAL_MEASURES = stemsOf(
  "revenue sales turnover amount total income value profit units quantity",
);

/** Words of a data question that say nothing about which columns it needs. */
const PLAIN_WORDS = new Set(
  stemsOf(
    `sell sold selling sells seller sellers make made earn earned generate generated bring brought perform performed
     performance performing contribute come came compare compared break breakdown down versus vs data table figure
     figures number numbers many much total sum overall average mean top bottom best worst high highest low lowest
     large largest small smallest big biggest greatest fast fastest slow slowest strong strongest weak weakest fewest
     leading maximum minimum share percentage percent proportion growth grow grew growing increase increased decline
     declined drop dropped fall fell rise rose change changed decrease trend time chart plot graph draw bar line pie
     month monthly quarter quarterly year yearly annual annually half period last latest this current previous first
     second third fourth each per every across company business order ordered row record record entry bought buy
     different distinct unique exist available name count typical name january february march april june july august
     september october november december than least most more less over under above below dollar euro table csv
     database source file please summary report result results value values analysis analyze overview respectively`,
  ),
);

export function isPlainWord(word: string): boolean {
  return PLAIN_WORDS.has(stem(word)) || /^(q[1-4]|h[12]|\d+([a-z]{2})?)$/.test(word);
}
