/** The tool of `echo` steps, as an executor announces it. */
import { ToolSpec } from "../language/tool-spec.ts";

export const ECHO = ToolSpec.parse({
  name: "flow.echo",
  description: "echo",
  input: { type: "object", properties: { value: {} }, required: ["value"], additionalProperties: false },
  output: {},
  timeoutMs: 1_000,
});
