/** One exchange with the server: no retries, no second thoughts. */
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

/** Carries an error of the caller's own `onText` past everything that judges the server. */
export class CallerFault extends Error {
  override readonly name = "CallerFault";
  constructor(cause: unknown) {
    super("onText failed", { cause });
  }
}

/**
 * Sends a call once, with these features, and reads the reply.
 *
 * @throws The SDK's errors, an error of ours when a limit was reached, the caller's abort reason, or
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
    // The SDK wraps aborts in its own errors, and ends a stream quietly; the reason tells why.
    if (watch.signal.aborted) throw watch.signal.reason;
    throw error;
  }
}

/** Loaded with the first call: it is a third of what most services consist of, and many processes never call a model. */
async function loadSdk(): Promise<typeof OpenAI> {
  return (await import("openai")).default;
}

/** The SDK's client for one exchange. Everything that it would otherwise take from the environment is given, or switched off. */
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

/** Whether the server answers a request that costs it nothing, with anything but a failure of what stands before it. */
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
    // Headers alone prove nothing: a server may send them and stall. Lists may be long, and their start is enough.
    for await (const _chunk of response.body ?? []) break;
    return true;
  } catch {
    return false;
  }
}

/** A reply that was not streamed, because the server cannot or was not asked to. */
function inOnePiece(raw: RawReply, onText: (piece: string) => void): RawReply {
  if (raw.finishReason !== "refusal" && raw.text !== "") onText(raw.text);
  return raw;
}

/** A body of JSON or a page is no stream, whatever was asked for. */
function isStream(response: Response): boolean {
  return !/\b(?:json|html)\b/.test(response.headers.get("content-type") ?? "");
}

/** Hands text on and notes that the caller has seen some of it. */
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

/** Turns a request of ours into a chat.completions body that goes no further than the server does. */
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
