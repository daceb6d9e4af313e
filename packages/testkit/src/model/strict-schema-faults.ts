/**
 * The rules of strict Structured Outputs, as OpenAI documents them and as far as other servers follow them:
 * https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas".
 */
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "@planwright/plan";
import { exceededLimits } from "@planwright/shared/model";

/** Keywords that every implementation knows; OpenAI knows a few more. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "description",
  "$ref",
]);
/** Anthropic's API refuses other names. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const SCHEMA_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What a strict server would refuse in a schema, with the place of each; nothing when it would take it. */
export function strictSchemaFaults(name: string, schema: JsonSchema): readonly string[] {
  const faults: string[] = [];
  if (!SCHEMA_NAME.test(name)) faults.push(`the name ${JSON.stringify(name)} is not allowed`);
  if (schema["type"] !== "object" || "anyOf" in schema) faults.push("root: wanted an object, not an anyOf");
  faults.push(...exceededLimits(schema));
  const { $defs = {}, ...root } = schema;
  const definitions = isJsonObject($defs) ? $defs : {};
  scan(root, "root", { faults, definitions });
  for (const [key, definition] of Object.entries(definitions)) {
    scan(definition, `$defs.${key}`, { faults, definitions });
  }
  return faults;
}

type Scan = { readonly faults: string[]; readonly definitions: JsonObject };

function scan(node: Json | undefined, path: string, { faults, definitions }: Scan): void {
  if (node === undefined || !isJsonObject(node)) {
    faults.push(`${path}: wanted a schema`);
    return;
  }
  for (const keyword of Object.keys(node)) {
    if (!KEYWORDS.has(keyword)) faults.push(`${path}: '${keyword}' is not permitted`);
  }
  const { type, anyOf, items, $ref } = node;
  if ($ref !== undefined) {
    if (Object.keys(node).length > 1) faults.push(`${path}: '$ref' must stand alone`);
    if (resolved(node, definitions) === undefined) faults.push(`${path}: '$ref' leads nowhere`);
    return;
  }
  if (type === undefined && !Array.isArray(anyOf) && !("enum" in node) && !("const" in node))
    faults.push(`${path}: schema must have a 'type' key`);
  if (type === "object" || "properties" in node) scanObject(node, path, { faults, definitions });
  if (type === "array") scan(items, `${path}[]`, { faults, definitions });
  if (Array.isArray(anyOf)) {
    for (const [index, one] of anyOf.entries()) scan(one, `${path}|${index}`, { faults, definitions });
    scanFirstKeys(anyOf, path, { faults, definitions });
  }
}

/** The schema that a local reference leads to, and any other schema itself. */
function resolved(node: Json, definitions: JsonObject): Json | undefined {
  if (!isJsonObject(node) || !("$ref" in node)) return node;
  const name = typeof node["$ref"] === "string" ? /^#\/\$defs\/(\w+)$/.exec(node["$ref"])?.[1] : undefined;
  return name === undefined || !Object.hasOwn(definitions, name) ? undefined : definitions[name];
}

function scanObject(node: JsonObject, path: string, { faults, definitions }: Scan): void {
  const { properties, required, additionalProperties } = node;
  if (additionalProperties !== false) faults.push(`${path}: 'additionalProperties' must be false`);
  const fields = properties !== undefined && isJsonObject(properties) ? Object.entries(properties) : [];
  const named = new Set(Array.isArray(required) ? required : []);
  for (const [name, property] of fields) {
    if (!named.has(name)) faults.push(`${path}: 'required' must include ${name}`);
    if (!PROPERTY_NAME.test(name))
      faults.push(`${path}: the property name ${JSON.stringify(name)} is refused`);
    scan(property, `${path}.${name}`, { faults, definitions });
  }
}

/** "Objects provided via 'anyOf' must not share identical first keys", unless a single value there tells them apart. */
function scanFirstKeys(variants: readonly Json[], path: string, { faults, definitions }: Scan): void {
  const seen = new Map<string, Set<string | undefined>>();
  for (const one of variants) {
    const variant = resolved(one, definitions) ?? null;
    const properties = isJsonObject(variant) ? variant["properties"] : undefined;
    const [first] = properties !== undefined && isJsonObject(properties) ? Object.entries(properties) : [];
    if (first === undefined) continue;
    const [name, schema] = first;
    const value = singleValue(schema);
    const values = seen.get(name);
    if (values !== undefined && (value === undefined || values.has(undefined) || values.has(value)))
      faults.push(`${path}: objects provided via 'anyOf' share the first key ${name}`);
    seen.set(name, (values ?? new Set()).add(value));
  }
}

function singleValue(schema: Json): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) && values.length === 1 ? JSON.stringify(values[0]) : undefined;
}
