/** Mends arguments of the wrong type with an unambiguous meaning: `"5"` where a number is expected. */
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import { isReferenceObject } from "../language/references.ts";
import type { JsonSchema } from "../language/tool-spec.ts";
import { argumentShape, type ScalarType, type Shape } from "./argument-shape.ts";

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

export type NoteMend = (mend: string) => void;

/** Returns the arguments with such values converted to the types in the tool's schema; the same object if there are none. */
export function mendArguments(args: JsonObject, input: JsonSchema, note: NoteMend): JsonObject {
  const mended = mend(args, argumentShape(input), "args", note);
  return isJsonObject(mended) ? mended : args;
}

function mend(value: Json, shape: Shape, path: string, note: NoteMend): Json {
  if (typeof value === "string") return mendText(value, shape, path, note);
  if (typeof value !== "object" || value === null || isReferenceObject(value)) return value;
  if (Array.isArray(value)) {
    const list = onlyOf(shape, "list");
    return list === undefined
      ? value
      : value.map((entry, index) => mend(entry, list.items, `${path}[${index}]`, note));
  }
  const object = onlyOf(shape, "object");
  if (object === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const field = object.fields.get(name);
      return [name, field === undefined ? entry : mend(entry, field.shape, `${path}.${name}`, note)];
    }),
  );
}

function mendText(value: string, shape: Shape, path: string, note: NoteMend): Json {
  const types = scalarTypes(shape);
  if (types === undefined || types.has("string")) return value;
  const meant = meantBy(value.trim(), types);
  if (meant === undefined) return value;
  note(`read ${JSON.stringify(value)} at ${path} as ${JSON.stringify(meant)}`);
  return meant;
}

function meantBy(text: string, types: ReadonlySet<ScalarType>): number | boolean | undefined {
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (!NUMBER.test(text)) return undefined;
  const number = Number(text);
  if (types.has("number") || (types.has("integer") && Number.isInteger(number))) return number;
  return undefined;
}

/** The types of a value that is neither object nor list; undefined if any value is allowed. */
function scalarTypes(shape: Shape): ReadonlySet<ScalarType> | undefined {
  switch (shape.kind) {
    case "scalar":
      return new Set(shape.types);
    case "free":
      return undefined;
    case "list":
    case "object":
      return new Set();
    case "union": {
      const types = new Set<ScalarType>();
      for (const one of shape.alternatives) {
        const more = scalarTypes(one);
        if (more === undefined) return undefined;
        for (const type of more) types.add(type);
      }
      return types;
    }
    default:
      return shape satisfies never;
  }
}

/** The single alternative of a kind; undefined if there are several. */
function onlyOf<Kind extends "list" | "object">(
  shape: Shape,
  kind: Kind,
): (Shape & { readonly kind: Kind }) | undefined {
  const isOfKind = (one: Shape): one is Shape & { readonly kind: Kind } => one.kind === kind;
  const alternatives = shape.kind === "union" ? shape.alternatives : [shape];
  const [only, another] = alternatives.filter(isOfKind);
  return another === undefined ? only : undefined;
}
