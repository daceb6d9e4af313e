/**
 * The one way services talk to a language model.
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
  /** The prompt that `messages` were rendered from: its name and version are in the call's span. */
  readonly prompt: PromptId;
  readonly messages: readonly ModelMessage[];
  /** Overrides the client's own model for this call. */
  readonly model?: string;
  readonly outputSchema?: OutputSchema;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly maxOutputTokens?: number;
  /**
   * How a line begins with which the wanted text may begin, where pieces of it are acted on before it is complete: what comes
   * before is held back until it is known not to be reasoning. Default with an output schema: JSON.
   */
  readonly begins?: RegExp;
  /**
   * What the call may cost is limited: `maxOutputTokens` is sent in every case, and the call is not sent again
   * once the server may have counted it.
   */
  readonly metered?: true;
  /** Streams when given: called with each piece of text in order, before the reply is complete. */
  readonly onText?: (piece: string) => void;
  /**
   * Called before the reply is asked for again after it broke off: `onText` then gets it from its start. Without this
   * function a reply of which `onText` has seen a piece is not asked for again.
   */
  readonly onRestart?: () => void;
  /** Limits the calls of the piece of work together; each call has its own limits without it. */
  readonly patience?: ModelPatience;
  /** The span that asks; the call becomes a `chat {model}` span below it. */
  readonly trace?: TraceParent;
  readonly signal: AbortSignal;
};

export type ModelUsage = {
  readonly inputTokens: number;
  /** Of the input tokens, those from the server's prompt cache; absent when it does not say. */
  readonly cachedInputTokens?: number;
  /** Of the input tokens, those that the server wrote to its prompt cache; absent when it does not say. */
  readonly cacheWriteInputTokens?: number;
  readonly outputTokens: number;
  /** Of the output tokens, those of the model's reasoning; absent when the server does not say. */
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
  /** What a model costs, the client's own when none is named; undefined when its price is unknown. */
  readonly priceOf?: (model?: string) => ModelPrice | undefined;
  /**
   * One model call, retried on what may pass (429, 5xx, lost connections) within the limits of its patience.
   *
   * @throws {ModelUnavailableError} When these limits are reached; `retryAfterMs` as the server asked.
   * @throws {TransientError} When a reply broke off of which `onText` has seen a piece, or that may have cost something
   *   of an allowance: the caller decides whether to do its work again.
   * @throws {PermanentError} When the server refuses the request itself (400, 401, 403, 404).
   * @throws The signal's reason when the caller aborts, and whatever `onText` throws.
   */
  complete(request: ModelRequest): Promise<ModelReply>;
};
