/**
 * Checks JSON Schemas against llama.cpp: the rules of `common/json-schema-to-grammar.cpp`, with which Ollama, LM Studio and
 * llama-server constrain a model to a schema.
 *
 * A fault is anything that it rejects (HTTP 500 from the servers), or compiles to something other than the schema's meaning.
 */
import { isJsonObject, type Json, type JsonObject } from "@planwright/plan";

/** `llama-grammar.cpp` rejects rules with more repetitions. */
const REPETITIONS_MAX = 2_000;
const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const FORMATS = /^(?:uuid[1-5]?|date|time|date-time)$/;
/** Keywords that it ignores. */
const IGNORED = [
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "contains",
  "minContains",
  "maxContains",
  "uniqueItems",
  "multipleOf",
  "unevaluatedProperties",
  "unevaluatedItems",
];
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Returns the parts of a schema that llama.cpp would reject or misread, with their paths; empty if it compiles as intended. */
export function grammarFaults(schema: Json): readonly string[] {
  const faults: string[] = [];
  scanReferences(schema, schema, "", faults);
  scanSchema(schema, "", faults);
  return faults;
}

/**
 * It looks for `$ref` in every object before it knows which objects are schemas, so a property of that name counts as well. It
 * extracts `$defs` from every object in the same way.
 */
function scanReferences(node: Json, root: Json, path: string, faults: string[]): void {
  if (Array.isArray(node)) {
    for (const [index, entry] of node.entries()) scanReferences(entry, root, `${path}[${index}]`, faults);
    return;
  }
  if (!isJsonObject(node)) return;
  if (path !== "" && "$defs" in node) faults.push(`${path}: $defs outside of the root is moved there`);
  if ("$ref" in node) {
    const fault = faultOfReference(node["$ref"], root);
    if (fault !== undefined) faults.push(`${path}: ${fault}`);
    return;
  }
  for (const [key, entry] of Object.entries(node)) scanReferences(entry, root, `${path}.${key}`, faults);
}

function faultOfReference(reference: Json | undefined, root: Json): string | undefined {
  if (typeof reference !== "string") return "$ref is no text: the server throws a type error";
  if (reference.startsWith("https://")) return `${reference} would have to be fetched`;
  if (!reference.startsWith("#/")) return `Unsupported ref: ${reference}`;
  let target: Json | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    if (Array.isArray(target)) target = target[Number(part)];
    else target = target !== undefined && isJsonObject(target) ? target[part] : undefined;
  }
  return target === undefined ? `Error resolving ref ${reference}` : undefined;
}

/** Follows its `visit`: the first rule that applies to a schema decides, and the rest of the schema is ignored. */
function scanSchema(node: Json, path: string, faults: string[]): void {
  const say = (message: string): void => void faults.push(`${path === "" ? "root" : path}: ${message}`);
  if (!isJsonObject(node)) {
    say("a schema that is no object");
    return;
  }
  for (const keyword of IGNORED) if (keyword in node) say(`${keyword} is ignored`);
  if ("$ref" in node) return;
  const alternatives = node["oneOf"] ?? node["anyOf"];
  if (Array.isArray(alternatives)) {
    for (const [index, one] of alternatives.entries()) scanSchema(one, `${path}|${index}`, faults);
    return;
  }
  const { type } = node;
  if (Array.isArray(type)) {
    for (const one of type) scanSchema({ ...node, type: one }, path, faults);
    return;
  }
  if ("const" in node || "enum" in node) return;
  if (type !== undefined && (typeof type !== "string" || !TYPES.has(type))) {
    say(`Unrecognized schema: type ${JSON.stringify(type)}`);
  } else if ("properties" in node) scanObject(node, path, say, faults);
  else if ("allOf" in node) say("allOf is only merged as far as its parts have properties");
  else if ("items" in node || "prefixItems" in node) scanList(node, path, say, faults);
  else scanScalar(node, say);
}

type Say = (message: string) => void;

function scanObject(node: JsonObject, path: string, say: Say, faults: string[]): void {
  const { properties, additionalProperties } = node;
  if (additionalProperties === undefined) say("properties beside the named ones are refused, not allowed");
  if (properties === undefined || !isJsonObject(properties)) {
    say("properties is no object");
    return;
  }
  for (const [name, property] of Object.entries(properties)) scanSchema(property, `${path}.${name}`, faults);
  if (isJsonObject(additionalProperties ?? null)) {
    scanSchema(additionalProperties ?? null, `${path}.*`, faults);
  }
}

function scanList(node: JsonObject, path: string, say: Say, faults: string[]): void {
  const items = node["items"] ?? node["prefixItems"];
  if (Array.isArray(items)) {
    for (const [index, item] of items.entries()) scanSchema(item, `${path}[${index}]`, faults);
    return;
  }
  if (typeof items === "boolean") say("items is no schema: the server throws a type error");
  else scanSchema(items ?? null, `${path}[]`, faults);
  refuseRepetition(node, ["minItems", "maxItems"], say);
}

function scanScalar(node: JsonObject, say: Say): void {
  const { type, pattern, format } = node;
  if (typeof pattern === "string") {
    scanPattern(pattern, say);
    if ("minLength" in node || "maxLength" in node) say("a length beside a pattern is ignored");
    return;
  }
  if (typeof format === "string" && !FORMATS.test(format)) say(`format ${format} is ignored`);
  if (type === "string") refuseRepetition(node, ["minLength", "maxLength"], say);
  if (type === "number" && BOUNDS.some((bound) => bound in node)) say("bounds of a number are ignored");
}

function refuseRepetition(node: JsonObject, keywords: readonly string[], say: Say): void {
  for (const keyword of keywords) {
    const count = node[keyword];
    if (typeof count === "number" && count >= REPETITIONS_MAX)
      say(`${keyword} ${count}: a rule is repeated too often (max ${REPETITIONS_MAX - 1})`);
  }
}

function scanPattern(pattern: string, say: Say): void {
  if (!pattern.startsWith("^") || !pattern.endsWith("$")) say("Pattern must start with '^' and end with '$'");
  if (/\(\?[^:]/.test(pattern)) say("Unsupported pattern syntax");
  if (/\\[dDwWsSbBpP]/.test(pattern)) say("a class of characters in a pattern is taken for letters");
  for (const [, low, high] of pattern.matchAll(/\{(\d*),?(\d*)\}/g)) {
    if (Number(low) >= REPETITIONS_MAX || Number(high) >= REPETITIONS_MAX)
      say("a repetition in a pattern is too long");
  }
}
