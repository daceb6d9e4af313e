/**
 * Size limits of the schemas sent to a server for structured output.
 *
 * The values are those of OpenAI's Structured Outputs (https://platform.openai.com/docs/guides/structured-outputs,
 * "Supported schemas"), the strictest documented ones. A larger schema is sent as part of the prompt instead.
 */
import { isJsonObject, type Json, type JsonSchema } from "@planwright/plan";

export const SCHEMA_LIMITS = {
  /** Properties of all objects. */
  properties: 5_000,
  /** Nesting of objects, including the root. */
  nesting: 10,
  /** Values of all enums. */
  enumValues: 1_000,
  /** Characters of all names of properties and definitions, and of all values of enums and constants. */
  nameChars: 120_000,
  /** A string enum with more values than this has its own limit. */
  largeEnumValues: 250,
  /** Characters of all values of such an enum. */
  largeEnumChars: 15_000,
} as const;

export type SchemaSize = {
  properties: number;
  nesting: number;
  enumValues: number;
  nameChars: number;
  /** Of the largest string enum with more than `largeEnumValues` values. */
  largeEnumChars: number;
};

const known = new WeakMap<JsonSchema, readonly string[]>();

/** Describes the limits that a schema exceeds: `1,204 enum values (max 1,000)`; empty when a server accepts the schema. */
export function exceededLimits(schema: JsonSchema): readonly string[] {
  const exceeded = known.get(schema) ?? exceededBy(schemaSize(schema));
  known.set(schema, exceeded);
  return exceeded;
}

function exceededBy(size: SchemaSize): readonly string[] {
  const wanted = [
    [size.properties, SCHEMA_LIMITS.properties, "object properties"],
    [size.nesting, SCHEMA_LIMITS.nesting, "levels of objects"],
    [size.enumValues, SCHEMA_LIMITS.enumValues, "enum values"],
    [size.nameChars, SCHEMA_LIMITS.nameChars, "characters of names and enum values"],
    [size.largeEnumChars, SCHEMA_LIMITS.largeEnumChars, "characters of one enum"],
  ] as const;
  return wanted.flatMap(([count, max, what]) => (count > max ? [`${count} ${what} (max ${max})`] : []));
}

export function schemaSize(schema: JsonSchema): SchemaSize {
  const size: SchemaSize = { properties: 0, nesting: 0, enumValues: 0, nameChars: 0, largeEnumChars: 0 };
  // Iterative, since a tool's schema is untrusted.
  const pending: { node: Json; objects: number }[] = [{ node: schema, objects: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, objects } = next;
    if (!isJsonObject(node)) continue;
    addValues(size, node);
    const { properties, $defs, items, anyOf } = node;
    const inside = objects + (properties === undefined ? 0 : 1);
    size.nesting = Math.max(size.nesting, inside);
    const fields = entriesOf(properties);
    size.properties += fields.length;
    for (const [name, value] of [...fields, ...entriesOf($defs)]) {
      size.nameChars += name.length;
      pending.push({ node: value, objects: inside });
    }
    if (items !== undefined) pending.push({ node: items, objects: inside });
    for (const one of Array.isArray(anyOf) ? anyOf : []) pending.push({ node: one, objects: inside });
  }
  return size;
}

function addValues(size: SchemaSize, node: Readonly<Record<string, Json>>): void {
  const values = Array.isArray(node["enum"]) ? node["enum"] : [];
  const texts = values.filter((value) => typeof value === "string");
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  size.enumValues += values.length;
  size.nameChars += chars;
  if (typeof node["const"] === "string") size.nameChars += node["const"].length;
  if (texts.length > SCHEMA_LIMITS.largeEnumValues)
    size.largeEnumChars = Math.max(size.largeEnumChars, chars);
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return value !== undefined && isJsonObject(value) ? Object.entries(value) : [];
}
