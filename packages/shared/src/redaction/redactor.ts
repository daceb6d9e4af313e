/**
 * Replaces the matches of rules in texts and in JSON.
 *
 * REDACT-3. No match of a rule is left outside of replacements.
 * REDACT-4. Redacting a second time changes nothing.
 * REDACT-5. JSON stays JSON: if a text is JSON, its values are redacted, not the text.
 * REDACT-6. A value with nothing to hide is returned as the same object.
 * REDACT-7. A value that is too long, too deep or takes too long is hidden completely.
 */
import { parseExact, type RawJson } from "./exact-json.ts";
import { type Finder, type Place, withoutOverlap } from "./finder.ts";
import { type KeyRule, normalKey } from "./key-rules.ts";
import { type Surface, VALUES } from "./surfaces.ts";

/** One rule, ready for use. */
export type Rule = {
  readonly name: string;
  readonly replacement: string;
  /** Absent for a rule of keys. */
  readonly find?: Finder;
  readonly keys?: KeyRule;
};

export type Redactor = {
  /** False if there are no rules: then the functions return their arguments. */
  readonly isActive: boolean;
  text(text: string): string;
  /** @param surface - Where the value is shown, which determines the parts that are never replaced; default none. */
  json<Value>(value: Value, surface?: Surface): Value;
  /** The first replacement that a value contains; undefined if it contains none. */
  replacementIn(value: unknown): string | undefined;
};

/** Longer texts are hidden completely. */
export const TEXT_CHARS_MAX = 1_000_000;
/** For one text and all rules together. */
const TEXT_MS_MAX = 500;
/** Nesting of lists and objects; deeper values are hidden completely, so that no depth can exhaust the stack. */
const LEVELS_MAX = 100;
/** Nesting of JSON in strings within JSON. */
const DEPTH_MAX = 8;
/** Each round replaces something; a pattern that needs more rounds depends on the context of its matches. */
const ROUNDS_MAX = 8;
const TOO_LONG = "[redacted: too long]";

const NOTHING: Redactor = {
  isActive: false,
  text: (text) => text,
  json: (value) => value,
  replacementIn: () => undefined,
};

/** @param deps.clock - Milliseconds of a monotonic clock. */
export function createRedactor(
  rules: readonly Rule[],
  { clock }: { readonly clock: () => number },
): Redactor {
  if (rules.length === 0) return NOTHING;
  const replacements = [...new Set([TOO_LONG, ...rules.map(({ replacement }) => replacement)])];
  const split = createSplit(replacements);
  const state = { rules, split, clock };
  const text = (given: string): string => redactText(given, state, 0);
  return {
    isActive: true,
    text,
    json: (value, surface = VALUES) =>
      // The result has the shape of the value; single values become texts, as callers expect.
      redactJson(value, {
        ...state,
        surface,
        path: [],
        depth: 0,
        isContent: surface.isContent,
      }) as typeof value,
    replacementIn: (value) => findReplacement(value, replacements),
  };
}

type State = {
  readonly rules: readonly Rule[];
  readonly split: (text: string) => string[];
  readonly clock: () => number;
};

/** Splits a text into the parts around replacements, at even positions, and the replacements. */
function createSplit(replacements: readonly string[]): (text: string) => string[] {
  const escaped = replacements
    .toSorted((left, right) => right.length - left.length)
    .map((one) => RegExp.escape(one));
  const pattern = new RegExp(`(${escaped.join("|")})`, "u");
  return (text) => (pattern.test(text) ? text.split(pattern) : [text]);
}

function redactText(text: string, state: State, depth: number): string {
  if (text === "") return text;
  if (text.length > TEXT_CHARS_MAX) return TOO_LONG;
  const inside = redactJsonText(text, state, depth);
  if (inside !== undefined) return inside;
  const deadline = state.clock() + TEXT_MS_MAX;
  let current = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = redactRound(current, state, deadline);
    if (next === current) return current;
    if (next === undefined) return TOO_LONG;
    current = next;
  }
  return TOO_LONG;
}

/** @returns Undefined when it takes too long. */
function redactRound(text: string, { rules, split, clock }: State, deadline: number): string | undefined {
  let pieces = split(text);
  for (const { find, keys, replacement } of rules) {
    const next: string[] = [];
    for (const [index, piece] of pieces.entries()) {
      if (index % 2 === 1 || piece === "") {
        next.push(piece);
        continue;
      }
      const places: Place[] = [];
      for (const place of keys?.find(piece) ?? find?.(piece) ?? []) {
        places.push(place);
        if (clock() > deadline) return undefined;
      }
      pushPieces(next, piece, withoutOverlap(places), replacement);
    }
    if (clock() > deadline) return undefined;
    pieces = next;
  }
  return pieces.join("");
}

function pushPieces(to: string[], piece: string, places: readonly Place[], replacement: string): void {
  let from = 0;
  for (const { start, end } of places) {
    to.push(piece.slice(from, start), replacement);
    from = end;
  }
  to.push(piece.slice(from));
}

/** @returns Undefined when the text is not a JSON object or list. */
function redactJsonText(text: string, state: State, depth: number): string | undefined {
  if (depth >= DEPTH_MAX || !/^\s{0,100}[[{"]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return undefined;
  }
  const redacted = redactJson(value, {
    ...state,
    surface: VALUES,
    path: [],
    depth: depth + 1,
    isContent: true,
  });
  return redacted === value ? text : JSON.stringify(redacted);
}

type Position = State & {
  readonly surface: Surface;
  /** Normalized keys and positions, from the outside in. */
  readonly path: string[];
  readonly depth: number;
  /** Whether the value is a plan's own, like arguments and outputs, and not one of our fields. */
  readonly isContent: boolean;
};

function redactJson(value: unknown, at: Position): unknown {
  if (typeof value === "string") return redactText(value, at, at.depth);
  if (typeof value === "number") return at.isContent ? redactNumber(value, at) : value;
  if (typeof value !== "object" || value === null) return value;
  if (at.path.length > LEVELS_MAX) return TOO_LONG;
  if (Array.isArray(value)) return redactList(value, at);
  if (JSON.isRawJSON(value)) return at.isContent ? redactNumber(value, at) : value;
  return redactObject(value as Readonly<Record<string, unknown>>, at);
}

/** A number becomes a text if a rule matches its digits. */
function redactNumber(value: number | RawJson, at: Position): unknown {
  const text = typeof value === "number" ? String(value) : value.rawJSON;
  const redacted = redactText(text, at, DEPTH_MAX);
  return redacted === text ? value : redacted;
}

function redactList(list: readonly unknown[], at: Position): unknown {
  let changed: unknown[] | undefined;
  for (const [index, entry] of list.entries()) {
    const redacted = redactAt(String(index), entry, at);
    if (redacted === entry) continue;
    changed ??= [...list];
    changed[index] = redacted;
  }
  return changed ?? list;
}

function redactObject(object: Readonly<Record<string, unknown>>, at: Position): unknown {
  let isChanged = false;
  const entries: [string, unknown][] = [];
  const { surface } = at;
  const names = new Map<string, number>();
  for (const [key, value] of Object.entries(object)) {
    const name = at.isContent ? unused(redactText(key, at, DEPTH_MAX), names) : key;
    const isContent = at.isContent || surface.isContentAt(key, object);
    const kept = surface.keeps(key, value, at);
    const redacted = kept ? value : redactAt(normalKey(key), value, { ...at, isContent });
    if (redacted !== value || name !== key) isChanged = true;
    entries.push([name, redacted]);
  }
  return isChanged ? Object.fromEntries(entries) : object;
}

/** Keeps two hidden keys distinct. */
function unused(name: string, taken: Map<string, number>): string {
  let free = name;
  let count = taken.get(name) ?? 0;
  for (; taken.has(free); count++) free = `${name} ${count + 1}`;
  taken.set(name, Math.max(count, 1));
  taken.set(free, taken.get(free) ?? 1);
  return free;
}

function redactAt(key: string, value: unknown, at: Position): unknown {
  const parts = key.split(".");
  at.path.push(...parts);
  const rule =
    value === null || value === undefined || (typeof value !== "string" && !at.isContent)
      ? undefined
      : at.rules.find(({ keys }) => keys?.names(at.path));
  const redacted = rule === undefined ? redactJson(value, at) : hidden(value, rule, at);
  at.path.length -= parts.length;
  return redacted;
}

/** Leaves a value unchanged that another rule has hidden. */
function hidden(value: unknown, { replacement }: Rule, at: Position): unknown {
  if (typeof value !== "string") return replacement;
  const pieces = at.split(value);
  const isHidden = pieces.length === 3 && pieces[0] === "" && pieces[2] === "";
  return value === "" || isHidden ? value : replacement;
}

function findReplacement(value: unknown, replacements: readonly string[]): string | undefined {
  if (typeof value === "string") return replacements.find((one) => value.includes(one));
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, entry] of Object.entries(value)) {
    const found = findReplacement(key, replacements) ?? findReplacement(entry, replacements);
    if (found !== undefined) return found;
  }
  return undefined;
}
