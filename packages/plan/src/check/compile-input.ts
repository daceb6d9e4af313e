import { z } from "zod";
import { isJsonObject, type Json } from "../values/json.ts";
import type { ToolSpec } from "../language/tool-spec.ts";

const compiled = new WeakMap<ToolSpec["input"], z.ZodType | undefined>();

/** Parts of a pattern that mean something only to a regular expression with the `u` flag. */
const UNICODE_ONLY = /\\[pPu]\{/;

/**
 * A tool's input schema, ready to check arguments with; compiled once per spec.
 *
 * Undefined for a schema with keywords that cannot be checked here (`if`, `dependentRequired`, remote
 * references): its tool checks its own input when it runs. The same goes for a pattern that needs the `u` flag.
 */
export function compileInput(spec: Pick<ToolSpec, "input">): z.ZodType | undefined {
  if (!compiled.has(spec.input)) compiled.set(spec.input, compile(spec.input));
  return compiled.get(spec.input);
}

function compile(schema: ToolSpec["input"]): z.ZodType | undefined {
  try {
    const checked = withoutUnicodePatterns(schema);
    return isJsonObject(checked) ? z.fromJSONSchema(checked) : undefined;
  } catch {
    return undefined;
  }
}

/** The schema is compiled without the flag: such a pattern would then refuse what it is there to accept. */
function withoutUnicodePatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutUnicodePatterns);
  if (!isJsonObject(schema)) return schema;
  const isKept = ([key, value]: [string, Json]): boolean =>
    !(key === "pattern" && typeof value === "string" && UNICODE_ONLY.test(value));
  return Object.fromEntries(
    Object.entries(schema)
      .filter(isKept)
      .map(([key, value]) => [key, withoutUnicodePatterns(value)]),
  );
}
