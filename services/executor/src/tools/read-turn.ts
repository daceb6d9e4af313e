/** Reads a turn of a loop from a model's reply: make calls, or finish. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  toolNameFor,
  TURN_CALLS_MAX,
} from "@planwright/plan";
import {
  extractJson,
  type ModelReply,
  parseStructured,
  strictSchemaOf,
  truncationOf,
} from "@planwright/shared/model";
import { z } from "zod";

const THOUGHT_CHARS_MAX = 4_000;

/** As models write a call that are not held to the schema: its arguments as they are, or as native tool calls are written. */
const LenientCall = z.object({
  tool: z.string().nullish(),
  name: z.string().nullish(),
  argsJson: z.string().nullish(),
  args: z.record(z.string(), z.json()).nullish(),
  arguments: z.union([z.string(), z.record(z.string(), z.json())]).nullish(),
});
type LenientCall = z.output<typeof LenientCall>;

/** The same of a whole turn: fields left out, or a single call in the place of the list. */
const LenientTurn = z.preprocess(
  listingCalls,
  LenientCall.extend({
    thought: z.string().nullish(),
    calls: z.array(z.preprocess(withoutWrapper, LenientCall)).nullish(),
    result: z.string().nullish(),
    requiresReplan: z.boolean().nullish(),
    reason: z.string().nullish(),
  }),
);

/** A call as the model wants it; with an error it cannot be made. */
export type ReadCall =
  | { readonly tool: string; readonly args: JsonObject }
  | { readonly tool?: string; readonly error: ReadFault };
export type ReadFault = { readonly code: string; readonly message: string };

export type ReadTurn = { readonly thought: string } & (
  | { readonly kind: "calls"; readonly calls: readonly ReadCall[] }
  | { readonly kind: "finish"; readonly result: string; readonly replan: string | undefined }
  | { readonly kind: "fault"; readonly error: ReadFault }
);

/** Every field required, nothing else allowed: what strict structured output accepts. */
export function turnSchema(tools: readonly string[]): JsonSchema {
  const call = z.strictObject({ tool: z.enum(tools), argsJson: z.string() });
  const turn = z.strictObject({
    thought: z.string(),
    // Strict structured output takes no limit: `readTurn` holds it.
    calls: z.array(call),
    result: z.string().nullable(),
    requiresReplan: z.boolean(),
    reason: z.string().nullable(),
  });
  return strictSchemaOf(turn);
}

/** What a model's reply says to do next; a reply that was cut off is a fault. Never throws. */
export function readTurn(
  reply: Pick<ModelReply, "text" | "finishReason">,
  tools: readonly string[],
): ReadTurn {
  const { text } = reply;
  const truncation = truncationOf(reply);
  if (truncation !== undefined) return fault(text.slice(0, 500), "truncated_turn", truncation);
  const parsed = parseStructured("turn", LenientTurn, text);
  if (!parsed.ok) {
    const message = parsed.issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join("; ");
    return fault(text.slice(0, 500), "malformed_turn", message.slice(0, 1_000));
  }
  const { calls: listed, result, requiresReplan, reason } = parsed.value;
  const thought = (parsed.value.thought ?? "").slice(0, THOUGHT_CHARS_MAX);
  const calls = listed ?? (nameOf(parsed.value) === undefined ? [] : [parsed.value]);
  if (calls.length > TURN_CALLS_MAX) {
    const message = `a turn has max ${TURN_CALLS_MAX} calls, got ${calls.length}: none was made`;
    return fault(thought, "too_many_calls", message);
  }
  if (calls.length > 0) {
    return { kind: "calls", thought, calls: calls.map((call) => readCall(call, tools)) };
  }
  if (result === undefined || result === null || result.trim() === "") {
    return fault(thought, "malformed_turn", "wanted calls or a result, got neither");
  }
  const why = reason?.trim() ?? "";
  const replan = why === "" ? "the step found that the plan has to change" : why;
  return { kind: "finish", thought, result, replan: requiresReplan === true ? replan : undefined };
}

function fault(thought: string, code: string, message: string): ReadTurn {
  return { kind: "fault", thought, error: { code, message } };
}

function readCall(call: LenientCall, tools: readonly string[]): ReadCall {
  const named = nameOf(call) ?? "";
  const tool = toolNameFor(named, new Map(tools.map((name) => [name, name])));
  if (!tools.includes(tool)) {
    const message = `there is no tool ${JSON.stringify(tool.slice(0, 100))}; there are ${tools.join(", ")}`;
    return { error: { code: "unknown_tool", message } };
  }
  const given = call.args ?? call.arguments ?? call.argsJson ?? "{}";
  const args = typeof given === "string" ? (extractJson(given)?.value as Json | undefined) : given;
  if (args !== undefined && isJsonObject(args)) return { tool, args };
  const message = `wanted the arguments of ${tool} as a JSON object, got ${JSON.stringify(given).slice(0, 200)}`;
  return { tool, error: { code: "invalid_arguments", message } };
}

/** Undefined where no tool is named. */
function nameOf({ tool, name }: LenientCall): string | undefined {
  return tool ?? name ?? undefined;
}

/** Takes a bare list for the calls, and `tool_calls` too. */
function listingCalls(value: unknown): unknown {
  if (Array.isArray(value)) return { calls: value };
  if (typeof value !== "object" || value === null || !("tool_calls" in value)) return value;
  return { calls: value.tool_calls, ...value };
}

/** `{"type": "function", "function": {"name": …, "arguments": …}}`, as native tool calls are written. */
function withoutWrapper(value: unknown): unknown {
  const isWrapped = typeof value === "object" && value !== null && "function" in value;
  return isWrapped ? value.function : value;
}
