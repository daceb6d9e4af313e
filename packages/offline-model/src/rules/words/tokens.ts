/** A goal as tokens, and the roots by which the words of goals and tables are compared. */
import { stem } from "../text/words.ts";

export type Token = {
  readonly text: string;
  readonly lower: string;
  readonly root: string;
  readonly isCapital: boolean;
  /** The characters between it and the previous token, except blanks. */
  readonly before: string;
};

/** With more tokens, no reading is tried. */
export const TOKENS_MAX = 40;

const TOKEN = /\d{4}-\d{2}-\d{2}|\d+(?:[.,:]\d+)*(?![\p{L}\d])|[\p{L}\p{N}]+(?:['’](?:t|re|ve|ll|d)\b)?/gu;

/** @returns For a longer text, one token more than the maximum: no goal over tables has that many. */
export function tokensOf(text: string): readonly Token[] {
  const plain = text.replace(/['’]s\b/gu, "");
  let end = 0;
  return [...plain.matchAll(TOKEN)].slice(0, TOKENS_MAX + 1).map((match) => {
    const word = match[0];
    const before = plain.slice(end, match.index).trim();
    end = match.index + word.length;
    return {
      text: word,
      lower: word.toLowerCase(),
      root: rootOf(word),
      isCapital: /^\p{Lu}/u.test(word),
      before,
    };
  });
}

/** Forms that have too little in common with their verb, and nouns for a verb's result. */
const BASES = new Map(
  `sold sell, sale sell, sales sell, seller sell, bought buy, flew fly, flown fly, flight fly, flights fly, paid pay, payment pay, payments pay, gave give, given give, held hold,
   kept keep, sent send, made make, met meet, brought bring, taught teach, took take, taken take, lent lend, won win, loan lend, loans lend, lost lose,
   built build, grew grow, grown grow, wrote write, written write, spent spend, saw see, seen see, came come, went go, gone go, began begin,
   begun begin, shown show, drove drive, driven drive, stole steal, stolen steal, broke break, broken break, chose choose, chosen choose,
   left leave, ran run, born birth, admission admit, admissions admit, admitted admit, arrival arrive, arrivals arrive, departure depart, departures depart,
   delivery deliver, deliveries deliver, adoption adopt, adoptions adopt, donation donate, donations donate, cancellation cancel, cancellations cancel,
   cancelled cancel, canceled cancel, enrolment enrol, enrolments enrol, enrollment enrol, registration register, reservation reserve, reservations reserve, rental rent,
   rentals rent, inspection inspect, inspections inspect, shipment ship, shipments ship, submission submit, submissions submit, children child, people person,
   persons person, kilograms kg, kilogram kg, kilos kg, kilo kg, women woman, men man, hectares ha, hectare ha, euros eur, euro eur, dollars usd, dollar usd,
   minutes min, minute min, hours h, hour h, hrs h, metres m, metre m, meters m, meter m, kilometres km, kilometre km, kilometers km, kilometer km, tons t, tonnes t, tonne t, ton t,
   grams g, gram g, percentage percent, litres l, litre l, liters l, liter l, seconds sec, second sec2, pounds gbp, pieces piece`
    .split(",")
    .map((pair) => pair.trim().split(/\s+/) as [string, string]),
);

/** Nouns for a verb's result: a value with such a name is not a form of the verb. */
const NOMINAL =
  /^(?:sales?|sellers?|flights?|payments?|admissions?|arrivals?|departures?|deliver(?:y|ies)|adoptions?|donations?|cancellations?|enrol?lments?|enrolments?|registrations?|reservations?|rentals?|inspections?|shipments?|submissions?|loans?)$/i;

export function isNominal(word: string): boolean {
  return NOMINAL.test(word);
}

/** The common part of a word's forms. */
export function rootOf(word: string): string {
  const lower = word.toLowerCase();
  return stem(BASES.get(lower) ?? lower);
}

/** The roots of a text's words. */
export function rootsOf(text: string): readonly string[] {
  const words = text
    .replace(/['’]s\b/gu, "")
    .replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, " ")
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).map(rootOf);
}
