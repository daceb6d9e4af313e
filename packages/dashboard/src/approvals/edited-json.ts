/** What a person makes of JSON in a text field. */
import type { Json, JsonObject } from "../api/api-types.ts";

export type Edited =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly value: JsonObject }
  | { readonly kind: "invalid"; readonly reason: string };

/** @param before - What was shown; the same value in another layout is no edit. */
export function readEdits(text: string, before: JsonObject): Edited {
  const value = parseJson(text);
  if ("reason" in value) return { kind: "invalid", reason: value.reason };
  const { json } = value;
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { kind: "invalid", reason: "wanted a JSON object, in braces" };
  }
  const isSame = JSON.stringify(json) === JSON.stringify(before);
  return isSame ? { kind: "same" } : { kind: "changed", value: json };
}

/** Text that is JSON as what it says, other text as it is: an answer may be either. */
export function readAnswer(text: string): Json {
  const value = parseJson(text);
  return "json" in value ? value.json : text;
}

function parseJson(text: string): { readonly json: Json } | { readonly reason: string } {
  try {
    return { json: JSON.parse(text) as Json };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}
