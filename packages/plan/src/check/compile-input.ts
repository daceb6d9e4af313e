import { z } from "zod";
import type { ToolSpec } from "../tool-spec.ts";

const compiled = new WeakMap<ToolSpec["input"], z.ZodType | undefined>();

/**
 * A tool's input schema, ready to check arguments with; compiled once per spec.
 *
 * Undefined for a schema with keywords that cannot be checked here (`if`, `dependentRequired`, remote
 * references): its tool checks its own input when it runs.
 */
export function compileInput(spec: ToolSpec): z.ZodType | undefined {
  if (!compiled.has(spec.input)) compiled.set(spec.input, compile(spec.input));
  return compiled.get(spec.input);
}

function compile(schema: ToolSpec["input"]): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return undefined;
  }
}
