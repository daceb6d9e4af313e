import { z } from "zod";
import type { FieldIssue } from "@planwright/api";

const ISSUES_MAX = 20;

/**
 * Lists the values that JSON can carry to the gateway but that would not come back unchanged from the log: NUL characters,
 * unpaired surrogates, numbers that are too large to represent, and keys that an object cannot hold. Returns up to the first 20.
 *
 * @param root - A decoded JSON value, not nested too deeply for the stack.
 */
export function unsafeValues(root: unknown): FieldIssue[] {
  return [...faultsIn(root, []).take(ISSUES_MAX)];
}

function* faultsIn(value: unknown, path: readonly PropertyKey[]): Generator<FieldIssue, undefined> {
  if (typeof value === "string") yield* faultsOfText(value, path);
  else if (typeof value === "number" && !Number.isFinite(value)) {
    yield { field: z.core.toDotPath(path), message: `wanted a finite number, got ${value}` };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* faultsIn(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* faultsOfText(key, path);
      if (key === "__proto__") {
        yield { field: z.core.toDotPath(path), message: 'wanted no key named "__proto__": it is reserved' };
      }
      yield* faultsIn(inner, [...path, key]);
    }
  }
  return undefined;
}

function* faultsOfText(text: string, path: readonly PropertyKey[]): Generator<FieldIssue, undefined> {
  const field = z.core.toDotPath(path);
  if (text.includes("\0")) yield { field, message: "wanted text without NUL characters, got one" };
  if (!text.isWellFormed()) yield { field, message: "wanted well-formed Unicode, got a lone surrogate" };
  return undefined;
}
