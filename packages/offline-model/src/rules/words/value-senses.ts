/** The meanings of words that are values in the current tables: whole values, parts of names, codes. */
import type { Found } from "./lexicon.ts";
import { COUNTRIES, isSkipped } from "./general-words.ts";
import type { Col } from "../reader/schema.ts";
import { isNominal, rootOf, type Token } from "./tokens.ts";

/** The meanings of the words from a token on among the values of a column. */
export function valueSenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  if (col.kind === "date" || col.kind === "number" || col.kind === "time") return [];
  if (col.kind === "key" || !col.complete) return keySenses(col, tokens, at);
  const found: Found[] = [];
  for (const value of col.samples) {
    const parts = partsOf(value);
    if (parts.length === 0) continue;
    const here = tokens.slice(at, at + parts.length);
    if (
      here.length === parts.length &&
      parts.every((part, index) => isPart(part, here[index], index === parts.length - 1))
    )
      found.push({
        sense: { k: "val", col, value },
        end: at + parts.length,
        cost: here[0]?.isCapital === true && /^\p{Ll}/u.test(value) && at > 0 ? 0.4 : 0,
      });
  }
  if (found.length > 0) return found;
  return [...partialSenses(col, tokens, at), ...adjectiveSenses(col, tokens, at)];
}

function partsOf(value: string): readonly string[] {
  return (
    value
      .toLowerCase()
      .replace(/['’]s\b/gu, "")
      .match(/[\p{L}\p{N}]+(?:['’](?:t|re|ve|ll|d)\b)?/gu) ?? []
  );
}

function isPart(part: string, token: Token | undefined, isLast: boolean): boolean {
  if (token === undefined) return false;
  const lower = token.lower;
  if (lower === part) return true;
  if (isSkipped(token)) return false;
  if (!isLast || /\d/.test(part)) return false;
  if (isPlural(lower, part) || isPlural(part, lower)) return true;
  if (isNominal(part) !== isNominal(lower)) return false;
  return part.length > 3 && lower.length > 3 && token.root === rootOf(part) && token.root.length > 2;
}

function isPlural(many: string, one: string): boolean {
  return (
    one.length > 2 &&
    (many === `${one}s` || many === `${one}es` || (one.endsWith("y") && many === `${one.slice(0, -1)}ies`))
  );
}

/** `Rosa` of `Rosa Lindqvist`: a capitalized word in only one value. */
function partialSenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  const token = tokens[at];
  if (token === undefined || !token.isCapital || token.text.length < 3 || at === 0) return [];
  const having = col.samples.filter(
    (value) => partsOf(value).length > 1 && partsOf(value).includes(token.lower),
  );
  const [value, ...others] = having;
  if (value === undefined || others.length > 0) return [];
  // As many of the value's words as match.
  let end = at + 1;
  const parts = partsOf(value);
  while (end < tokens.length && parts.includes(tokens[end]?.lower ?? "") && tokens[end]?.isCapital === true)
    end += 1;
  return [{ sense: { k: "val", col, value }, end, cost: 0.5 }];
}

/** `German` for the country Germany. */
function adjectiveSenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  const country = COUNTRIES.get(tokens[at]?.lower ?? "");
  const value =
    country === undefined ? undefined : col.samples.find((sample) => sample.toLowerCase() === country);
  return value === undefined ? [] : [{ sense: { k: "val", col, value }, end: at + 1, cost: 0.1 }];
}

/** A code in the format of a column's codes: `SH-2426` if others are `SH-2400`. */
function keySenses(col: Col, tokens: readonly Token[], at: number): readonly Found[] {
  const [sample] = col.samples;
  if (sample === undefined || !/\d/.test(sample)) return [];
  const parts = partsOf(sample);
  const here = tokens.slice(at, at + parts.length);
  const shape = (text: string) => text.toLowerCase().replace(/\d+/g, (digits) => "9".repeat(digits.length));
  const isShaped =
    here.length === parts.length &&
    parts.every((part, index) => shape(here[index]?.text ?? "") === shape(part));
  // A plain number is a quantity unless it has as many digits as every key.
  if (!isShaped || (col.isNumeric && (col.kind !== "key" || (here[0]?.text.length ?? 0) < 3))) return [];
  if (!/\d/.test(here.map(({ text }) => text).join(""))) return [];
  const separator = /[^\p{L}\p{N}]/u.exec(sample)?.[0] ?? "";
  const value = here.map(({ text }) => text).join(separator);
  return [
    {
      sense: { k: "val", col, value },
      end: at + parts.length,
      cost: col.kind === "key" || col.unique ? 0 : 0.3,
    },
  ];
}
