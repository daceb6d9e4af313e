import type { Json } from "./json.ts";
import { isJsonObject } from "./json-guards.ts";

const INLINE_CHARS_MAX = 200;
const INDENT = "  ";

/**
 * Formats a JSON value as readable text: nested Markdown bullets, one for each field or item. Text is unchanged, other scalars
 * are written as JSON.
 *
 * The value must not be nested deeper than the call stack allows.
 */
export function readableValue(value: Json): string {
  if (isScalar(value)) return scalarText(value);
  if (isEmpty(value)) return "none";
  const lines = linesOf(value, "");
  const [only] = lines;
  return lines.length === 1 && only !== undefined && isJsonObject(value)
    ? only.slice("- ".length)
    : lines.join("\n");
}

/** The same on one line if it is short enough; otherwise undefined. */
export function inlineValue(value: Json): string | undefined {
  return inlineText(value, true);
}

function linesOf(value: Exclude<Json, string | number | boolean | null>, indent: string): string[] {
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, entry]: [string, Json]) => {
    const label = isList ? "" : `${key}:`;
    const inline = inlineText(entry, isList);
    if (inline !== undefined) return `${indent}- ${[label, inline].filter((part) => part !== "").join(" ")}`;
    const head = `${indent}- ${isList ? `${Number(key) + 1}:` : label}`;
    if (isScalar(entry)) return [head, ...textLines(scalarText(entry), indent + INDENT)];
    return [head, ...linesOf(entry, indent + INDENT)];
  });
}

/** On one line, if it is short enough: a scalar, a list of scalars, or, as an item of a list, a record of scalars. */
function inlineText(value: Json, isItem: boolean): string | undefined {
  if (isScalar(value)) {
    const text = scalarText(value);
    return text.includes("\n") ? undefined : text;
  }
  if (isEmpty(value)) return "none";
  if (!isItem && isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  if (!entries.every(([, entry]: [string, Json]) => isScalar(entry))) return undefined;
  const parts = entries.map(([key, entry]: [string, Json]) => {
    const text = isScalar(entry) ? scalarText(entry) : "";
    return Array.isArray(value) ? text : `${key}: ${text}`;
  });
  const text = parts.join(", ");
  return text.length > INLINE_CHARS_MAX || text.includes("\n") ? undefined : text;
}

function textLines(text: string, indent: string): string[] {
  return text.split("\n").map((line) => (line === "" ? "" : indent + line));
}

function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

function isEmpty(value: Exclude<Json, string | number | boolean | null>): boolean {
  return Object.keys(value).length === 0;
}

function scalarText(value: string | number | boolean | null): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
