/** Turns a request of ours into a chat.completions body that goes no further than the server does. */
import type {
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
} from "openai/resources/chat/completions";
import type { ModelMessage, ModelRequest, OutputSchema } from "../model-client.ts";
import type { Features, FeaturesUsed } from "./server-quirks.ts";

export type ChatBody = Omit<ChatCompletionCreateParamsNonStreaming, "stream">;

/** The body for a request, without `stream`. */
export function chatBody(request: ModelRequest, model: string, features: Features): ChatBody {
  const { outputSchema, temperature, reasoningEffort, maxOutputTokens } = request;
  return {
    model,
    messages: messagesFor(request, features),
    ...(outputSchema === undefined ? {} : responseFormat(outputSchema, features)),
    ...(temperature === undefined || !features.temperature ? {} : { temperature }),
    ...(reasoningEffort === undefined || !features.reasoningEffort
      ? {}
      : { reasoning_effort: reasoningEffort }),
    ...(maxOutputTokens === undefined || features.tokenLimit === "none"
      ? {}
      : { [features.tokenLimit]: maxOutputTokens }),
  };
}

/** Which optional features the body above makes use of. */
export function featuresUsed(request: ModelRequest, features: Features): FeaturesUsed {
  return {
    format: request.outputSchema !== undefined && features.format !== "none",
    streamUsage: isStreamed(request, features) && features.streamUsage,
    temperature: request.temperature !== undefined && features.temperature,
    reasoningEffort: request.reasoningEffort !== undefined && features.reasoningEffort,
    tokenLimit: request.maxOutputTokens !== undefined && features.tokenLimit !== "none",
  };
}

/**
 * Whether the reply is asked for in pieces: so that a server that has stopped is told from one that is slow. Of a metered
 * call the count matters more: a server that sends none at the end of a stream is sent requests without streaming.
 */
export function isStreamed(
  { metered }: Pick<ModelRequest, "metered">,
  { streamUsage }: Pick<Features, "streamUsage">,
): boolean {
  return metered !== true || streamUsage;
}

/** The messages as sent: where the server takes no schema, the instructions carry it. */
export function messagesFor({ messages, outputSchema }: ModelRequest, { format }: Features): ModelMessage[] {
  if (outputSchema === undefined || format === "json_schema") return [...messages];
  const rule = `Reply with one JSON object that matches this JSON Schema, and with nothing else:\n${JSON.stringify(outputSchema.schema)}`;
  const [first, ...others] = messages;
  // Many chat templates allow one system message only, at the start.
  if (first?.role === "system")
    return [{ role: "system", content: `${first.content}\n\n${rule}` }, ...others];
  return [{ role: "system", content: rule }, ...messages];
}

function responseFormat(
  { name, schema }: OutputSchema,
  { format }: Features,
): Pick<ChatCompletionCreateParams, "response_format"> {
  switch (format) {
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { name, schema, strict: true } } };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "none":
      return {};
    default:
      return format satisfies never;
  }
}
