import { z } from "zod";
import { AnyJson, defineTool, type Tool } from "./define-tool.ts";

/** Returns its input: for joining the outputs of steps, and for trying out a plan. */
export function flowEcho(): Tool {
  return defineTool({
    name: "flow.echo",
    description:
      "Return a value unchanged (for diagnostics). " +
      'The output is the value itself, so {"value": {"total": {"$ref": "s1.output.value"}}} gives {"$ref": "s2.output.total"}.',
    input: z.strictObject({ value: AnyJson.describe("Any JSON value.") }),
    output: AnyJson,
    risk: "low",
    effect: "read",
    light: true,
    timeoutMs: 10_000,
    run: async ({ value }) => value,
  });
}
