/** A call's arguments as form fields, derived from the tool's schema and from the values that a model proposed. */
import type { Json, JsonObject } from "../api/api-types.ts";
import { fieldsOf } from "../system/schema-fields.ts";
import { isObject } from "../values/is-object.ts";
import { FAULTS } from "./approval-words.ts";
import { faultOf, isOfType } from "./check-argument.ts";

type FieldKind = "text" | "long-text" | "number" | "flag" | "choice" | "date" | "json";

export type ArgumentField = {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** The expected value as text, such as "text, max 400 characters"; empty if the schema doesn't name the argument. */
  readonly type: string;
  readonly about: string;
  /** The options of a choice. */
  readonly choices: readonly Json[];
  readonly schema: JsonObject;
  /** Whether the tool accepts the argument. */
  readonly isKnown: boolean;
};

/** The typed text, by argument name. */
export type Texts = ReadonlyMap<string, string>;

/** Text that is longer, or can become longer, gets several lines. */
const LINE_CHARS = 80;
const LINE_CHARS_MAX = 500;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The fields of a tool's arguments, in the order of its schema; then those of arguments that the schema doesn't name.
 *
 * @param schema - Undefined if the tool is unknown: then the values alone determine the fields.
 */
export function argumentFields(schema: JsonObject | undefined, args: JsonObject): readonly ArgumentField[] {
  const properties = isObject(schema?.["properties"]) ? schema["properties"] : {};
  const known = fieldsOf(schema ?? {}).map(({ name, type, required, about }) => {
    const property = properties[name];
    return { name, type, required, about, schema: isObject(property) ? property : {}, isKnown: true };
  });
  const named = new Set(known.map(({ name }) => name));
  const isOpen = schema === undefined || schema["additionalProperties"] !== false;
  const others = Object.keys(args)
    .filter((name) => !named.has(name))
    .map((name) => ({ name, type: "", required: false, about: "", schema: {}, isKnown: isOpen }));
  return [...known, ...others].map((field) => {
    const fitting = fittingSchema(field.schema, valueOf(args, field.name));
    const { enum: choices } = fitting;
    return {
      ...field,
      kind: kindOf(fitting, valueOf(args, field.name)),
      choices: Array.isArray(choices) ? choices : [],
    };
  });
}

/** The arguments as the text of the fields. */
export function textsOf(fields: readonly ArgumentField[], args: JsonObject): Texts {
  return new Map(fields.map(({ name, kind }) => [name, textOf(kind, valueOf(args, name))]));
}

type ReadFields = { readonly args: JsonObject; readonly faults: ReadonlyMap<string, string> };

/**
 * Reads the fields: the arguments, in the order of the proposed ones, and the error of each field. An empty field omits its
 * argument, but an empty text that was proposed, or that replaces a required one, stays.
 */
export function readFields(fields: readonly ArgumentField[], texts: Texts, proposed: JsonObject): ReadFields {
  const args = new Map<string, Json>(Object.entries(proposed));
  const faults = new Map<string, string>();
  for (const field of fields) {
    const { name, required, schema, isKnown } = field;
    const read = readText(field, texts.get(name) ?? "", valueOf(proposed, name));
    args.delete(name);
    if ("fault" in read) faults.set(name, read.fault);
    else if (read.value === undefined) {
      if (required) faults.set(name, FAULTS.required);
    } else {
      args.set(name, read.value);
      const fault = isKnown ? faultOf(schema, read.value) : FAULTS.unknown;
      if (fault !== undefined) faults.set(name, fault);
    }
  }
  const order = [...new Set([...Object.keys(proposed), ...fields.map(({ name }) => name)])];
  const entries = order.flatMap((name) => {
    const value = args.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { args: Object.fromEntries(entries), faults };
}

/** Picks the alternative that fits the value; without a value, the first. */
function fittingSchema(schema: JsonObject, value: Json | undefined): JsonObject {
  const alternatives = [schema["anyOf"], schema["oneOf"]].find((some) => Array.isArray(some)) ?? [];
  const objects = Array.isArray(alternatives) ? alternatives.filter(isObject) : [];
  const types = Array.isArray(schema["type"]) ? schema["type"] : [];
  const all = [...objects, ...types.map((type): JsonObject => ({ ...schema, type }))];
  const fitting = value === undefined ? all[0] : all.find((one) => isOfType(one["type"], value));
  return fitting ?? schema;
}

function kindOf(schema: JsonObject, value: Json | undefined): FieldKind {
  const kind = kindBySchema(schema, value);
  return value === undefined || canShow(kind, schema, value) ? kind : "json";
}

function kindBySchema(schema: JsonObject, value: Json | undefined): FieldKind {
  const { enum: choices, type = typeOf(value), format, maxLength } = schema;
  if (Array.isArray(choices)) return "choice";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "flag";
  if (type !== "string") return "json";
  if (format === "date") return "date";
  const isLong = typeof maxLength === "number" && maxLength > LINE_CHARS_MAX;
  const text = typeof value === "string" ? value : "";
  return isLong || text.length > LINE_CHARS || text.includes("\n") ? "long-text" : "text";
}

function typeOf(value: Json | undefined): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? typeof value
    : undefined;
}

function canShow(kind: FieldKind, { enum: choices }: JsonObject, value: Json): boolean {
  switch (kind) {
    case "choice":
      return (
        Array.isArray(choices) && choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))
      );
    case "number":
      return typeof value === "number";
    case "flag":
      return typeof value === "boolean";
    case "text":
    case "long-text":
      return typeof value === "string";
    case "date":
      return typeof value === "string" && DATE.test(value);
    case "json":
      return true;
    default:
      kind satisfies never;
      return false;
  }
}

function textOf(kind: FieldKind, value: Json | undefined): string {
  if (value === undefined) return "";
  if (kind === "choice") return JSON.stringify(value);
  if (kind === "json") return JSON.stringify(value, null, 2);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readText(
  { kind, required }: ArgumentField,
  text: string,
  before: Json | undefined,
): { readonly value: Json | undefined } | { readonly fault: string } {
  if (kind === "text" || kind === "long-text") {
    const isEmpty = text === "" && before !== "" && !(required && before !== undefined);
    return { value: isEmpty ? undefined : text };
  }
  if (text.trim() === "") return { value: undefined };
  switch (kind) {
    case "number": {
      const value = Number(text);
      return Number.isFinite(value) ? { value } : { fault: FAULTS.type(["number"]) };
    }
    case "flag":
      return { value: text === "true" };
    case "date":
      return { value: text };
    case "choice":
    case "json":
      try {
        return { value: JSON.parse(text) as Json };
      } catch {
        return { fault: FAULTS.json };
      }
    default:
      kind satisfies never;
      return { value: undefined };
  }
}

/** Reads own properties only: tools are untrusted, and an argument can have the name of an inherited property. */
function valueOf(args: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
