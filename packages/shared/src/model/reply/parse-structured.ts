/**
 * Reads structured output from a model's text.
 *
 * Servers that accept a schema sometimes answer with text around the JSON, and a schema in strict mode
 * has nulls where ours has optional fields. Both are corrected here; everything else is an issue.
 */
import { JsonSchema } from "@planwright/plan";
import { z } from "zod";
import { extractJson } from "./extract-json.ts";

export type StructuredIssue = {
  /** The path in the value, such as `steps[2].tool`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
};

export type Structured<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly StructuredIssue[] };

const SHOWN_CHARS_MAX = 120;
const DEPTH_MAX = 64;

/**
 * Finds the JSON in `text` and parses it with `schema`. Never throws.
 *
 * @param name - The name of the value, for the message when there is no JSON: `plan`, `judgement`.
 */
export function parseStructured<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  text: string,
): Structured<z.output<Schema>> {
  const found = extractJson(text);
  if (found === undefined) {
    const shown = JSON.stringify(text.trim().slice(0, SHOWN_CHARS_MAX));
    return { ok: false, issues: [{ path: "", message: `wanted the ${name} as JSON, got ${shown}` }] };
  }
  const result = schema.safeParse(withoutNulls(schema, found.value, 0));
  if (result.success) return { ok: true, value: result.data };
  return {
    ok: false,
    issues: result.error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })),
  };
}

/** Drops the nulls of fields that can be absent but not null. */
function withoutNulls(schema: z.core.$ZodType, value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX || typeof value !== "object" || value === null) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return withoutNulls(schema.def.innerType, value, depth + 1);
  }
  if (schema instanceof z.ZodLazy) return withoutNulls(schema.def.getter(), value, depth + 1);
  if (schema instanceof z.ZodPipe) return withoutNulls(schema.def.in, value, depth + 1);
  if (schema instanceof z.ZodUnion) {
    const options: readonly z.core.$ZodType[] = schema.def.options;
    const candidates = options.map((option) => ({ option, value: withoutNulls(option, value, depth + 1) }));
    return (
      candidates.find((candidate) => z.safeParse(candidate.option, candidate.value).success)?.value ?? value
    );
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const { element } = schema.def;
    return value.map((item) => withoutNulls(element, item, depth + 1));
  }
  if (schema instanceof z.ZodObject && !Array.isArray(value)) return objectWithoutNulls(schema, value, depth);
  return value;
}

function objectWithoutNulls(schema: z.ZodObject, value: object, depth: number): object {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const fields = Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field === undefined) return [[key, item] as const];
    if (item === null && mayBeAbsentOnly(field)) return [];
    return [[key, withoutNulls(field, item, depth + 1)] as const];
  });
  return Object.fromEntries(fields);
}

function mayBeAbsentOnly(field: z.core.$ZodType): boolean {
  return !z.safeParse(field, null).success && z.safeParse(field, undefined).success;
}

/** Returns a schema for strict structured output: every field is required, and no others are allowed. */
export function strictSchemaOf(Schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(Schema, { io: "output" });
  return JsonSchema.parse(schema);
}
