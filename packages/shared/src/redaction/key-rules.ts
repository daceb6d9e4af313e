/**
 * Matches the JSON keys that a rule names.
 *
 * A path has one key, such as `password`, or several from the outside in, such as `customer.card_number`; it matches the end
 * of a value's own path. `*` matches one key or one position in a list. Case, `_` and `-` are ignored: `card_number` is also
 * `cardNumber`.
 */
import type { Place } from "./finder.ts";

export type KeyRule = {
  /** Whether it matches the value at this path, whose keys are normalized. */
  names(path: readonly string[]): boolean;
  /** Finds values after one of its keys in a text that is not JSON, or no longer: `password: …`, `"password":"…`. */
  find(text: string): Iterable<Place>;
};

/** Normalizes a key for comparison. */
export function normalKey(key: string): string {
  return key.replaceAll(/[_-]/g, "").toLowerCase();
}

/** @param paths - As in the file: keys separated by dots. */
export function createKeyRule(paths: readonly string[]): KeyRule {
  const wanted = paths.map((path) => path.split(".").map((key) => (key === "*" ? key : normalKey(key))));
  const byLast = Map.groupBy(wanted, (path) => path.at(-1) ?? "");
  const lasts = new Set([...byLast.keys()].filter((key) => key !== "*"));
  return {
    names(path) {
      const last = path.at(-1) ?? "";
      return [byLast.get(last), byLast.get("*")].some((some) => some?.some((one) => endsWith(path, one)));
    },
    *find(text) {
      if (lasts.size > 0 && SEPARATOR.test(text)) yield* valuesAfter(text, lasts);
    },
  };
}

function endsWith(path: readonly string[], wanted: readonly string[]): boolean {
  const from = path.length - wanted.length;
  return from >= 0 && wanted.every((key, index) => key === "*" || key === path[from + index]);
}

/** A key, possibly in quotation marks (escaped in JSON within JSON), and the separator before its value. */
const KEY =
  /(?<![\p{L}\p{N}_-])([\p{L}\p{N}_-]{1,100})(?:\\{0,15}["'])?[ \t]{0,4}(?:[:=]|%3[AaDd])[ \t\r\n]{0,8}/gu;
const SEPARATOR = /[:=%]/;
const QUOTE = /\\{0,15}["']/y;
const BARE = /[^\s,;&"'\\}\])]{1,10000}/y;

function* valuesAfter(text: string, keys: ReadonlySet<string>): Generator<Place> {
  KEY.lastIndex = 0;
  for (let from = 0; from < text.length; ) {
    KEY.lastIndex = from;
    const found = KEY.exec(text);
    if (found === null) return;
    from = found.index + found[0].length;
    if (!keys.has(normalKey(found[1] ?? ""))) continue;
    const place = valueAt(text, from);
    if (place === undefined) continue;
    yield place;
    from = place.end;
  }
}

/** The value at this position: in quotation marks, in brackets, or up to the next separator. */
function valueAt(text: string, at: number): Place | undefined {
  const quote = matchAt(QUOTE, text, at);
  if (quote !== undefined) {
    const start = at + quote.length;
    const end = endOfQuoted(text, start, quote);
    return end > start ? { start, end } : undefined;
  }
  if (text[at] === "{" || text[at] === "[") return { start: at, end: endOfBrackets(text, at) };
  const bare = matchAt(BARE, text, at);
  return bare === undefined ? undefined : { start: at, end: at + bare.length };
}

/** The same mark after equally many backslashes; after more of them it is part of the value. Without one, the end of the text. */
function endOfQuoted(text: string, from: number, quote: string): number {
  const mark = quote.slice(-1);
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === "\\") slashes += 1;
    if (slashes < quote.length) return at - slashes;
  }
  return text.length;
}

/** In a text that was cut off, brackets extend to the end. */
function endOfBrackets(text: string, from: number): number {
  let depth = 0;
  let inText = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"') inText = !inText;
    else if (char === "\\" && inText && text[at + 1] === '"') at += 1;
    else if (!inText && "{[".includes(char)) depth += 1;
    else if (!inText && "}]".includes(char)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
