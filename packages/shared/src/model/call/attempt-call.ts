/** One exchange with the server, without retries. */
import type OpenAI from "openai";
import { modelAddress, modelUrl } from "../../service/model-address.ts";
import type { Span } from "../../telemetry/index.ts";
import type { ModelCallState, ModelContext } from "../model-context.ts";
import { type RawReply, readCompletion, readStream } from "../reply/read-reply.ts";
import type { Features, FeaturesUsed } from "./server-quirks.ts";
import { JSON_BEGINS, type ReplyForm } from "../reply/strip-reasoning.ts";
import { parseBody } from "../reply/unusable-reply.ts";
import { watchCall } from "./watch-call.ts";
import type {
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsNonStreaming,
} from "openai/resources/chat/completions";
import type { ModelMessage, ModelRequest, OutputSchema } from "../model-client.ts";

const LOOKED_CHARS_MAX = 2_000;

/** Carries an error of the caller's own `onText` past the code that classifies the server's errors. */
export class CallerFault extends Error {
  override readonly name = "CallerFault";
  constructor(cause: unknown) {
    super("onText failed", { cause });
  }
}

/**
 * Sends a call once, with these features, and reads the reply.
 *
 * @throws The SDK's errors, one of our errors when a limit was reached, the caller's abort reason, or
 *   a {@link CallerFault}.
 */
export async function attemptOnce(
  context: ModelContext,
  call: ModelCallState,
  features: Features,
  span: Span,
): Promise<RawReply> {
  const { request, model, patience } = call;
  const { now, limits } = context;
  const Client = await loadSdk();
  const streamed = isStreamed(request, features);
  using watch = watchCall({
    caller: request.signal,
    remainingMs: call.deadlineMs - performance.now(),
    windowMs: patience.windowMs(limits, now()),
    streamed,
    now,
    limits,
    fetch: context.fetch,
    look: (signal) => answersLook(context, signal),
    onSilence: (silence) => patience.reportSilence(limits, silence),
    onFirstChunk: (ms) => span.setAttributes({ "gen_ai.response.time_to_first_chunk": ms / 1_000 }),
  });
  span.setAttributes({ "gen_ai.request.stream": streamed ? true : undefined });
  const { completions } = openAi(Client, context, watch.fetch).chat;
  const body = chatBody(request, model, features);
  const form: ReplyForm = {
    begins: request.outputSchema === undefined ? request.begins : JSON_BEGINS,
    unopened: context.unopened.has(model),
  };
  const whole = async (response: Response): Promise<RawReply> =>
    readCompletion(parseBody(await response.text(), { status: response.status, ...context }), form);
  try {
    const onText = deliver(call, span);
    if (!streamed) {
      const response = await completions.create(body, { signal: watch.signal }).asResponse();
      return inOnePiece(await whole(response), onText);
    }
    const usage = features.streamUsage ? { stream_options: { include_usage: true } } : {};
    const streaming = completions.create({ ...body, ...usage, stream: true }, { signal: watch.signal });
    const { data, response } = await streaming.withResponse();
    return isStream(response)
      ? await readStream(data, form, onText)
      : inOnePiece(await whole(response), onText);
  } catch (error) {
    call.aliveMs = watch.aliveMs();
    // The SDK wraps aborts in its own errors, and ends a stream silently; the reason has the cause.
    if (watch.signal.aborted) throw watch.signal.reason;
    throw error;
  }
}

/** Loads the SDK with the first call: it is a third of most services' code, and many processes never call a model. */
async function loadSdk(): Promise<typeof OpenAI> {
  return (await import("openai")).default;
}

/** The SDK's client for one exchange. All options that it would otherwise read from the environment are set or disabled. */
function openAi(Client: typeof OpenAI, context: ModelContext, watchedFetch: typeof fetch): OpenAI {
  const { base, query, headers } = modelAddress(context);
  return new Client({
    baseURL: base,
    apiKey: "none",
    defaultHeaders: { authorization: null, ...headers },
    defaultQuery: query,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: context.limits.totalMs,
    fetch: watchedFetch,
    logLevel: "off",
  });
}

/** Whether the server answers a cheap request with anything but an error of a proxy in front of it. */
async function answersLook(context: ModelContext, signal: AbortSignal): Promise<boolean> {
  const address = modelAddress(context);
  try {
    const { headers } = address;
    const response = await context.fetch(modelUrl(address, "/models"), {
      headers,
      redirect: "manual",
      signal,
    });
    if (response.status >= 500)
      return /\bloading\b/i.test((await response.text()).slice(0, LOOKED_CHARS_MAX));
    // Headers alone prove nothing: a server may send them and stall. Lists may be long, so only the start is read.
    for await (const _chunk of response.body ?? []) break;
    return true;
  } catch {
    return false;
  }
}

/** Handles a reply that was not streamed, because the server cannot stream or was not asked to. */
function inOnePiece(raw: RawReply, onText: (piece: string) => void): RawReply {
  if (raw.finishReason !== "refusal" && raw.text !== "") onText(raw.text);
  return raw;
}

/** A JSON or HTML body is not a stream, even if one was requested. */
function isStream(response: Response): boolean {
  return !/\b(?:json|html)\b/.test(response.headers.get("content-type") ?? "");
}

/** Passes text on and records that the caller has seen some of it. */
function deliver(call: ModelCallState, span: Span) {
  const { onText, onRestart } = call.request;
  let isFirst = true;
  return (piece: string) => {
    if (isFirst) span.addEvent("first text");
    isFirst = false;
    if (onText === undefined) return;
    call.delivered ||= onRestart === undefined;
    try {
      onText(piece);
    } catch (error) {
      throw new CallerFault(error);
    }
  };
}

/** A chat.completions body with only the features that the server supports. */
export type ChatBody = Omit<ChatCompletionCreateParamsNonStreaming, "stream">;

/** Builds the body of a request, without `stream`. */
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

/** Returns the optional features that this body uses. */
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
 * Whether to stream the reply, which distinguishes a server that has stopped from a slow one. For a metered
 * call, the usage matters more: a server that sends none at the end of a stream gets requests without streaming.
 */
export function isStreamed(
  { metered }: Pick<ModelRequest, "metered">,
  { streamUsage }: Pick<Features, "streamUsage">,
): boolean {
  return metered !== true || streamUsage;
}

/** Returns the messages to send: if the server accepts no schema, the instructions contain it. */
export function messagesFor({ messages, outputSchema }: ModelRequest, { format }: Features): ModelMessage[] {
  if (outputSchema === undefined || format === "json_schema") return [...messages];
  const rule = `Reply with one JSON object that matches this JSON Schema, and with nothing else:\n${JSON.stringify(outputSchema.schema)}`;
  const [first, ...others] = messages;
  // Many chat templates allow only one system message, at the start.
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
