/** The span of one model call, following OpenTelemetry's conventions for generative AI (semantic-conventions-genai 0.1.0). */
import type { ModelReply, ModelRequest } from "../model/model-client.ts";
import type { Span, SpanAttributes } from "./span.ts";
import { type Telemetry, withSpan } from "./telemetry.ts";

export type ModelCall = {
  readonly request: ModelRequest;
  readonly model: string;
  /** The calling role, such as `planner`: becomes `gen_ai.agent.name`. */
  readonly agent: string;
  /** Base URL of the model server. */
  readonly baseUrl: string;
};

/**
 * Runs one model call inside its `chat {model}` span, a child of `request.trace`.
 *
 * The span contains prompts and replies only if the settings opt in.
 *
 * @throws Any error of `call`.
 */
export function withModelSpan(
  telemetry: Telemetry,
  facts: ModelCall,
  call: (span: Span) => Promise<ModelReply>,
): Promise<ModelReply> {
  const span = telemetry.spanFrom(facts.request.trace, `chat ${facts.model}`, {
    kind: "client",
    attributes: requestAttributes(facts),
  });
  return withSpan(span, async () => {
    if (telemetry.captureContent) span.setAttributes(inputContent(facts.request));
    const reply = await call(span);
    span.setAttributes(replyAttributes(reply));
    if (telemetry.captureContent) span.setAttributes(outputContent(reply));
    return reply;
  });
}

function requestAttributes({ request, model, agent, baseUrl }: ModelCall): SpanAttributes {
  const server = URL.parse(baseUrl);
  return {
    "gen_ai.operation.name": "chat",
    // Servers that speak OpenAI's protocol use its name; `server.address` distinguishes them.
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": model,
    "gen_ai.request.temperature": request.temperature,
    "gen_ai.request.max_tokens": request.maxOutputTokens,
    "gen_ai.request.reasoning.level": request.reasoningEffort,
    "gen_ai.output.type": request.outputSchema === undefined ? "text" : "json",
    "gen_ai.agent.name": agent,
    "gen_ai.prompt.name": request.prompt.name,
    "gen_ai.prompt.version": String(request.prompt.version),
    "server.address": server?.hostname,
    "server.port":
      server === null ? undefined : Number(server.port) || (server.protocol === "https:" ? 443 : 80),
  };
}

function replyAttributes(reply: ModelReply): SpanAttributes {
  return {
    "gen_ai.response.model": reply.responseModel,
    "gen_ai.response.id": reply.responseId,
    "gen_ai.response.finish_reasons": [reply.finishReason],
    "gen_ai.usage.input_tokens": reply.usage.inputTokens,
    "gen_ai.usage.cache_read.input_tokens": reply.usage.cachedInputTokens,
    "gen_ai.usage.cache_write.input_tokens": reply.usage.cacheWriteInputTokens,
    "gen_ai.usage.output_tokens": reply.usage.outputTokens,
    "gen_ai.usage.reasoning.output_tokens": reply.usage.reasoningOutputTokens,
    "model.usage.estimated": reply.usage.estimated ? true : undefined,
    "model.cost_usd": reply.usage.costUsd ?? undefined,
  };
}

function inputContent({ messages }: ModelRequest): SpanAttributes {
  const parts = messages.map(({ role, content }) => ({ role, parts: [{ type: "text", content }] }));
  return { "gen_ai.input.messages": JSON.stringify(parts) };
}

function outputContent({ text, finishReason }: ModelReply): SpanAttributes {
  const message = {
    role: "assistant",
    parts: [{ type: "text", content: text }],
    finish_reason: finishReason,
  };
  return { "gen_ai.output.messages": JSON.stringify([message]) };
}
