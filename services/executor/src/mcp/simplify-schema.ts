/**
 * The part of an untrusted JSON Schema that is safe to validate with.
 *
 * A schema is a program: a pattern can take hours on a long text, and references to each other can double the work at each level.
 * The result is a tree of bounded size with keywords that take bounded time; the server has to check the rest.
 */
import { isJsonObject, type Json, type JsonObject } from "@planwright/plan";

const NODES_MAX = 2_000;
const LEVELS_MAX = 24;
const BYTES_MAX = 64 * 1024;
const TEXT_CHARS_MAX = 500;

const SCHEMAS = ["additionalProperties", "items"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const PLAIN = new Set(
  [
    ["type", "enum", "const", "default", "required"],
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
  ].flat(),
);
const TEXTS = new Set(["title", "description"]);

type Walk = { readonly root: JsonObject; readonly budget: { nodes: number } };
type Place = { readonly level: number; readonly inside: readonly string[] };

/**
 * @returns The schema with its references inlined; a recursive reference becomes any value.
 * @throws {RangeError} When the schema is too large.
 */
export function simplifySchema(schema: JsonObject): JsonObject {
  const walk: Walk = { root: schema, budget: { nodes: NODES_MAX } };
  const simple = simplify(schema, walk, { level: 0, inside: [] });
  if (Buffer.byteLength(JSON.stringify(simple)) > BYTES_MAX) throw tooLarge();
  return isJsonObject(simple) ? simple : {};
}

function simplify(schema: Json, walk: Walk, place: Place): Json {
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema)) return {};
  walk.budget.nodes -= 1;
  if (walk.budget.nodes < 0 || place.level > LEVELS_MAX) throw tooLarge();
  const ref = schema["$ref"];
  if (typeof ref === "string") return follow(ref, schema, walk, place);
  const below = { ...place, level: place.level + 1 };
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (PLAIN.has(key)) kept.push([key, value]);
    else if (TEXTS.has(key) && typeof value === "string") kept.push([key, value.slice(0, TEXT_CHARS_MAX)]);
    else if (key === "properties" && isJsonObject(value)) kept.push([key, propertiesOf(value, walk, below)]);
    else if (SCHEMAS.includes(key)) kept.push([key, simplify(value, walk, below)]);
    else if (LISTS.includes(key) && Array.isArray(value)) {
      kept.push([key, value.map((one) => simplify(one, walk, below))]);
    }
  }
  return Object.fromEntries(kept);
}

function propertiesOf(properties: JsonObject, walk: Walk, below: Place): JsonObject {
  const named = Object.entries(properties).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(named.map(([name, value]) => [name, simplify(value, walk, below)]));
}

/** Keywords beside a reference apply to the same value. */
function follow(ref: string, schema: JsonObject, walk: Walk, place: Place): Json {
  const target = place.inside.includes(ref) ? undefined : definition(ref, walk.root);
  if (target === undefined) return {};
  const found = simplify(target, walk, { level: place.level + 1, inside: [...place.inside, ref] });
  const { $ref: _ref, ...beside } = schema;
  const own = simplify(beside, walk, place);
  return isJsonObject(found) && isJsonObject(own) ? { ...found, ...own } : found;
}

function definition(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith("#/")) return undefined;
  let found: Json | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = found !== undefined && isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function tooLarge(): RangeError {
  return new RangeError(
    `wanted a schema of at most ${BYTES_MAX} bytes, ${NODES_MAX} parts and ${LEVELS_MAX} levels`,
  );
}
