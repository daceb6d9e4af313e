import { isJsonObject, type Json, type JsonObject, JsonSchema, toolNameFor } from "@planwright/plan";
import { extractJson, type ModelReply, parseStructured, truncationOf } from "@planwright/shared/model";
import { z } from "zod";

const THOUGHT_CHARS_MAX = 4_000;

const RawTurn = z.object({
  thought: z.string(),
  tool: z.string().nullable(),
  argsJson: z.string().nullable(),
  result: z.string().nullable(),
  requiresReplan: z.boolean(),
  reason: z.string().nullable(),
});

/** As models write it that are not held to the schema: fields left out, the arguments as they are. */
const LenientTurn = RawTurn.partial().extend({
  requiresReplan: z.boolean().nullish(),
  thought: z.string().nullish(),
  args: z.record(z.string(), z.json()).nullish(),
});

export type ReadTurn = { readonly thought: string } & (
  | { readonly kind: "call"; readonly tool: string; readonly args: JsonObject }
  | { readonly kind: "finish"; readonly result: string; readonly replan: string | undefined }
  | { readonly kind: "fault"; readonly code: string; readonly message: string; readonly tool?: string }
);

/** Every field required, nothing else allowed: what strict structured output accepts. */
export function turnSchema(tools: readonly string[]): JsonSchema {
  const tool = z.enum(tools).nullable();
  const { $schema: _dialect, ...schema } = z.toJSONSchema(z.strictObject({ ...RawTurn.shape, tool }));
  return JsonSchema.parse(schema);
}

/** What a model's reply says to do next; a reply that was cut off is a fault. Never throws. */
export function readTurn(
  reply: Pick<ModelReply, "text" | "finishReason">,
  tools: readonly string[],
): ReadTurn {
  const { text } = reply;
  const truncation = truncationOf(reply);
  if (truncation !== undefined) {
    return { kind: "fault", thought: text.slice(0, 500), code: "truncated_turn", message: truncation };
  }
  const parsed = parseStructured("turn", LenientTurn, text);
  if (!parsed.ok) {
    const message = parsed.issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join("; ");
    return {
      kind: "fault",
      thought: text.slice(0, 500),
      code: "malformed_turn",
      message: message.slice(0, 1_000),
    };
  }
  const { tool: named, args: given, argsJson, result, requiresReplan, reason } = parsed.value;
  const thought = (parsed.value.thought ?? "").slice(0, THOUGHT_CHARS_MAX);
  if (named === undefined || named === null) {
    if (result !== undefined && result !== null && result.trim() !== "") {
      const why = reason?.trim() ?? "";
      const replan =
        requiresReplan === true
          ? why === ""
            ? "the step found that the plan has to change"
            : why
          : undefined;
      return { kind: "finish", thought, result, replan };
    }
    return {
      kind: "fault",
      thought,
      code: "malformed_turn",
      message: "wanted a tool or a result, got neither",
    };
  }
  const tool = toolNameFor(named, new Map(tools.map((name) => [name, name])));
  if (!tools.includes(tool)) {
    const message = `there is no tool ${JSON.stringify(tool.slice(0, 100))}; there are ${tools.join(", ")}`;
    return { kind: "fault", thought, code: "unknown_tool", message };
  }
  const args = given ?? (extractJson(argsJson ?? "{}")?.value as Json | undefined);
  if (args === undefined || !isJsonObject(args)) {
    const message = `wanted the arguments of ${tool} as a JSON object, got ${JSON.stringify((argsJson ?? "").slice(0, 200))}`;
    return { kind: "fault", thought, code: "invalid_arguments", message, tool };
  }
  return { kind: "call", thought, tool, args };
}
