/** JSON that a user has written. */
import type { Json, JsonObject } from "../api/api-types.ts";
import { isObject } from "./is-object.ts";

type ReadJson<Value> = { readonly json: Value } | { readonly reason: string };

export function readJson(text: string): ReadJson<Json> {
  try {
    return { json: JSON.parse(text) as Json };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** @param wanted - The error message for JSON that is not an object. */
export function readJsonObject(text: string, wanted: string): ReadJson<JsonObject> {
  const read = readJson(text);
  if ("reason" in read) return read;
  const { json } = read;
  return isObject(json) ? { json } : { reason: wanted };
}
