import { z } from "zod";

export { isJsonObject, isObject, nestsDeeper, parseJson } from "./json-guards.ts";

/** Any value that `JSON.parse` can return. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * A value that was decoded from JSON, and is therefore JSON: its contents are not checked again.
 *
 * The cast is only sound for values that come off the wire; build such values from JSON, never from objects.
 */
export const JsonValue = z.unknown() as z.ZodType<Json>;

/** A JSON object decoded from the wire. */
export const JsonObject = z.record(z.string(), JsonValue);
export type JsonObject = z.infer<typeof JsonObject>;
