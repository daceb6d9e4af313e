/** Shrinks a JSON Schema: repeated parts are defined once, under `$defs`. */
import { isJsonObject, type Json } from "../values/json.ts";
import type { JsonSchema } from "../language/tool-spec.ts";

/** A shorter schema takes as many tokens as a reference to it. */
const SHARED_CHARS_MIN = 48;

/**
 * Returns the same schema with each repeated subschema defined once and referred to by `{"$ref": "#/$defs/a"}`.
 *
 * Supports the keywords that `draftSchema` writes: `properties`, `items` and `anyOf`.
 */
export function shareSchemas(schema: JsonSchema): JsonSchema {
  const counts = countSubschemas(schema);
  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};
  const share = (node: JsonSchema): JsonSchema => {
    const key = JSON.stringify(node);
    if (key.length < SHARED_CHARS_MIN || (counts.get(key) ?? 0) < 2) return withSubschemas(node, share);
    const known = names.get(key);
    const name = known ?? nameOf(names.size);
    names.set(key, name);
    if (known === undefined) definitions[name] = withSubschemas(node, share);
    return { $ref: `#/$defs/${name}` };
  };
  const shared = withSubschemas(schema, share);
  return names.size === 0 ? shared : { ...shared, $defs: definitions };
}

/** Returns a, b, …, z, aa: short, because names cost tokens too. */
function nameOf(index: number): string {
  const letter = String.fromCodePoint(0x61 + (index % 26));
  return index < 26 ? letter : nameOf(Math.floor(index / 26) - 1) + letter;
}

/** The number of occurrences of each subschema; those inside a repeated one count once. */
function countSubschemas(schema: JsonSchema): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (node: JsonSchema): JsonSchema => {
    const key = JSON.stringify(node);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    if (before === 0) withSubschemas(node, count);
    return node;
  };
  withSubschemas(schema, count);
  return counts;
}

function withSubschemas(node: JsonSchema, change: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: Json): Json => (isJsonObject(value) ? change(value) : value);
  const { properties, items, anyOf } = node;
  return {
    ...node,
    ...(properties !== undefined && isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, changed(value)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: changed(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(changed) } : {}),
  };
}
