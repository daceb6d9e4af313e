/**
 * The model client: chat.completions on any OpenAI-compatible server.
 *
 * Invariants:
 *   MODEL-1. No call outlives its total deadline, its caller's abort, or a server that falls silent.
 *   MODEL-2. Only this module retries (the SDK's retries are off), limited by the patience of the piece of work. A call is
 *       retried only while its caller has seen none of the reply, or if it starts over with each reply.
 *   MODEL-3. A schema and tools are never sent together: this client sends no tools at all.
 *   MODEL-4. A feature that the server does not support is requested only once per model and schema.
 */
import { setTimeout as wait } from "node:timers/promises";
import { describeError, PermanentError, TransientError } from "../errors.ts";
import type { ModelTarget } from "../service/model-address.ts";
import { type ModelPrice, type ModelPrices, OPENAI_BASE_URL_DEFAULT } from "../service/model-config.ts";
import { noTelemetry, type Span, withModelSpan } from "../telemetry/index.ts";
import { attemptOnce, CallerFault, featuresUsed, messagesFor } from "./call/attempt-call.ts";
import { classifyFailure, isLoading, refusalOf } from "./call/classify-failure.ts";
import { mayHaveCost } from "./spending/spending-meter.ts";
import { completeWithFallbacks } from "./fallback-models.ts";
import { ModelPatience, retryDelayMs } from "./call/model-patience.ts";
import type { ModelClient, ModelReply, ModelRequest } from "./model-client.ts";
import {
  MODEL_LIMITS,
  type ModelCallState,
  type ModelClientOptions,
  type ModelContext,
} from "./model-context.ts";
import { usageOf } from "./spending/model-usage.ts";
import type { RawReply } from "./reply/read-reply.ts";
import { withTold } from "./told-call.ts";
import { exceededLimits } from "./schema-limits.ts";
import {
  type Features,
  featuresAtFirst,
  isSameFailure,
  lessFormat,
  type Refusal,
  withoutRefused,
} from "./call/server-quirks.ts";

/** How often a request that the server refuses because of a feature is sent again with fewer features. */
const ADAPTATIONS_MAX = 6;
const MEMORY_MAX = 256;
/** How long to wait before calling a server again that is loading its model. */
const LOADING_POLL_MS = 2_000;

/** Creates a client for one role's model. Opens no connection. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const { fallbacks = [], ...own } = options;
  const context = contextOf(own, own);
  const targets = [context, ...fallbacks.map((target) => contextOf(own, target))].map((one) => ({
    context: one,
    restsUntilMs: 0,
  }));
  if (options.keyWithheld === true) {
    const { role, baseUrl } = context;
    const fix = `set ${role.toUpperCase()}_API_KEY, or OPENAI_API_KEY_EVERYWHERE=true`;
    options.log?.warn({ role, baseUrl }, `OPENAI_API_KEY is not sent to the role's own server: ${fix}`);
  }
  const names = fallbacks.map(({ model }) => model);
  const priceOf = (model = context.model) => highestPrice(context.prices, [model, ...names]);
  return { priceOf, complete: (request) => completeWithFallbacks(targets, request, complete) };
}

function contextOf(options: Omit<ModelClientOptions, "fallbacks">, target: ModelTarget): ModelContext {
  const { baseUrl, apiKey, model, keyHeader, headers = {}, keyWithheld, settingNames } = target;
  return {
    prices: {},
    telemetry: noTelemetry,
    fetch: globalThis.fetch,
    now: Date.now,
    random: Math.random,
    onCall: () => undefined,
    delay: pause,
    ...options,
    baseUrl,
    apiKey,
    model,
    keyHeader,
    headers,
    keyWithheld,
    settingNames,
    log: options.log,
    limits: { ...MODEL_LIMITS, ...options.limits },
    learned: new Map(),
    unopened: new Set(),
  };
}

/** Returns the maximum price of a call, whichever model answers it; undefined when the first model's price is unknown. */
function highestPrice(prices: ModelPrices, [model = "", ...fallbacks]: string[]): ModelPrice | undefined {
  if (!Object.hasOwn(prices, model)) return undefined;
  const known = [model, ...fallbacks].flatMap((name) =>
    Object.hasOwn(prices, name) ? (prices[name] ?? []) : [],
  );
  return {
    inputUsdPerMillion: Math.max(...known.map(({ inputUsdPerMillion }) => inputUsdPerMillion)),
    outputUsdPerMillion: Math.max(...known.map(({ outputUsdPerMillion }) => outputUsdPerMillion)),
  };
}

/** Rejects with the signal's own reason, like every other wait here. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

function complete(context: ModelContext, asked: ModelRequest): Promise<ModelReply> {
  const { temperature, reasoningEffort } = context;
  const request: ModelRequest = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...asked,
  };
  const model = request.model ?? context.model;
  const facts = { request, model, agent: context.role, baseUrl: context.baseUrl };
  const make = async (span: Span): Promise<ModelReply> => {
    request.signal.throwIfAborted();
    if (context.apiKey === undefined && context.baseUrl === OPENAI_BASE_URL_DEFAULT) {
      throw new PermanentError(`${context.baseUrl} needs a key: set OPENAI_API_KEY`, {
        code: "model_key_missing",
      });
    }
    const { patience = new ModelPatience() } = request;
    const deadlineMs = performance.now() + context.limits.totalMs;
    const call = { request, model, patience, deadlineMs, delivered: false, aliveMs: context.now() };
    return completeWithRetries(context, call, span);
  };
  return withTold(context, { model, signal: request.signal }, () =>
    withModelSpan(context.telemetry, facts, make),
  );
}

async function completeWithRetries(
  context: ModelContext,
  call: ModelCallState,
  span: Span,
): Promise<ModelReply> {
  const { patience, request } = call;
  for (let attempt = 1; ; attempt++) {
    try {
      const reply = await completeWithQuirks(context, call, span);
      patience.reset();
      return reply;
    } catch (error) {
      if (!(error instanceof TransientError) || request.signal.aborted) throw error;
      const askedMs = error.retryAfterMs ?? (isLoading(error) ? LOADING_POLL_MS : undefined);
      const delayMs = retryDelayMs({ attempt, askedMs, random: context.random });
      const failure = { error, nowMs: context.now(), delayMs };
      patience.refuseBeyond(context.limits, failure);
      patience.report(context.limits, failure);
      if (call.delivered || (request.metered === true && mayHaveCost(error))) throw error;
      // A server that is loading its model has not started the call.
      if (isLoading(error)) call.deadlineMs = performance.now() + delayMs + context.limits.totalMs;
      const facts = { attempt, delayMs, reason: describeError(error) };
      span.addEvent("retry", facts);
      context.log?.warn(
        { role: context.role, model: call.model, ...facts },
        "model call failed, trying again",
      );
      await context.delay(delayMs, request.signal);
      request.onRestart?.();
    }
  }
}

/** Makes one attempt, dropping features one by one as the server refuses them. */
async function completeWithQuirks(
  context: ModelContext,
  call: ModelCallState,
  span: Span,
): Promise<ModelReply> {
  const key = `${call.model}\n${call.request.outputSchema?.name ?? ""}`;
  const official = context.baseUrl === OPENAI_BASE_URL_DEFAULT;
  let features = withinLimits(context, call, context.learned.get(key) ?? featuresAtFirst({ official }));
  let firstRefusal: unknown;
  for (let adaptation = 0; ; adaptation++) {
    if (call.request.metered === true && features.tokenLimit === "none") throw withoutTokenLimit(call);
    try {
      const raw = await attemptOnce(context, call, features, span);
      const found = afterReply(call, features, raw);
      // Only features that worked are remembered: the refusal may have had another cause.
      if ((adaptation > 0 || found !== features) && context.learned.size < MEMORY_MAX)
        context.learned.set(key, found);
      return finished(context, call, features, raw);
    } catch (error) {
      if (failureOf(context, call, error) instanceof TransientError) call.patience.count(error, call.aliveMs);
      firstRefusal ??= error;
      const refusal = refusalOf(error);
      const next = refusal && nextFeatures(call, features, refusal);
      const isOver = adaptation >= ADAPTATIONS_MAX || call.patience.isUsedUp(context.limits);
      if (next === undefined || isOver) {
        // A refusal that persists is reported in its first form.
        throw failureOf(context, call, refusal === undefined ? error : firstRefusal);
      }
      features = next;
    }
  }
}

/** Returns the features for the next request after a refusal; undefined to report it, or to repeat the same request. */
function nextFeatures(call: ModelCallState, features: Features, refusal: Refusal): Features | undefined {
  const used = featuresUsed(call.request, features);
  if (refusal.status !== 500) return withoutRefused(features, used, refusal);
  const { formatFailure } = call;
  if (formatFailure === "tried") return undefined;
  call.formatFailure = used.format ? refusal : "tried";
  const isAboutFormat = used.format && isSameFailure(formatFailure, refusal);
  return isAboutFormat ? lessFormat(features) : withoutRefused(features, used, refusal);
}

/** A server that sends no usage at the end of a stream may send it with a whole reply; budgets need it. */
function afterReply({ request }: ModelCallState, features: Features, { counted }: RawReply): Features {
  const isUncounted = request.metered === true && features.streamUsage && counted === undefined;
  return isUncounted ? { ...features, streamUsage: false } : features;
}

/** A schema beyond the servers' documented limits would be refused, so the prompt contains it instead. */
function withinLimits(
  context: ModelContext,
  { request, model }: ModelCallState,
  features: Features,
): Features {
  const { outputSchema } = request;
  if (outputSchema === undefined || features.format !== "json_schema") return features;
  const exceeded = exceededLimits(outputSchema.schema);
  if (exceeded.length === 0) return features;
  context.log?.warn(
    { role: context.role, model, schema: outputSchema.name, exceeded },
    "schema too large for structured output, sent as part of the prompt",
  );
  return lessFormat(features);
}

function withoutTokenLimit({ model }: ModelCallState): PermanentError {
  return new PermanentError(
    `the model server accepts no limit on the output tokens of ${model}, so no budget can be enforced`,
    { code: "no_token_limit" },
  );
}

/** Returns the error to throw: the caller's own errors unchanged, the server's as one of our two. */
function failureOf(context: ModelContext, call: ModelCallState, error: unknown): unknown {
  if (error instanceof CallerFault) return error.cause;
  if (call.request.signal.aborted) return call.request.signal.reason;
  return classifyFailure(error, context);
}

function finished(
  context: ModelContext,
  { request, model }: ModelCallState,
  features: Features,
  raw: RawReply,
): ModelReply {
  const responseModel = raw.model ?? model;
  if (raw.reasoning === "unopened" && context.unopened.size < MEMORY_MAX) context.unopened.add(model);
  return {
    text: raw.text,
    ...(raw.reasoning === "unclosed" ? { reasoningOnly: true as const } : {}),
    finishReason: raw.finishReason,
    requestModel: model,
    responseModel,
    responseId: raw.id ?? "",
    usage: usageOf({
      counted: raw.counted,
      messages: messagesFor(request, features),
      reply: raw.written,
      models: [responseModel, model],
      prices: context.prices,
    }),
  };
}
