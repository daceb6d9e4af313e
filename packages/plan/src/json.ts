import { z } from "zod";

/** What `JSON.parse` can yield. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * A value that was decoded from JSON, and is therefore JSON: nothing inside it is looked at again.
 *
 * The cast is sound only for values that come off the wire; build such values from JSON, never from objects.
 */
export const JsonValue = z.unknown() as z.ZodType<Json>;

/** A JSON object decoded from the wire. */
export const JsonObject = z.record(z.string(), JsonValue);
export type JsonObject = z.infer<typeof JsonObject>;

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
