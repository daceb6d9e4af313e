/** A tool's arguments by its schema: as rows for display, and as form fields. */
import type { Json, JsonObject } from "../api/api-types.ts";
import { isObject } from "../values/is-object.ts";
import { SCHEMA_FIELDS, TYPES } from "./system-words.ts";

export type SchemaField = {
  readonly name: string;
  /** The type as text, such as "text, at most 400 characters". */
  readonly type: string;
  readonly required: boolean;
  readonly about: string;
  readonly fallback: Json | undefined;
  readonly input: FieldInput;
};

/** The kind of field; `json` for anything without a simpler one. */
type FieldInput =
  | { readonly kind: "text" | "number" | "integer" | "json" }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

const FIELDS_MAX = 100;

export function fieldsOf(schema: JsonObject): SchemaField[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties)
    .slice(0, FIELDS_MAX)
    .map(([name, property]) => {
      const said = isObject(property) ? property : {};
      return {
        name,
        type: typeText(said),
        required: required.includes(name),
        about: typeof said["description"] === "string" ? said["description"] : "",
        fallback: said["default"],
        input: inputOf(said),
      };
    });
}

function inputOf(property: JsonObject): FieldInput {
  const choices = choicesOf(property);
  if (choices !== undefined) return { kind: "choice", choices };
  switch (property["type"]) {
    case "string":
      return { kind: "text" };
    case "number":
      return { kind: "number" };
    case "integer":
      return { kind: "integer" };
    case "boolean":
      return { kind: "flag" };
    default:
      return { kind: "json" };
  }
}

function choicesOf({ enum: choices }: JsonObject): readonly string[] | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.every((choice) => typeof choice === "string") ? choices : undefined;
}

function typeText(property: JsonObject): string {
  const choices = choicesOf(property);
  if (choices !== undefined) return choices.join(", ");
  const { type, items } = property;
  if (typeof type !== "string") return "any JSON";
  const name = Object.hasOwn(TYPES, type) ? TYPES[type] : type;
  const of = type === "array" && isObject(items) ? ` of ${typeText(items)}` : "";
  return [name + of, ...boundsOf(property)].join(", ");
}

function boundsOf(property: JsonObject): string[] {
  const bound = (key: string, words: (value: string) => string): string[] => {
    const value = property[key];
    return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER
      ? [words(value.toLocaleString("en"))]
      : [];
  };
  return [
    ...bound("minimum", (value) => `min ${value}`),
    ...bound("maximum", (value) => `max ${value}`),
    ...bound("maxLength", (value) => `max ${value} characters`),
    ...bound("maxItems", (value) => `max ${value}`),
  ];
}

/** The typed text by field name; empty text counts as no value. */
export type Typed = Readonly<Record<string, string>>;

/** Reads own properties only: tools are untrusted, and a field can have the name of an inherited property. */
export function typedIn(typed: Typed, name: string): string {
  return Object.hasOwn(typed, name) ? (typed[name] ?? "") : "";
}

type ReadArguments = { readonly args: JsonObject; readonly faults: Readonly<Record<string, string>> };

/** The arguments, and the errors by field name. */
export function readArguments(fields: readonly SchemaField[], typed: Typed): ReadArguments {
  const args: [string, Json][] = [];
  const faults: [string, string][] = [];
  for (const { name, required, input } of fields) {
    const text = typedIn(typed, name);
    if (text.trim() === "") {
      if (required) faults.push([name, SCHEMA_FIELDS.required]);
      continue;
    }
    const read = readOne(text, input);
    if ("fault" in read) faults.push([name, read.fault]);
    else args.push([name, read.value]);
  }
  return { args: Object.fromEntries(args), faults: Object.fromEntries(faults) };
}

function readOne(text: string, input: FieldInput): { readonly value: Json } | { readonly fault: string } {
  switch (input.kind) {
    case "text":
    case "choice":
      return { value: text };
    case "flag":
      return { value: text === "true" };
    case "number":
    case "integer": {
      const value = Number(text);
      const isRight = input.kind === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
      return isRight
        ? { value }
        : { fault: SCHEMA_FIELDS.notANumber(input.kind === "integer" ? "whole " : "") };
    }
    case "json":
      try {
        return { value: JSON.parse(text) as Json };
      } catch {
        return { fault: SCHEMA_FIELDS.notJson };
      }
    default:
      input satisfies never;
      return { fault: "unknown" };
  }
}
