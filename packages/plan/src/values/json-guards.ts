/** What a decoded JSON value is, told without a schema. */
import type { Json, JsonObject } from "./json.ts";

/** Whether a value of any origin is an object with names, not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether lists and objects stand inside one another on more than this many levels; goes no deeper to find out. */
export function nestsDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => nestsDeeper(entry, levels - 1));
}

/** The value that a text of JSON says; undefined when the text is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse yields JSON and nothing else.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
