/**
 * How references and JSON text are written in model input and output.
 *
 * The plan language uses `{"$ref": "s1.output"}`. A schema with a property of that name cannot be sent to a model server:
 * llama.cpp (and Ollama and LM Studio, which build on it) reads every `$ref` key of a schema as a reference to another schema and
 * responds with HTTP 500. Anthropic's API accepts only letters, digits, `_`, `.` and `-` in property names. So a model writes
 * `{"__ref": "s1.output"}`. Replies can use either key.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";

/** The key of a reference in model input and output. */
export const WIRE_REFERENCE = "__ref";
/** The key of a value that a model writes as JSON text, because its schema has no fixed shape. */
export const WIRE_JSON = "__json";

const REFERENCE = "$ref";
/** Deeper values stay unchanged; the check of a step refuses them. */
const DEPTH_MAX = 128;

/** Converts a value of the plan language for a model. */
export function toWire(value: Json): Json {
  return renameKey(value, { from: REFERENCE, to: WIRE_REFERENCE }, 0);
}

/** Converts a model's value to the plan language. */
export function fromWire(value: Json): Json {
  return renameKey(value, { from: WIRE_REFERENCE, to: REFERENCE }, 0);
}

/** Converts text for a model that quotes references, such as a tool's description: `{"$ref": …}` becomes `{"__ref": …}`. */
export function toWireText(text: string): string {
  return text.replaceAll(/(\\*")\$ref\1/g, `$1${WIRE_REFERENCE}$1`);
}

type Renaming = { readonly from: string; readonly to: string };

/** An object that already has the new key keeps both: it is malformed, and the check reports it. */
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
