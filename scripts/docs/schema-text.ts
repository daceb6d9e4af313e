/** JSON Schemas as one line of text, for tables. */
import { z } from "zod";

const Node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
});
export type SchemaNode = z.infer<typeof Node>;

export function readSchema(value: unknown): SchemaNode {
  return Node.parse(value);
}

/** `text`, `"a" or "b"`, `list of {name: text}`; objects are written out to two levels. */
export function schemaText(value: unknown, depth = 0): string {
  if (typeof value === "boolean") return "any JSON";
  const node = readSchema(value);
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((entry) => JSON.stringify(entry)).join(" or ");
  if (node.anyOf !== undefined) return node.anyOf.map((entry) => schemaText(entry, depth)).join(" or ");
  if (node.type === "array") return `list of ${schemaText(node.items ?? {}, depth)}`;
  if (node.type === "object") return objectText(node, depth);
  if (node.type === "string") return node.format === "date-time" ? "time (ISO 8601)" : "text";
  if (node.type === undefined) return "any JSON";
  return Array.isArray(node.type) ? node.type.join(" or ") : node.type;
}

function objectText(node: SchemaNode, depth: number): string {
  const entries = Object.entries(node.properties ?? {});
  if (entries.length === 0) {
    const values = node.additionalProperties;
    return values === undefined || typeof values === "boolean"
      ? "object"
      : `object of ${schemaText(values, depth + 1)}`;
  }
  if (depth >= 2) return "object";
  const fields = entries.map(([name, schema]) => {
    const mark = node.required?.includes(name) ? "" : "?";
    return `${name}${mark}: ${schemaText(schema, depth + 1)}`;
  });
  return `{${fields.join(", ")}}`;
}
