/**
 * Replaces the values of secrets by their references wherever a tool shows one: in outputs, errors, log lines, files.
 *
 * Recognises the value, its forms in JSON and in URLs, and its Base64. A tool that transforms a value in other ways, such as
 * hashing or splitting it, is not covered.
 */
import type { Json } from "@planwright/plan";

/** Shorter values would match in unrelated texts. */
export const SECRET_CHARS_MIN = 8;
const CAUSES_MAX = 5;
/** Minimum length at which a value that is cut off at the end of a text is recognised. */
const CUT_CHARS_MIN = 8;

export type SecretRedaction = {
  /** Replaces the value from now on, in addition to values that were added under the same name before. */
  readonly add: (name: string, value: string) => void;
  readonly text: (text: string) => string;
  readonly json: (value: Json) => Json;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  /** Changes the messages and stacks of the error and its causes; returns a new error if they cannot be changed. */
  readonly error: (error: unknown) => unknown;
};

/** Hides nothing before the first value is added. */
export function createSecretRedaction(): SecretRedaction {
  const references = new Map<string, string>();
  const values = new Map<string, string>();
  let pattern: RegExp | undefined;
  let bytePattern: RegExp | undefined;
  const byteReferences = new Map<string, string>();

  function add(name: string, value: string): void {
    const reference = `{{secret.${name}}}`;
    values.set(value, reference);
    for (const form of formsOf(value)) {
      references.set(form, reference);
      byteReferences.set(latin1(form), reference);
    }
    pattern = alternatives(references.keys());
    bytePattern = alternatives(byteReferences.keys());
  }
  function text(given: string): string {
    if (pattern === undefined) return given;
    return withoutCut(
      given.replaceAll(pattern, (form) => references.get(form) ?? ""),
      values,
    );
  }
  function json(value: Json): Json {
    if (pattern === undefined) return value;
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return values.get(String(value)) ?? value;
    if (Array.isArray(value)) return value.map(json);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [text(key), json(entry)]));
  }
  function bytes(given: Uint8Array): Uint8Array {
    if (bytePattern === undefined) return given;
    const before = Buffer.from(given).toString("latin1");
    const after = before.replaceAll(bytePattern, (form) => byteReferences.get(form) ?? "");
    return after === before ? given : Buffer.from(after, "latin1");
  }
  function error(given: unknown): unknown {
    if (pattern === undefined) return given;
    if (!(given instanceof Error)) return typeof given === "string" ? text(given) : given;
    let current: unknown = given;
    for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth++) {
      if (!hide(current, text)) return new Error(text(given.message));
      current = current.cause;
    }
    return given;
  }
  return { add, text, json, bytes, error };
}

/** Returns false when the error shows a value and cannot be changed. */
function hide(error: Error, text: (text: string) => string): boolean {
  for (const key of ["message", "stack"] as const) {
    const before = error[key];
    if (before === undefined) continue;
    const after = text(before);
    if (after !== before && !Reflect.set(error, key, after)) return false;
  }
  return true;
}

function formsOf(value: string): Set<string> {
  const bytes = Buffer.from(value);
  const escaped = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
  return new Set(forms);
}

/** Longest first, so that no form hides a longer one. */
function alternatives(forms: Iterable<string>): RegExp {
  const sorted = [...forms].toSorted((left, right) => right.length - left.length);
  return new RegExp(
    sorted.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join("|"),
    "g",
  );
}

/** Texts may be truncated: also removes the start of a value at the end. */
function withoutCut(text: string, values: ReadonlyMap<string, string>): string {
  if (text.length < CUT_CHARS_MIN) return text;
  const end = text.slice(-CUT_CHARS_MIN);
  for (const [value, reference] of values) {
    if (!value.includes(end)) continue;
    for (let chars = Math.min(value.length - 1, text.length); chars >= CUT_CHARS_MIN; chars--) {
      if (text.endsWith(value.slice(0, chars))) return text.slice(0, -chars) + reference;
    }
  }
  return text;
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
