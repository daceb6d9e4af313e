/**
 * The model client: chat.completions on any OpenAI-compatible server.
 *
 * Invariants:
 *   M1. No call outlives its total deadline, its caller's abort, or a server that falls silent.
 *   M2. Retries are counted here alone (the SDK's are off). A call is retried only while its caller
 *       has seen none of the reply.
 *   M3. A schema and tools are never sent together: this client sends no tools at all.
 *   M4. What the server cannot do is asked of it once per model and schema.
 */
import { setTimeout as wait } from "node:timers/promises";
import OpenAI from "openai";
import type { Logger } from "pino";
import { describeError, PermanentError, TransientError } from "../errors.ts";
import { type ModelSettings, OPENAI_BASE_URL_DEFAULT } from "../service/model-config.ts";
import { noTelemetry, type Span, type Telemetry, withModelSpan } from "../telemetry/index.ts";
import { chatBody, featuresUsed, messagesFor } from "./chat-request.ts";
import { classifyFailure, refusalOf } from "./classify-failure.ts";
import type { ModelClient, ModelReply, ModelRequest } from "./model-client.ts";
import { usageOf } from "./model-usage.ts";
import { type RawReply, readCompletion, readStream } from "./read-reply.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { type Features, featuresAtFirst, withoutRefused } from "./server-quirks.ts";
import { type CallLimits, watchCall } from "./watch-call.ts";

export type ModelLimits = CallLimits & {
  /** From the call to its reply, retries and waits included, in milliseconds. */
  readonly totalMs: number;
  /** Attempts of one call, the first included. */
  readonly attemptsMax: number;
};

export const MODEL_LIMITS: ModelLimits = {
  firstByteMs: 120_000,
  idleMs: 60_000,
  totalMs: 300_000,
  attemptsMax: 6,
};

/** Requests that a server refuses for a feature are sent again with less at most this often. */
const ADAPTATIONS_MAX = 6;
const MEMORY_MAX = 256;

export type ModelClientOptions = Omit<ModelSettings, "prices"> & {
  readonly prices?: ModelSettings["prices"];
  /** Who asks, such as `planner`; named in spans and logs. */
  readonly role: string;
  readonly limits?: Partial<ModelLimits>;
  readonly telemetry?: Telemetry;
  readonly log?: Logger;
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
};

type Context = Required<Omit<ModelClientOptions, "log" | "limits">> & {
  readonly limits: ModelLimits;
  readonly log: Logger | undefined;
  /** What each model and schema was found to go along with. */
  readonly learned: Map<string, Features>;
};

/** One call on its way: what the caller must be able to tell after a failure. */
type Call = {
  readonly request: ModelRequest;
  readonly model: string;
  readonly deadlineMs: number;
  delivered: boolean;
};

/** Makes a client for one role's model. Opens no connection. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const context: Context = {
    prices: {},
    telemetry: noTelemetry,
    fetch: globalThis.fetch,
    now: Date.now,
    random: Math.random,
    delay: pause,
    ...options,
    log: options.log,
    limits: { ...MODEL_LIMITS, ...options.limits },
    learned: new Map(),
  };
  return { complete: (request) => complete(context, request) };
}

/** Throws the signal's own reason, as every other wait here does. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

function complete(context: Context, request: ModelRequest): Promise<ModelReply> {
  const model = request.model ?? context.model;
  const facts = { request, model, agent: context.role, baseUrl: context.baseUrl };
  return withModelSpan(context.telemetry, facts, async (span) => {
    request.signal.throwIfAborted();
    if (context.apiKey === undefined && context.baseUrl === OPENAI_BASE_URL_DEFAULT) {
      throw new PermanentError(`${context.baseUrl} needs a key: set OPENAI_API_KEY`, {
        code: "model_key_missing",
      });
    }
    const deadlineMs = context.now() + context.limits.totalMs;
    return completeWithRetries(context, { request, model, deadlineMs, delivered: false }, span);
  });
}

async function completeWithRetries(context: Context, call: Call, span: Span): Promise<ModelReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await completeWithQuirks(context, call, span);
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      if (call.delivered || attempt >= context.limits.attemptsMax) throw error;
      const { retryAfterMs: askedMs } = error;
      const delayMs = retryDelayMs({ attempt, askedMs, random: context.random });
      // Past the deadline the caller knows better what to do with the time.
      if (context.now() + delayMs >= call.deadlineMs) throw error;
      const facts = { attempt, delayMs, reason: describeError(error) };
      span.addEvent("retry", facts);
      context.log?.warn(
        { role: context.role, model: call.model, ...facts },
        "model call failed, trying again",
      );
      await context.delay(delayMs, call.request.signal);
    }
  }
}

/** One attempt, with the features that the server refuses left out one by one. */
async function completeWithQuirks(context: Context, call: Call, span: Span): Promise<ModelReply> {
  const key = `${call.model}\n${call.request.outputSchema?.name ?? ""}`;
  const official = context.baseUrl === OPENAI_BASE_URL_DEFAULT;
  let features = context.learned.get(key) ?? featuresAtFirst({ official });
  let firstRefusal: unknown;
  for (let adaptation = 0; ; adaptation++) {
    try {
      const raw = await attemptOnce(context, call, features, span);
      // Only what has worked is remembered: the refusal may have had another cause.
      if (adaptation > 0 && context.learned.size < MEMORY_MAX) context.learned.set(key, features);
      return finished(context, call, features, raw);
    } catch (error) {
      firstRefusal ??= error;
      const refusal = refusalOf(error);
      const next = refusal && withoutRefused(features, featuresUsed(call.request, features), refusal);
      if (next === undefined || adaptation >= ADAPTATIONS_MAX) {
        // A refusal that nothing has cured is reported as it was at first.
        throw failureOf(context, call, refusal === undefined ? error : firstRefusal);
      }
      features = next;
    }
  }
}

async function attemptOnce(context: Context, call: Call, features: Features, span: Span): Promise<RawReply> {
  const { request, model } = call;
  using watch = watchCall({
    caller: request.signal,
    remainingMs: call.deadlineMs - context.now(),
    streamed: request.onText !== undefined,
    limits: context.limits,
    fetch: context.fetch,
  });
  const { completions } = openAi(context, watch.fetch).chat;
  const body = chatBody(request, model, features);
  try {
    if (request.onText === undefined)
      return readCompletion(await completions.create(body, { signal: watch.signal }));
    const usage = features.streamUsage ? { stream_options: { include_usage: true } } : {};
    const streaming = completions.create({ ...body, ...usage, stream: true }, { signal: watch.signal });
    const { data, response } = await streaming.withResponse();
    const onText = deliver(call, request.onText, span);
    const raw = isJson(response) ? inOnePiece(await response.json(), onText) : await readStream(data, onText);
    return raw;
  } catch (error) {
    // The SDK wraps aborts in errors of its own, and ends a stream quietly; the reason tells why.
    if (watch.signal.aborted) throw watch.signal.reason;
    throw error;
  }
}

/** A server that cannot stream answers with the whole completion. */
function inOnePiece(body: unknown, onText: (piece: string) => void): RawReply {
  const raw = readCompletion(body);
  if (raw.finishReason !== "refusal" && raw.text !== "") onText(raw.text);
  return raw;
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.includes("application/json") === true;
}

/** Hands text on and notes that the caller has seen some of it. */
function deliver(call: Call, onText: (piece: string) => void, span: Span) {
  return (piece: string) => {
    if (!call.delivered) span.addEvent("first text");
    call.delivered = true;
    try {
      onText(piece);
    } catch (error) {
      throw new CallerFault(error);
    }
  };
}

/** Carries an error of the caller's own `onText` past everything that judges the server. */
class CallerFault extends Error {
  override readonly name = "CallerFault";
  constructor(cause: unknown) {
    super("onText failed", { cause });
  }
}

/** What to throw: the caller's own errors untouched, the server's as one of our two. */
function failureOf(context: Context, call: Call, error: unknown): unknown {
  if (error instanceof CallerFault) return error.cause;
  if (call.request.signal.aborted) return call.request.signal.reason;
  return classifyFailure(error, context.now());
}

function finished(context: Context, { request, model }: Call, features: Features, raw: RawReply): ModelReply {
  const responseModel = raw.model ?? model;
  return {
    text: raw.text,
    finishReason: raw.finishReason,
    requestModel: model,
    responseModel,
    responseId: raw.id ?? "",
    usage: usageOf({
      counted: raw.counted,
      messages: messagesFor(request, features),
      reply: raw.text,
      models: [responseModel, model],
      prices: context.prices,
    }),
  };
}

/** Everything the SDK would otherwise take from the environment is given, or switched off. */
function openAi({ baseUrl, apiKey, limits }: Context, watchedFetch: typeof fetch): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: limits.totalMs,
    fetch: watchedFetch,
    logLevel: "off",
  });
}
