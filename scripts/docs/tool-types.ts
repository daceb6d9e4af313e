/** TypeScript types of the built-in tools, for the plan builder of the client. */
import type { ToolSpec } from "@planwright/plan";
import { z } from "zod";

const Node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

const SIMPLE: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

export function toolTypes(tools: readonly ToolSpec[]): string {
  const sorted = tools.toSorted((left, right) => left.name.localeCompare(right.name, "en"));
  const entries = sorted.map(
    ({ name, input, output }) =>
      `  ${JSON.stringify(name)}: { args: ${typeOf(input)}; output: ${typeOf(output)} };`,
  );
  return `/** Arguments and outputs of the built-in tools. Written by \`npm run docs\` from what an executor announces. */\nexport type BuiltInTools = {\n${entries.join("\n")}\n};\n`;
}

function typeOf(schema: unknown): string {
  const node = Node.safeParse(schema).data;
  if (node === undefined) return "unknown";
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return unionOf(node.enum.map((value) => JSON.stringify(value)));
  const either = node.anyOf ?? node.oneOf;
  if (either !== undefined) return unionOf(either.map(typeOf));
  if (Array.isArray(node.type)) return unionOf(node.type.map((type) => typeOf({ ...node, type })));
  const { type = node.properties === undefined ? "" : "object" } = node;
  if (type === "array") return `readonly (${typeOf(node.items)})[]`;
  return type === "object" ? objectOf(node) : (SIMPLE[type] ?? "unknown");
}

function objectOf({ properties = {}, required = [], additionalProperties }: z.output<typeof Node>): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  return `{ [name: string]: ${typeOf(additionalProperties === true ? undefined : additionalProperties)} }`;
}

function unionOf(types: readonly string[]): string {
  const unique = [...new Set(types)];
  return unique.includes("unknown") ? "unknown" : unique.join(" | ");
}
