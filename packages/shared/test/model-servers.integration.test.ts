// Quirks of real model servers: what they refuse, and what they send instead of a reply.
import { describe, expect, it } from "vitest";
import { describeError } from "../src/errors.ts";
import {
  createModelClient,
  ModelUnavailableError,
  type ModelClientOptions,
  type ModelRequest,
} from "../src/model/index.ts";
import { type Answer, completion, refusal, sse, startModelServer, streamOf } from "./support/model-server.ts";

const schema = {
  type: "object",
  properties: { a: { type: "number" } },
  required: ["a"],
  additionalProperties: false,
};
const ask: ModelRequest = {
  prompt: { name: "test.ask", version: 1 },
  messages: [{ role: "user", content: "what is 2 + 2?" }],
  outputSchema: { name: "sum", schema },
  signal: new AbortController().signal,
};

function clientOf({ baseUrl }: { baseUrl: string }, options: Partial<ModelClientOptions> = {}) {
  const settings = { baseUrl, apiKey: "key", model: "small", role: "planner", ...options };
  return createModelClient({ ...settings, random: () => 0, delay: async () => undefined });
}

describe("a server that answers 500 to a schema", () => {
  const formats = (server: { requests: { body: Record<string, unknown> }[] }) =>
    server.requests.map(({ body }) => Object(body["response_format"] ?? { type: "none" }).type);

  it("is sent fewer features when it names the schema, which is remembered", async () => {
    const cause = "failed to parse grammar";
    await using server = await startModelServer(refusal(500, { message: cause }), completion('{"a":4}'));
    const client = clientOf(server);
    await client.complete(ask);
    await client.complete(ask);
    expect(formats(server)).toEqual(["json_schema", "json_object", "json_object"]);
  });

  it("is sent fewer features after it has failed twice in the same way", async () => {
    await using server = await startModelServer(
      refusal(500, { message: "internal error (request 7f3a91c2)" }),
      refusal(500, { message: "internal error (request 08bb41dd)" }),
      completion('{"a":4}'),
    );
    const client = clientOf(server);
    expect((await client.complete(ask)).text).toBe('{"a":4}');
    await client.complete(ask);
    expect(formats(server)).toEqual(["json_schema", "json_schema", "json_object", "json_object"]);
  });

  it("keeps its format when it fails in different ways, or only once", async () => {
    await using server = await startModelServer(
      refusal(500, { message: "out of memory" }),
      refusal(500, { message: "the worker died" }),
      completion('{"a":4}'),
    );
    await clientOf(server).complete(ask);
    expect(formats(server)).toEqual(["json_schema", "json_schema", "json_schema"]);
  });

  it("is tried once in every format when it fails with all of them", async () => {
    await using server = await startModelServer(refusal(500, { message: "failed to parse grammar" }));
    await expect(clientOf(server, { limits: { triesMax: 4 } }).complete(ask)).rejects.toThrow();
    const sent = formats(server);
    expect(sent.slice(0, 3)).toEqual(["json_schema", "json_object", "none"]);
    expect(sent.filter((format) => format !== "json_schema")).toEqual(["json_object", "none"]);
  });
});

it("puts a schema beyond the documented limits into the prompt", async () => {
  await using server = await startModelServer(completion('{"a":4}'));
  const values = Array.from({ length: 1_001 }, (_, index) => `v${index}`);
  const large = { ...schema, properties: { a: { type: "string", enum: values } } };
  await clientOf(server).complete({ ...ask, outputSchema: { name: "sum", schema: large } });
  expect(server.requests[0]?.body["response_format"]).toEqual({ type: "json_object" });
  expect(JSON.stringify(server.requests[0]?.body.messages)).toContain("v1000");
});

const { outputSchema: _none, ...plain } = ask;

/** Streams a call; returns the joined pieces with the reply. */
async function streamed(server: { baseUrl: string }, request: ModelRequest) {
  let pieces = "";
  const reply = await clientOf(server).complete({ ...request, onText: (piece) => void (pieces += piece) });
  return { pieces, reply };
}

describe("a model's reasoning", () => {
  const wanted = '{"a":4}';
  const part = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "c1", model: "m-1", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

  it.each([
    ["in tags", ["<thi", "nk>a {draft}</think>", "\n\n", wanted]],
    ["without its opening tag", ["First {", "a} draft.\n</th", "ink>\n\n", wanted]],
    [
      "in channels",
      [
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>fin",
        `al<|message|>${wanted}<|return|>`,
      ],
    ],
  ])("is neither streamed nor part of the reply: %s", async (_, pieces) => {
    await using server = await startModelServer(sse(streamOf(pieces)), completion(pieces.join("")));
    expect(await streamed(server, ask)).toMatchObject({ pieces: wanted, reply: { text: wanted } });
    expect((await clientOf(server).complete(ask)).text).toBe(wanted);
  });

  it("is dropped when it is in a separate field", async () => {
    await using server = await startModelServer(
      sse(
        part({ reasoning_content: "I add." }),
        part({ reasoning: "2 + 2", content: null }),
        part({ content: "4" }, "stop"),
      ),
      completion("4", { message: { reasoning_content: "I add." } }),
    );
    expect(await streamed(server, plain)).toMatchObject({ pieces: "4", reply: { text: "4" } });
    expect((await clientOf(server).complete(plain)).text).toBe("4");
  });

  it("is the answer when a server puts the JSON itself there", async () => {
    await using server = await startModelServer(completion(null, { message: { reasoning_content: wanted } }));
    expect((await clientOf(server).complete(ask)).text).toBe(wanted);
    expect((await clientOf(server).complete(plain)).reasoningOnly).toBe(true);
  });

  it.each([
    ["in tags", completion("<think>I should", { finish_reason: "length" })],
    ["in a field", completion("", { finish_reason: "length", message: { reasoning_content: "I should" } })],
  ])("leaves no answer and is reported when it is cut off: %s", async (_, answer) => {
    await using server = await startModelServer(answer);
    const reply = await clientOf(server).complete(plain);
    expect(reply).toMatchObject({ text: "", reasoningOnly: true, finishReason: "length" });
  });

  it("is held back without its opening tag once a model is known for that", async () => {
    const pieces = ["I add.\n", "</think>\n\n", "4"];
    await using server = await startModelServer(sse(streamOf(pieces)));
    const client = clientOf(server);
    const seen: string[] = [];
    for (let count = 0; count < 2; count++) {
      let text = "";
      const reply = await client.complete({ ...plain, onText: (piece) => void (text += piece) });
      expect(reply.text).toBe("4");
      seen.push(text);
    }
    expect(seen).toEqual(["I add.\n</think>\n\n4", "4"]);
  });
});

describe("unusual responses", () => {
  const body =
    (text: string, type = "application/json"): Answer =>
    (response) =>
      void response.setHeader("content-type", type).end(text);
  const page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>";
  const CASES: readonly (readonly [string, Answer, RegExp, "TransientError" | "PermanentError"])[] = [
    [
      "an error",
      body('{"error":{"message":"no GPU is free","code":503}}'),
      /answered 200 with an error: no GPU is free$/,
      "TransientError",
    ],
    [
      "an error as text",
      body('{"error":"model not loaded"}'),
      /answered 200 with an error: model not loaded$/,
      "TransientError",
    ],
    [
      "an error that stays",
      body('{"error":{"message":"no such model","code":404}}'),
      /with an error: no such model$/,
      "PermanentError",
    ],
    [
      "a page",
      body(page, "text/html; charset=utf-8"),
      /answered 200 with the HTML page Sign in instead of JSON: http:\S+ is not the address of an API/,
      "PermanentError",
    ],
    ["a page said to be JSON", body(page), /the HTML page Sign in/, "PermanentError"],
    ["nothing", body(""), /answered 200 with an empty body$/, "TransientError"],
    ["half of a reply", body('{"choices": ['), /text that is not JSON: \{"choices": \[/, "TransientError"],
    ["no choices", body('{"choices": []}'), /a completion that has no choices$/, "TransientError"],
    [
      "another JSON",
      body('{"ok": true}'),
      /JSON that is not a completion: .*got \{"ok":true\}$/s,
      "TransientError",
    ],
    [
      "a call of a tool",
      completion(null, {
        finish_reason: "tool_calls",
        message: {
          tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: "{}" } }],
        },
      }),
      /the model called the tool "search" instead of writing its reply/,
      "TransientError",
    ],
    [
      "a redirect",
      (response) =>
        void response.writeHead(301, { location: "https://models.example/v1/chat/completions?key=s" }).end(),
      /redirects \(301\) from http:\S+ to https:\/\/models\.example\/v1\/chat\/completions: set OPENAI_BASE_URL/,
      "PermanentError",
    ],
    [
      "a redirect that keeps the method, to another host",
      (response) => void response.writeHead(307, { location: "http://models.example/v1" }).end(),
      /redirects \(307\) from \S+ to http:\/\/models\.example\/v1: set/,
      "PermanentError",
    ],
    [
      "a page with an error's status",
      (response) =>
        void response.writeHead(502, { "content-type": "text/html" }).end("<html><title>Bad Gateway</title>"),
      /answered 502: the HTML page Bad Gateway$/,
      "TransientError",
    ],
  ];

  it.each(CASES)("%s", async (_, answer, message, name) => {
    await using server = await startModelServer(answer);
    for (const request of [ask, { ...ask, onText: () => undefined }]) {
      const limits = { triesMax: 1 };
      const error = await clientOf(server, { limits })
        .complete(request)
        .catch((cause: unknown) => (cause instanceof ModelUnavailableError ? cause.last : cause));
      expect(describeError(error)).toMatch(message);
      expect(error).toMatchObject({ name });
    }
  });

  it("reports an error in the middle of a stream", async () => {
    await using server = await startModelServer(sse('data: {"error":{"message":"the GPU is gone"}}\n\n'));
    const call = clientOf(server, { limits: { triesMax: 1 } }).complete({
      ...ask,
      onText: () => undefined,
    });
    await expect(call).rejects.toThrow("the model server sent an error within its reply");
    expect(describeError(await call.catch((error: unknown) => error))).toContain("the GPU is gone");
  });

  it("accepts text in parts", async () => {
    const content = [
      { type: "thinking", thinking: [{ text: "I add" }] },
      { type: "text", text: "4" },
    ];
    await using server = await startModelServer(completion(null, { message: { content } }));
    expect((await clientOf(server).complete(plain)).text).toBe("4");
  });

  it("follows a redirect on the same host that keeps the method", async () => {
    const away: Answer = (response) =>
      void response.writeHead(308, { location: "/v1/chat/completions/" }).end();
    await using server = await startModelServer(away, completion("4"));
    expect((await clientOf(server).complete(plain)).text).toBe("4");
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/v1/chat/completions",
      "/v1/chat/completions/",
    ]);
  });
});
