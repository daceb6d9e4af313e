/**
 * The services' only interface to language models.
 *
 * The implementation speaks chat.completions to any OpenAI-compatible server, with its own
 * retries and deadlines; see `create-model-client.ts`.
 */
import type { JsonSchema } from "@planwright/plan";
import type { PromptId } from "../prompt/define-prompt.ts";
import type { ModelPrice, ReasoningEffort } from "../service/model-config.ts";
import type { ModelPatience } from "./call/model-patience.ts";
import type { TraceParent } from "../telemetry/trace-parent.ts";

export type ModelMessage = {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
};

/** Structured output: the server is asked for JSON of this shape; the caller still validates it. */
export type OutputSchema = { readonly name: string; readonly schema: JsonSchema };

export type ModelRequest = {
  /** The prompt that `messages` were rendered from; its name and version are recorded in the call's span. */
  readonly prompt: PromptId;
  readonly messages: readonly ModelMessage[];
  /** Overrides the client's own model for this call. */
  readonly model?: string;
  readonly outputSchema?: OutputSchema;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly maxOutputTokens?: number;
  /**
   * Matches the possible starts of a line of the wanted text, for callers that act on pieces before the text is complete: text
   * before that is held back until it is known not to be reasoning. Default with an output schema: JSON.
   */
  readonly begins?: RegExp;
  /**
   * Set when the call's cost is limited: `maxOutputTokens` is always sent, and the call is not repeated
   * once the server may have counted it.
   */
  readonly metered?: true;
  /** Streams when given: called with each piece of text in order, before the reply is complete. */
  readonly onText?: (piece: string) => void;
  /**
   * Called before a reply that broke off is requested again: `onText` then receives it from its start. Without this
   * function, a reply is not requested again once `onText` has received a piece of it.
   */
  readonly onRestart?: () => void;
  /** Limits all calls of the piece of work together; without it, each call has its own limits. */
  readonly patience?: ModelPatience;
  /** The parent span of the call's `chat {model}` span. */
  readonly trace?: TraceParent;
  readonly signal: AbortSignal;
};

export type ModelUsage = {
  readonly inputTokens: number;
  /** The input tokens from the server's prompt cache; absent when not reported. */
  readonly cachedInputTokens?: number;
  /** The input tokens that the server wrote to its prompt cache; absent when not reported. */
  readonly cacheWriteInputTokens?: number;
  readonly outputTokens: number;
  /** The output tokens of the model's reasoning; absent when not reported. */
  readonly reasoningOutputTokens?: number;
  /** True when the server sent no usage and the counts are derived from the text's length. */
  readonly estimated: boolean;
  /** US dollars, or null when the model's price is unknown. */
  readonly costUsd: number | null;
};

export type ModelReply = {
  /** Without the model's reasoning. */
  readonly text: string;
  /** The reply ended within the model's reasoning: there is no answer. */
  readonly reasoningOnly?: true;
  readonly finishReason: "stop" | "length" | "content_filter" | "refusal";
  readonly requestModel: string;
  readonly responseModel: string;
  readonly responseId: string;
  readonly usage: ModelUsage;
};

export type ModelClient = {
  /** The price of a model, by default the client's own; undefined when it is unknown. */
  readonly priceOf?: (model?: string) => ModelPrice | undefined;
  /**
   * Makes one model call, and retries transient failures (429, 5xx, lost connections) within the limits of its patience.
   *
   * @throws {ModelUnavailableError} When these limits are reached; `retryAfterMs` as requested by the server.
   * @throws {TransientError} When a reply broke off after `onText` received a piece of it, or after it may have used some
   *   of an allowance: the caller decides whether to repeat its work.
   * @throws {PermanentError} When the server refuses the request itself (400, 401, 403, 404).
   * @throws The signal's reason when the caller aborts, and any error of `onText`.
   */
  complete(request: ModelRequest): Promise<ModelReply>;
};
