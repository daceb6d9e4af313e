// The model client with a real HTTP server that misbehaves like real model servers.
import { describe, expect, it } from "vitest";
import { PermanentError, TransientError } from "../src/errors.ts";
import {
  createModelClient,
  type ModelClientOptions,
  type ModelReply,
  type ModelRequest,
  type ToldCall,
} from "../src/model/index.ts";
import { newTraceIds, startTelemetry } from "../src/telemetry/index.ts";
import { completion, openStream, refusal, sse, startModelServer, streamOf } from "./support/model-server.ts";
import { startOtlpReceiver } from "@planwright/testkit";

const signal = new AbortController().signal;
const ask: ModelRequest = {
  prompt: { name: "test.ask", version: 1 },
  messages: [{ role: "user", content: "what is 2 + 2?" }],
  signal,
};
const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const askStructured: ModelRequest = { ...ask, outputSchema: { name: "sum", schema } };

/** A client of `baseUrl` that records its waits instead of waiting. */
function clientOf({ baseUrl }: { baseUrl: string }, options: Partial<ModelClientOptions> = {}) {
  const waits: number[] = [];
  const client = createModelClient({
    baseUrl,
    apiKey: "key",
    model: "small",
    role: "planner",
    random: () => 0,
    delay: async (ms) => void waits.push(ms),
    ...options,
  });
  return { waits, complete: (request: ModelRequest) => client.complete(request) };
}

/** Streams a call, and returns the text passed to `onText` with the reply. */
async function streamed(client: { complete: (request: ModelRequest) => Promise<ModelReply> }, request = ask) {
  const pieces: string[] = [];
  const reply = await client.complete({ ...request, onText: (piece) => pieces.push(piece) });
  return { pieces, reply };
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable("the call succeeded"),
    (error: unknown) => error,
  );
}

describe("a call", () => {
  it("returns the reply with the server's usage, and the cost when the price is known", async () => {
    await using server = await startModelServer(completion("4"));
    const prices = { "m-1": { inputUsdPerMillion: 2, outputUsdPerMillion: 10 } };
    expect(await clientOf(server, { prices }).complete(ask)).toEqual({
      text: "4",
      finishReason: "stop",
      requestModel: "small",
      responseModel: "m-1",
      responseId: "c1",
      usage: { inputTokens: 12, outputTokens: 5, estimated: false, costUsd: (12 * 2 + 5 * 10) / 1e6 },
    });
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    await using caching = await startModelServer(completion("4", { usage }));
    expect((await clientOf(caching, { prices }).complete(ask)).usage).toMatchObject({
      cachedInputTokens: 8,
      cacheWriteInputTokens: 2,
      reasoningOutputTokens: 3,
      costUsd: (12 * 2 + 5 * 10) / 1e6,
    });
    const cheaper = { "m-1": { ...prices["m-1"], cachedInputUsdPerMillion: 0.5 } };
    expect((await clientOf(caching, { prices: cheaper }).complete(ask)).usage.costUsd).toBe(
      (4 * 2 + 8 * 0.5 + 5 * 10) / 1e6,
    );
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer key" },
      body: { model: "small", messages: ask.messages },
    });
  });

  it("is streamed with its usage, so that silence is noticed, whether or not its tokens are limited", async () => {
    await using server = await startModelServer(sse(streamOf(["4"])));
    const client = clientOf(server);
    await client.complete(ask);
    const { usage } = await client.complete({ ...ask, metered: true, maxOutputTokens: 9 });
    expect(usage.estimated).toBe(false);
    const sent = server.requests.map(({ body }) => [body["stream"], body["stream_options"]]);
    expect(sent).toEqual([
      [true, { include_usage: true }],
      [true, { include_usage: true }],
    ]);
  });

  it.each([
    ["counts no stream", sse(streamOf(["4"], { usage: false }))],
    ["refuses stream options", refusal(400, { message: "Unknown field: stream_options" })],
  ])("is not streamed when its tokens are limited and the server %s", async (_, first) => {
    await using server = await startModelServer(first, completion("4"));
    const client = clientOf(server);
    const metered: ModelRequest = { ...ask, metered: true, maxOutputTokens: 9 };
    const pieces: string[] = [];
    await client.complete(metered);
    const reply = await client.complete({ ...metered, onText: (piece) => void pieces.push(piece) });
    expect(reply.usage).toMatchObject({ inputTokens: 12, outputTokens: 5, estimated: false });
    expect(pieces).toEqual(["4"]);
    expect(server.requests.at(-1)?.body["stream"]).toBeUndefined();
  });

  it("does not know the cost of a model without a price", async () => {
    await using server = await startModelServer(completion("4"));
    expect((await clientOf(server).complete(ask)).usage.costUsd).toBeNull();
  });

  it.each([
    ["missing", { usage: null }],
    ["all zeros", { usage: { prompt_tokens: 0, completion_tokens: 0 } }],
    ["malformed", { usage: { prompt_tokens: "many" } }],
  ])("estimates the usage when it is %s", async (_, more) => {
    await using server = await startModelServer(completion("12345678", more));
    expect((await clientOf(server).complete(ask)).usage).toEqual({
      inputTokens: 4,
      outputTokens: 2,
      estimated: true,
      costUsd: null,
    });
  });

  it.each([
    ["length", completion("4 and", { finish_reason: "length" }), "length", "4 and"],
    ["content_filter", completion("", { finish_reason: "content_filter" }), "content_filter", ""],
    ["refusal", completion(null, { message: { refusal: "I will not." } }), "refusal", "I will not."],
  ])("reports when the reply ended by %s", async (_, answer, finishReason, text) => {
    await using server = await startModelServer(answer);
    expect(await clientOf(server).complete(ask)).toMatchObject({ finishReason, text });
  });

  it("sends no key if none is set, and refuses to call the public server without one", async () => {
    await using server = await startModelServer(completion("4"));
    await clientOf(server, { apiKey: undefined }).complete(ask);
    expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
    const error = await failureOf(
      clientOf({ baseUrl: "https://api.openai.com/v1" }, { apiKey: undefined }).complete(ask),
    );
    expect(error).toMatchObject({ name: "PermanentError", code: "model_key_missing" });
  });

  it("calls another model when the request names one", async () => {
    await using server = await startModelServer(completion("4"));
    expect((await clientOf(server).complete({ ...ask, model: "big" })).requestModel).toBe("big");
    expect(server.requests[0]?.body.model).toBe("big");
  });
});

describe("a stream", () => {
  const text = 'Zürich, 東京 and {"a": 1}';
  const pieces = ["Zür", "ich, 東", '京 and {"a":', " 1}"];

  it("passes on each piece in order and ends with the server's usage", async () => {
    await using server = await startModelServer(sse(streamOf(pieces)));
    const result = await streamed(clientOf(server));
    expect(result.pieces).toEqual(pieces);
    expect(result.reply).toMatchObject({ text, finishReason: "stop", responseId: "c1" });
    expect(result.reply.usage).toMatchObject({ inputTokens: 12, outputTokens: 5, estimated: false });
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it.each([1, 2, 3, 7, 64])(
    "reads chunks that are split every %d bytes, inside characters too",
    async (size) => {
      const bytes = Buffer.from(streamOf(pieces));
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      await using server = await startModelServer(sse(...parts));
      expect((await streamed(clientOf(server))).reply.text).toBe(text);
    },
  );

  it("estimates the usage when the server sends none", async () => {
    await using server = await startModelServer(sse(streamOf(["12345678"], { usage: false })));
    expect((await streamed(clientOf(server))).reply.usage).toMatchObject({
      outputTokens: 2,
      estimated: true,
    });
  });

  it("skips comments and empty choices, and needs no [DONE]", async () => {
    const body = `: processing\n\ndata: {"choices":[],"prompt_filter_results":[]}\n\n${streamOf(["4"], { done: false })}`;
    await using server = await startModelServer(sse(body));
    expect((await streamed(clientOf(server))).reply.text).toBe("4");
  });

  it("collects a refusal without handing it on as text", async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: "c1", model: "m-1", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    await using server = await startModelServer(
      sse(chunk({ refusal: "I will " }), chunk({ refusal: "not." }), chunk({}, "stop"), "data: [DONE]\n\n"),
    );
    const { reply, pieces: seen } = await streamed(clientOf(server));
    expect(reply).toMatchObject({ finishReason: "refusal", text: "I will not." });
    expect(seen).toEqual([]);
  });

  it("takes a whole completion from a server that cannot stream", async () => {
    await using server = await startModelServer(completion("4"));
    expect(await streamed(clientOf(server))).toMatchObject({ pieces: ["4"], reply: { text: "4" } });
  });

  it("rethrows errors of onText without retrying", async () => {
    await using server = await startModelServer(sse(streamOf(["4"])));
    const onText = () => {
      throw new RangeError("not what I wanted");
    };
    expect(await failureOf(clientOf(server).complete({ ...ask, onText }))).toBeInstanceOf(RangeError);
    expect(server.requests).toHaveLength(1);
  });

  it("rejects a reply that exceeds the length limit", async () => {
    await using server = await startModelServer(
      sse(...Array.from({ length: 5 }, () => streamOf(["x".repeat(1_048_576)], { done: false }))),
    );
    expect(await failureOf(streamed(clientOf(server)))).toMatchObject({
      name: "PermanentError",
      code: "model_reply_too_large",
    });
  });
});

describe("a stream that breaks", () => {
  it("is retried when it fell silent before any text was passed on", async () => {
    await using server = await startModelServer(openStream(": opening\n\n"), sse(streamOf(["4"])));
    const client = clientOf(server, { limits: { idleMs: 50 } });
    expect((await streamed(client)).reply.text).toBe("4");
    expect(client.waits).toHaveLength(1);
  });

  it("in mid-body by falling silent ends with an error that explains it (MODEL-1)", async () => {
    await using server = await startModelServer(
      openStream(streamOf(["4"], { finish: null, usage: false, done: false })),
    );
    const error = await failureOf(streamed(clientOf(server, { limits: { idleMs: 50 } })));
    expect(error).toMatchObject({
      name: "TransientError",
      message: "the model server fell silent for 50 ms (MODEL_IDLE_MS)",
    });
    expect(server.requests).toHaveLength(1);
  });

  it("is retried up to the last attempt when it has sent no byte (MODEL-2)", async () => {
    await using server = await startModelServer(() => undefined);
    const client = clientOf(server, { limits: { firstByteMs: 50, triesMax: 3 } });
    expect(await failureOf(streamed(client))).toMatchObject({
      code: "model_unavailable",
      message:
        "the model server does not answer: nothing came for 50 ms (MODEL_FIRST_BYTE_MS); gave up after 3 calls (MODEL_TRIES_MAX)",
    });
    expect(server.requests).toHaveLength(3);
    expect(client.waits).toHaveLength(2);
  });

  it.each([
    ["ends before the reply does", sse(streamOf([], { finish: null, usage: false }))],
    ["carries truncated JSON", sse('data: {"choices": [{"delta": {"con\n\n')],
    ["carries an error", sse('data: {"error": {"message": "overloaded"}}\n\n')],
    ["carries something else", sse('data: {"choices": [{"delta": {"content": 7}}]}\n\n')],
    ["resets the connection", (response: { destroy: () => unknown }) => void response.destroy()],
  ])("is retried when it %s before any text was passed on", async (_, broken) => {
    await using server = await startModelServer(broken, sse(streamOf(["4"])));
    const client = clientOf(server);
    expect((await streamed(client)).reply.text).toBe("4");
    expect(client.waits).toHaveLength(1);
  });

  it("is not retried after text was passed on (MODEL-2)", async () => {
    await using server = await startModelServer(
      sse(streamOf(["4"], { finish: null, usage: false, done: false })),
    );
    expect(await failureOf(streamed(clientOf(server)))).toBeInstanceOf(TransientError);
    expect(server.requests).toHaveLength(1);
  });

  it("ends at the total deadline however alive it looks (MODEL-1)", async () => {
    await using server = await startModelServer(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      while (!response.destroyed) {
        response.write(": still here\n\n");
        await new Promise((resume) => setTimeout(resume, 5));
      }
    });
    const error = await failureOf(streamed(clientOf(server, { limits: { totalMs: 100, idleMs: 50 } })));
    expect(error).toMatchObject({
      name: "PermanentError",
      code: "model_call_timeout",
      message: expect.stringContaining("did not finish within"),
    });
  });
});

describe("a reply without streaming that breaks", () => {
  it.each([
    [
      "truncated JSON",
      (response: { setHeader: (n: string, v: string) => { end: (t: string) => void } }) =>
        response.setHeader("content-type", "application/json").end('{"choices": ['),
    ],
    ["no choices", completion("4", { choices: [] })],
  ])("is retried with %s", async (_, broken) => {
    await using server = await startModelServer(broken, completion("4"));
    expect((await clientOf(server).complete(ask)).text).toBe("4");
  });
});

describe("a transient refusal", () => {
  const NOW = Date.parse("2026-01-01T00:00:00Z");

  it.each([
    ["retry-after-ms", { "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
    ["retry-after in seconds", { "retry-after": "7" }, 7_000],
    ["retry-after as a date", { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }, 20_000],
    ["retry-after as a date gone by", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  ])("is retried after the delay in %s", async (_, headers, waitMs) => {
    await using server = await startModelServer(refusal(429, {}, headers), completion("4"));
    const client = clientOf(server, { now: () => NOW });
    expect((await client.complete(ask)).text).toBe("4");
    expect(client.waits).toEqual([waitMs]);
  });

  it("is passed to the caller, with the time, when the server requires a longer wait than the limits allow", async () => {
    await using server = await startModelServer(refusal(429, {}, { "retry-after": "3600" }));
    const error = await failureOf(clientOf(server).complete(ask));
    expect(error).toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("the server asks to wait 3600 s, and MODEL_PATIENCE_MS allows 30 s"),
      retryAfterMs: 3_600_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  it("is retried with growing full jitter until the attempts are used up", async () => {
    await using server = await startModelServer(refusal(503));
    const client = clientOf(server, { random: () => 0.999_999, limits: { triesMax: 4 } });
    const error = await failureOf(client.complete(ask));
    expect(error).toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/^the model server answered 503.*gave up after 4 calls/),
    });
    expect(client.waits).toEqual([500, 1_000, 2_000]);
    expect(server.requests).toHaveLength(4);
  });

  it("includes an unreachable server", async () => {
    const gone = await startModelServer();
    await gone[Symbol.asyncDispose]();
    const client = clientOf(gone, { limits: { triesMax: 2 } });
    expect(await failureOf(client.complete(ask))).toMatchObject({
      code: "model_unavailable",
      message:
        "the model server does not answer: connection refused; gave up after 2 calls (MODEL_TRIES_MAX)",
    });
    expect(client.waits).toHaveLength(1);
  });
});

describe("a permanent refusal", () => {
  it.each([
    [401, {}, "model_key_refused", "; is OPENAI_API_KEY right?"],
    [403, {}, "model_key_refused", "; may OPENAI_API_KEY"],
    [404, {}, "model_not_found", "; are OPENAI_BASE_URL and the model's name"],
    [400, { message: "No such model: big" }, "model_not_found", "; are OPENAI_BASE_URL"],
    [400, { code: "context_length_exceeded" }, "model_context_too_long", "; the prompt is longer"],
    [
      400,
      { message: "the request exceeds the available context size (4096 tokens)" },
      "model_context_too_long",
      "; the prompt is longer",
    ],
    [429, { code: "insufficient_quota" }, "model_request_refused", "; the account"],
  ])("is not retried with %d %j, and the error names what to check", async (status, error, code, advice) => {
    await using server = await startModelServer(refusal(status, error));
    const failure = await failureOf(clientOf(server).complete(askStructured));
    expect(failure).toBeInstanceOf(PermanentError);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(`answered ${status}${advice}`) });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a compatible server", () => {
  const formats = (server: { requests: { body: Record<string, unknown> }[] }) =>
    server.requests.map(({ body }) => Object(body["response_format"] ?? { type: "none" }).type);

  it("is sent the schema as a strict response format (MODEL-3)", async () => {
    await using server = await startModelServer(completion('{"a":4}'));
    await clientOf(server).complete(askStructured);
    expect(server.requests[0]?.body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "sum", schema, strict: true },
    });
    expect(server.requests[0]?.body).not.toHaveProperty("tools");
  });

  it("gets a JSON object format and the schema in the prompt if it supports no schemas, which is remembered (MODEL-4)", async () => {
    await using server = await startModelServer(
      refusal(400, { message: "response_format json_schema is not supported" }),
      completion('{"a":4}'),
    );
    const client = clientOf(server);
    await client.complete(askStructured);
    await client.complete(askStructured);
    expect(formats(server)).toEqual(["json_schema", "json_object", "json_object"]);
    expect(server.requests[2]?.body.messages[0]?.content).toContain(JSON.stringify(schema));
    expect(client.waits).toEqual([]);
  });

  it("gets only the prompt if it supports no formats at all", async () => {
    await using server = await startModelServer(refusal(400), refusal(422), completion('{"a":4}'));
    await clientOf(server).complete({
      ...askStructured,
      messages: [{ role: "system", content: "You add." }, ...ask.messages],
    });
    expect(formats(server)).toEqual(["json_schema", "json_object", "none"]);
    const [first, second, ...others] = server.requests[2]?.body.messages ?? [];
    expect(first?.content).toMatch(/^You add\.\n\nReply with one JSON object/);
    expect([second?.role, others.length]).toEqual(["user", 0]);
  });

  it("has its first refusal reported, with nothing remembered, if that had another cause", async () => {
    await using server = await startModelServer(
      refusal(400, { message: "the prompt is odd" }),
      refusal(400, { message: "still odd" }),
      refusal(400, { message: "odd again" }),
      refusal(400, { message: "odd without stream options too" }),
      completion('{"a":4}'),
    );
    const client = clientOf(server);
    const error = await failureOf(client.complete(askStructured));
    expect(String((error as Error).cause)).toContain("the prompt is odd");
    await client.complete(askStructured);
    expect(formats(server)).toEqual(["json_schema", "json_object", "none", "none", "json_schema"]);
  });

  it("is not called again if it finds the prompt too long", async () => {
    await using server = await startModelServer(refusal(400, { code: "context_length_exceeded" }));
    await failureOf(clientOf(server).complete(askStructured));
    expect(server.requests).toHaveLength(1);
  });

  it("is called without stream options if it does not support them, which is remembered", async () => {
    await using server = await startModelServer(
      refusal(400, { message: "Unknown field: stream_options" }),
      sse(streamOf(["4"], { usage: false })),
    );
    const client = clientOf(server);
    await streamed(client);
    await streamed(client);
    expect(server.requests.map(({ body }) => "stream_options" in body)).toEqual([true, false, false]);
  });

  it("is called without a temperature or token limit name that it rejects", async () => {
    await using server = await startModelServer(
      refusal(400, { message: "Unsupported value: 'temperature'" }),
      refusal(400, { message: "Unsupported parameter: 'max_tokens'" }),
      completion("4"),
    );
    await clientOf(server).complete({ ...ask, temperature: 0, maxOutputTokens: 9 });
    expect(server.requests[2]?.body).toMatchObject({ max_completion_tokens: 9 });
    expect(server.requests[2]?.body).not.toHaveProperty("temperature");
    expect(server.requests[2]?.body).not.toHaveProperty("max_tokens");
  });
});

describe("an abort", () => {
  it("ends a silent stream immediately with the caller's reason (MODEL-1)", async () => {
    await using server = await startModelServer(
      openStream(streamOf(["4"], { finish: null, usage: false, done: false })),
    );
    const controller = new AbortController();
    const reason = new DOMException("plan cancelled", "AbortError");
    const onText = () => controller.abort(reason);
    expect(await failureOf(clientOf(server).complete({ ...ask, onText, signal: controller.signal }))).toBe(
      reason,
    );
    expect(server.requests).toHaveLength(1);
  });

  it("ends a call that is waiting for its reply", async () => {
    const controller = new AbortController();
    const reason = new DOMException("plan cancelled", "AbortError");
    await using server = await startModelServer(() => controller.abort(reason));
    expect(await failureOf(clientOf(server).complete({ ...ask, signal: controller.signal }))).toBe(reason);
  });

  it("ends the wait before another attempt", async () => {
    const controller = new AbortController();
    const reason = new DOMException("plan cancelled", "AbortError");
    await using server = await startModelServer(refusal(429, {}, { "retry-after": "20" }));
    const client = createModelClient({ baseUrl: server.baseUrl, apiKey: "k", model: "m", role: "planner" });
    const call = failureOf(client.complete({ ...ask, signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(reason);
    expect(await call).toBe(reason);
  });

  it("prevents a later call from sending anything", async () => {
    await using server = await startModelServer(completion("4"));
    await failureOf(clientOf(server).complete({ ...ask, signal: AbortSignal.abort() }));
    expect(server.requests).toHaveLength(0);
  });
});

it("keeps a call alive when the clock is set forward by two hours", async () => {
  const refused = refusal(400, { message: "response_format json_schema is not supported" });
  await using server = await startModelServer(refused, completion('{"a":4}'));
  const now = () => Date.now() + (server.requests.length > 0 ? 7_200_000 : 0);
  const { complete } = clientOf(server, { now });
  expect(await complete(askStructured)).toMatchObject({ text: '{"a":4}' });
});

describe("telemetry of a call", () => {
  it("reports its duration and tokens once, however often it was retried", async () => {
    await using server = await startModelServer(refusal(503), completion("4"));
    const told: ToldCall[] = [];
    const times = [1_000, 1_000, 1_000, 1_250];
    const now = () => times.shift() ?? 1_250;
    await clientOf(server, { onCall: (call) => told.push(call), now }).complete(ask);
    expect(told).toEqual([
      { role: "planner", model: "small", durationMs: 250, tokens: { input: 12, output: 5 } },
    ]);
  });

  it("names the error of a failed call, and marks one that was no longer needed", async () => {
    await using server = await startModelServer(refusal(401), refusal(503));
    const told: ToldCall[] = [];
    const client = clientOf(server, { onCall: (call) => told.push(call), limits: { triesMax: 1 } });
    await failureOf(client.complete({ ...ask, model: "big" }));
    await failureOf(client.complete(ask));
    await failureOf(client.complete({ ...ask, signal: AbortSignal.abort() }));
    expect(told.map(({ model, error }) => [model, error])).toEqual([
      ["big", "model_key_refused"],
      ["small", "model_unavailable"],
      ["small", "cancelled"],
    ]);
  });
});

describe("the span of a call", () => {
  it("has the conventional attributes and no content, as a child of the calling span", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({ service: "planner", endpoint: receiver.url });
    await using server = await startModelServer(refusal(503), completion('{"a":4}'));
    const trace = newTraceIds({ sampled: true });
    await clientOf(server, { telemetry }).complete({ ...askStructured, trace, maxOutputTokens: 9 });
    await telemetry.flush();
    const span = receiver.span("chat small");
    expect(span).toMatchObject({ traceId: trace.traceId, parentSpanId: trace.spanId, kind: 3 });
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "small",
      "gen_ai.request.max_tokens": 9,
      "gen_ai.output.type": "json",
      "gen_ai.agent.name": "planner",
      "gen_ai.prompt.name": "test.ask",
      "gen_ai.prompt.version": "1",
      "gen_ai.request.stream": true,
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
      "gen_ai.response.model": "m-1",
      "gen_ai.response.id": "c1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 5,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(server.baseUrl).port),
    });
    expect(span.events.map(({ name }) => name)).toEqual(["retry", "first text"]);
  });

  it("contains prompts and replies if the settings opt in, and the error of a failure", async () => {
    await using receiver = await startOtlpReceiver();
    await using telemetry = startTelemetry({
      service: "planner",
      endpoint: receiver.url,
      captureContent: true,
    });
    await using server = await startModelServer(completion("4"), refusal(401));
    const client = clientOf(server, { telemetry });
    await client.complete({ ...ask, trace: newTraceIds({ sampled: true }) });
    await failureOf(client.complete({ ...ask, model: "big", trace: newTraceIds({ sampled: true }) }));
    await telemetry.flush();
    const { attributes } = receiver.span("chat small");
    expect(attributes["gen_ai.input.messages"]).toContain("what is 2 + 2?");
    expect(attributes["gen_ai.output.messages"]).toContain('"content":"4"');
    expect(receiver.span("chat big")).toMatchObject({
      status: { code: 2, message: expect.stringContaining("the model server answered 401") },
      attributes: { "error.type": "model_key_refused" },
    });
  });
});
