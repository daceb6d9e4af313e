import type { ToolSpec } from "../language/tool-spec.ts";
import { argumentShape, type Shape } from "./argument-shape.ts";

/** A tool's arguments on one line, in the form that models read best: `docs.search {query: string, limit?: integer}`. */
export function toolSignature({ name, input }: Pick<ToolSpec, "name" | "input">): string {
  return `${name} ${shapeText(argumentShape(input))}`;
}

/** Describes a tool's arguments by type and note, texts with a note only by the note; `?` marks optional ones. */
export function describeArguments({
  input,
}: Pick<ToolSpec, "input">): Readonly<Record<string, string>> | string {
  const shape = argumentShape(input);
  if (shape.kind !== "object") return shapeText(shape);
  const described = Array.from(shape.fields, ([name, { shape: field, optional }]): [string, string] => [
    optional ? `${name}?` : name,
    argumentText(field),
  ]);
  return Object.fromEntries(described);
}

function argumentText(shape: Shape): string {
  const type = shapeText(shape);
  if (shape.note === "") return type;
  return type === "string" ? shape.note : `${type}: ${shape.note}`;
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case "scalar":
      return shape.values === undefined
        ? shape.types.join(" | ")
        : shape.values.map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      return `[${shapeText(shape.items)}, …]`;
    case "object": {
      const fields = Array.from(
        shape.fields,
        ([name, field]) => `${name}${field.optional ? "?" : ""}: ${shapeText(field.shape)}`,
      );
      return `{${fields.join(", ")}}`;
    }
    case "union":
      return [...new Set(shape.alternatives.map(shapeText))].join(" | ");
    case "free":
      return "any";
    default:
      return shape satisfies never;
  }
}
