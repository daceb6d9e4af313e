/**
 * The shape of an argument that a model can be made to write, derived from the tool's JSON Schema.
 *
 * Strict structured output supports fixed objects, lists, scalars and their unions, five objects deep. Everything else that a
 * schema allows (maps, tuples, any value, deep nesting) is `free`: written as JSON text.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import type { JsonSchema } from "../language/tool-spec.ts";

export type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

export type Shape =
  | {
      readonly kind: "scalar";
      readonly types: readonly ScalarType[];
      readonly values?: readonly Json[];
      readonly note: string;
    }
  | { readonly kind: "list"; readonly items: Shape; readonly note: string }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field>; readonly note: string }
  | { readonly kind: "union"; readonly alternatives: readonly Shape[]; readonly note: string }
  /** Any value as JSON text; scalars of these types are also written directly. */
  | { readonly kind: "free"; readonly scalars: readonly ScalarType[]; readonly note: string };

export type Field = { readonly shape: Shape; readonly optional: boolean };

/** The arguments are one object below the step; one more level of objects stays within five. */
const OBJECTS_MAX = 2;
/** Limits recursion into schemas that refer to themselves. */
const STEPS_MAX = 16;
const ENUM_MAX = 100;
const NOTE_CHARS_MAX = 300;

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null"]);
const BEYOND = [
  "allOf",
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "prefixItems",
  "contains",
];

const shapes = new WeakMap<JsonSchema, Shape>();

/** The shape of a tool's arguments; read once per schema. */
export function argumentShape(input: JsonSchema): Shape {
  const known = shapes.get(input);
  if (known !== undefined) return known;
  const shape = shapeOf(input, { root: input, objects: 0, steps: 0 });
  shapes.set(input, shape);
  return shape;
}

type Place = { readonly root: JsonObject; readonly objects: number; readonly steps: number };

function shapeOf(schema: Json, above: Place): Shape {
  const place = { ...above, steps: above.steps + 1 };
  if (!isJsonObject(schema) || place.steps > STEPS_MAX) return anyValue("");
  const note = noteOf(schema);
  if (typeof schema["$ref"] === "string") return shapeOf(definition(schema["$ref"], place.root), place);
  if (BEYOND.some((keyword) => keyword in schema)) return anyValue(note);
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives))
    return unionOf(
      alternatives.map((one) => shapeOf(one, place)),
      note,
    );
  const values = "const" in schema ? [schema["const"] ?? null] : schema["enum"];
  if (Array.isArray(values)) return enumOf(values, note);
  const type = schema["type"] ?? ("properties" in schema ? "object" : undefined);
  if (Array.isArray(type))
    return unionOf(
      type.map((one) => shapeOf({ ...schema, type: one }, place)),
      note,
    );
  if (type === "object") return objectOf(schema, place, note);
  if (type === "array") return listOf(schema, place, note);
  return isScalarType(type) ? { kind: "scalar", types: [type], note } : anyValue(note);
}

function objectOf(schema: JsonObject, place: Place, note: string): Shape {
  const { properties, additionalProperties = false, required } = schema;
  const isOpen =
    additionalProperties !== false || (properties === undefined && schema["additionalProperties"] !== false);
  if (isOpen || place.objects >= OBJECTS_MAX) return { kind: "free", scalars: [], note };
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = new Map<string, Field>();
  const described = properties !== undefined && isJsonObject(properties) ? properties : {};
  for (const [name, property] of Object.entries(described)) {
    const hasDefault = isJsonObject(property) && "default" in property;
    const shape = shapeOf(property, { ...place, objects: place.objects + 1 });
    fields.set(name, { shape, optional: hasDefault || !needed.has(name) });
  }
  return { kind: "object", fields, note };
}

function listOf(schema: JsonObject, place: Place, note: string): Shape {
  const { items } = schema;
  if (items === undefined || !isJsonObject(items)) return { kind: "free", scalars: [], note };
  return { kind: "list", items: shapeOf(items, place), note };
}

function enumOf(values: readonly Json[], note: string): Shape {
  const types = new Set(values.map(typeOf));
  const scalars = [...types].filter(isScalarType);
  if (scalars.length < types.size) return anyValue(note);
  return { kind: "scalar", types: scalars, note, ...(values.length > ENUM_MAX ? {} : { values }) };
}

/** Flattens unions. Next to free values, alternatives that contain free values themselves add nothing. */
function unionOf(alternatives: readonly Shape[], note: string): Shape {
  const flat = alternatives.flatMap((one) => (one.kind === "union" ? one.alternatives : [one]));
  const free = flat.filter((one) => one.kind === "free");
  const others = flat.filter((one) => one.kind !== "free" && (free.length === 0 || !holdsFree(one)));
  const kept = [...others, ...free];
  const [only] = kept;
  if (kept.length === 1 && only !== undefined) return { ...only, note: note || only.note };
  return { kind: "union", alternatives: kept, note };
}

function holdsFree(shape: Shape): boolean {
  switch (shape.kind) {
    case "scalar":
      return false;
    case "free":
      return true;
    case "list":
      return holdsFree(shape.items);
    case "object":
      return [...shape.fields.values()].some((field) => holdsFree(field.shape));
    case "union":
      return shape.alternatives.some(holdsFree);
    default:
      shape satisfies never;
      return true;
  }
}

function anyValue(note: string): Shape {
  return { kind: "free", scalars: ["string", "number", "boolean", "null"], note };
}

function definition(pointer: string, root: JsonObject): Json {
  let value: Json = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    value = isJsonObject(value) && Object.hasOwn(value, key) ? (value[key] ?? true) : true;
  }
  return pointer.startsWith("#") ? value : true;
}

/** The description, and the constraints that strict output does not support, as text. */
function noteOf(schema: JsonObject): string {
  const parts: string[] = [];
  const say = (keyword: string, text: (value: string) => string): void => {
    const value = schema[keyword];
    if (typeof value === "string") parts.push(text(value));
    else if (typeof value === "boolean") parts.push(text(String(value)));
    // The bounds of the integer type itself are not worth noting.
    else if (typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER)
      parts.push(text(String(value)));
  };
  say("description", (text) => text.replace(/\.$/, ""));
  say("format", (format) => `format: ${format}`);
  // If a description explains a text, the check of a step reports its faults.
  if (typeof schema["description"] !== "string") say("pattern", (pattern) => `matches ${pattern}`);
  // A count is obviously not negative.
  if (schema["minimum"] !== 0 && schema["minimum"] !== 1) say("minimum", (limit) => `min ${limit}`);
  say("maximum", (limit) => `max ${limit}`);
  say("exclusiveMinimum", (limit) => `more than ${limit}`);
  say("exclusiveMaximum", (limit) => `less than ${limit}`);
  say("multipleOf", (factor) => `a multiple of ${factor}`);
  say("default", (value) => `default ${value}`);
  return parts.join("; ").slice(0, NOTE_CHARS_MAX);
}

export function typeOf(value: Json): ScalarType | "list" | "object" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "object";
}

function isScalarType(type: Json | undefined): type is ScalarType {
  return typeof type === "string" && SCALARS.has(type);
}
