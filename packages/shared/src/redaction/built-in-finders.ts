/**
 * The rules that an operator enables by name.
 *
 * REDACT-1. Each takes linear time in the text's length: repetitions are bounded, or begin only where the previous one ended.
 * REDACT-2. None matches the text of a replacement.
 */
import { type Finder, findAll, findAny, findWhere, type Place } from "./finder.ts";

export const BUILT_IN_NAMES = ["email", "card", "iban", "us-ssn", "api-key", "phone"] as const;
export type BuiltInName = (typeof BUILT_IN_NAMES)[number];

/** Letters of all alphabets; `%40` is the sign of an address in a URL. */
const EMAIL = /[\p{L}\p{N}.!#$%*+^_~-]{1,64}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}/giu;

/** Three, two and four digits with the same separator; numbers that the authority never issues do not match. */
const US_SSN = /(?<!\d)(?!000|666|9\d\d)\d{3}([ -])(?!00)\d\d\1(?!0000)\d{4}(?!\d)/g;

/** International numbers only: without the plus sign, digits can be anything. */
const PHONE = /(?<![\p{L}\p{N}+])\+[1-9](?:[ ().-]{0,2}\d){6,14}(?!\d)/gu;

/** `Basic` and `token` are also ordinary words, so the credential after them must contain a digit. */
const AUTHORIZATION =
  /(?<=\bbearer[ \t]{1,4})[\w.~+/-]{16,}={0,2}|(?<=\b(?:basic|token)[ \t]{1,4})(?=[a-z.~+/_-]{0,200}\d)[\w.~+/-]{12,}={0,2}/gi;
/** Keys with their issuers' prefixes. */
const ISSUED_KEYS =
  /(?<![\w-])(?:sk-[\w-]{16,}|[rps]k_(?:live|test)_\w{16,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_\w{30,}|pypi-[\w-]{30,}|hf_\w{20,}|S[AOU][A-Z2-7]{56})/g;
const JSON_WEB_TOKEN = /(?<![\w.-])eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?/g;
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s\\]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g;

export const BUILT_IN_FINDERS: Readonly<Record<BuiltInName, Finder>> = {
  email: findWhere(/@|%40/, findAll(EMAIL)),
  card: findWhere(/\d/, findCards),
  iban: findWhere(/\d/, findIbans),
  "us-ssn": findWhere(/\d/, findAll(US_SSN)),
  "api-key": findAny([
    findWhere(/(?:bearer|basic|token)[ \t]/i, findAll(AUTHORIZATION)),
    findAll(ISSUED_KEYS),
    findWhere(/eyJ/, findAll(JSON_WEB_TOKEN)),
    findWhere(/-----BEGIN/, findAll(PRIVATE_KEY)),
  ]),
  phone: findWhere(/\+[1-9]/, findAll(PHONE)),
};

const CARD_DIGITS_MIN = 14;
const CARD_DIGITS_MAX = 19;
const DIGIT_RUNS = /\d+(?:[ \u00a0.-]\d+)*/g;
/** The issuers' ranges: Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay, Maestro. */
const ISSUERS =
  /^(?:4\d{15,18}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11,16}|6(?:011|4[4-9]\d|5\d\d)\d{12,15}|35\d{14,17}|62\d{14,17}|(?:5018|5020|5038|6304|6759|676[1-3])\d{10,15})$/;

/** Payment cards: digits, ungrouped or in groups, with an issuer's range and a valid check digit. */
function* findCards(text: string): Generator<Place> {
  for (const { 0: run, index } of text.matchAll(DIGIT_RUNS)) {
    if (run.length < CARD_DIGITS_MIN) continue;
    const groups = Array.from(run.matchAll(/\d+/g), ({ 0: digits, index: at }) => ({
      digits,
      at: index + at,
    }));
    for (let first = 0; first < groups.length; ) {
      const last = lastGroupOfCard(groups, first);
      const [from, to] = [groups[first], groups[last ?? first]];
      if (last !== undefined && from !== undefined && to !== undefined) {
        yield { start: from.at, end: to.at + to.digits.length };
      }
      first = (last ?? first) + 1;
    }
  }
}

function lastGroupOfCard(groups: readonly { readonly digits: string }[], first: number): number | undefined {
  let digits = "";
  let found: number | undefined;
  for (let last = first; last < groups.length; last++) {
    digits += groups[last]?.digits ?? "";
    if (digits.length > CARD_DIGITS_MAX) break;
    if (ISSUERS.test(digits) && hasCheckDigit(digits)) found = last;
  }
  return found;
}

/** Luhn's formula (ISO/IEC 7812-1). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (const [place, digit] of digits.split("").toReversed().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** The length of an IBAN, by country (SWIFT's registry). */
const IBAN_CHARS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d\d/g;

/** IBANs, ungrouped or in groups, with their country's length and valid check digits. */
function* findIbans(text: string): Generator<Place> {
  let from = 0;
  for (const { 0: start, index } of text.matchAll(IBAN_START)) {
    const chars = IBAN_CHARS[start.slice(0, 2).toUpperCase()];
    if (chars === undefined || index < from) continue;
    const end = endOfGroups(text, index, chars);
    if (end === undefined || !hasCheckDigits(text.slice(index, end).replaceAll(/[ -]/g, ""))) continue;
    yield { start: index, end };
    from = end;
  }
}

/** Where `chars` letters and digits end that begin at `index`, with single spaces or hyphens between them. */
function endOfGroups(text: string, index: number, chars: number): number | undefined {
  let at = index;
  for (let left = chars; left > 0; at++) {
    const char = text[at] ?? "";
    if (/[A-Za-z0-9]/.test(char)) left -= 1;
    else if (!/[ -]/.test(char) || /[ -]/.test(text[at - 1] ?? "")) return undefined;
  }
  return /[A-Za-z0-9]/.test(text[at] ?? "") ? undefined : at;
}

/** ISO 7064, MOD 97-10. */
function hasCheckDigits(iban: string): boolean {
  let remainder = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
