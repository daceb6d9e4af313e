/** Type checks for decoded JSON values, without schemas. */
import type { Json, JsonObject } from "./json.ts";

/** Whether any value is an object with named fields, not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether lists and objects are nested more than this many levels deep; descends no further than needed. */
export function nestsDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => nestsDeeper(entry, levels - 1));
}

/** Parses JSON text; undefined if it is invalid. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse returns JSON and nothing else.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
