/**
 * How references and JSON text are written where a model reads or writes them.
 *
 * The plan language says `{"$ref": "s1.output"}`. A schema that has a property of that name cannot be sent to a model
 * server: llama.cpp (and Ollama and LM Studio, which build on it) reads every `$ref` key of a schema as a reference to another
 * schema and answers with HTTP 500. Anthropic's API accepts letters, digits, `_`, `.` and `-` only in property names. So a model
 * writes `{"__ref": "s1.output"}`. Replies are read with either key.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";

/** The key of a reference in everything that a model reads or writes. */
export const WIRE_REFERENCE = "__ref";
/** The key of a value that a model writes as JSON text, because its schema has no fixed shape. */
export const WIRE_JSON = "__json";

const REFERENCE = "$ref";
/** Deeper values are left as they are; the check of a step refuses them. */
const DEPTH_MAX = 128;

/** A value of the plan language as a model should see it. */
export function toWire(value: Json): Json {
  return renameKey(value, { from: REFERENCE, to: WIRE_REFERENCE }, 0);
}

/** A value as a model wrote it, in the plan language. */
export function fromWire(value: Json): Json {
  return renameKey(value, { from: WIRE_REFERENCE, to: REFERENCE }, 0);
}

/** Text for a model that quotes references, such as a tool's description: `{"$ref": …}` becomes `{"__ref": …}`. */
export function toWireText(text: string): string {
  return text.replaceAll(/(\\*")\$ref\1/g, `$1${WIRE_REFERENCE}$1`);
}

type Renaming = { readonly from: string; readonly to: string };

/** An object that already has the new key keeps both: it is malformed, and the check says so. */
function renameKey(value: Json, keys: Renaming, depth: number): Json {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((entry) => renameKey(entry, keys, depth + 1));
  return isJsonObject(value) ? renamedEntries(value, keys, depth) : value;
}

function renamedEntries(object: JsonObject, keys: Renaming, depth: number): JsonObject {
  const renames = typeof object[keys.from] === "string" && !Object.hasOwn(object, keys.to);
  return Object.fromEntries(
    Object.entries(object).map(([key, entry]) => [
      renames && key === keys.from ? keys.to : key,
      renameKey(entry, keys, depth + 1),
    ]),
  );
}
