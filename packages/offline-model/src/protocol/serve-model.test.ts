import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Reply } from "./reply.ts";
import { type ServeModelOptions, serveModel } from "./serve-model.ts";

const Completion = z.object({
  object: z.literal("chat.completion"),
  model: z.string(),
  choices: z.array(
    z.object({
      message: z.object({ content: z.string().nullable(), refusal: z.string().nullable() }),
      finish_reason: z.string(),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.number(), completion_tokens: z.number(), total_tokens: z.number() })
    .optional(),
});

const Chunk = z.object({
  id: z.string(),
  object: z.literal("chat.completion.chunk"),
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().optional(), refusal: z.string().optional() }),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: z.object({ completion_tokens: z.number() }).nullish(),
});

const Fault = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.null(),
    code: z.string().nullable(),
  }),
});

function serve(reply: Reply, options: Partial<ServeModelOptions> = {}) {
  return serveModel({ respond: () => reply, ...options });
}

function ask(url: string, extra: object = {}, init: RequestInit = {}) {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hello" }], ...extra });
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/chat/completions`, { method: "POST", body, headers, ...init });
}

function eventsOf(text: string): { chunks: z.infer<typeof Chunk>[]; done: boolean } {
  const data = text.split("\n\n").flatMap((event) => (event.startsWith("data: ") ? [event.slice(6)] : []));
  const chunks = data.filter((item) => item !== "[DONE]").map((item) => Chunk.parse(JSON.parse(item)));
  return { chunks, done: data.at(-1) === "[DONE]" };
}

function textOfChunks(chunks: z.infer<typeof Chunk>[]): string {
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
}

describe("a model server answering in one piece", () => {
  it("returns the text with its finish reason and estimated usage", async () => {
    await using model = await serve("eight ch");
    const completion = Completion.parse(await (await ask(model.url)).json());
    expect(completion.choices[0]).toEqual({
      message: { content: "eight ch", refusal: null },
      finish_reason: "stop",
    });
    expect(completion.usage).toEqual({ prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 });
    expect(completion.model).toBe("m");
  });

  it("carries a refusal in its own field", async () => {
    await using model = await serve({ refusal: "no" });
    const { choices } = Completion.parse(await (await ask(model.url)).json());
    expect(choices[0]?.message).toEqual({ content: null, refusal: "no" });
  });

  it("omits usage when the reply has none", async () => {
    await using model = await serve({ text: "x", usage: "none" });
    expect(Completion.parse(await (await ask(model.url)).json()).usage).toBeUndefined();
  });

  it("cuts the body in half when the reply is truncated", async () => {
    await using model = await serve({ text: "some text", ending: "truncated" });
    const body = await (await ask(model.url)).text();
    expect(body).toContain('"object":"chat.completion"');
    expect(() => JSON.parse(body)).toThrow();
  });

  it("resets the connection when scripted to", async () => {
    await using model = await serve({ text: "some text", ending: "reset" });
    await expect(ask(model.url).then((response) => response.text())).rejects.toThrow();
  });
});

describe("a model server answering in a stream", () => {
  const text = "Grüße, a plan\nof 🙂 steps ";

  it.each(["words", "pieces", "characters", "merged", "bytes"] as const)(
    "keeps the text whole when it is split by %s",
    async (split) => {
      await using model = await serve({ text, split });
      const { chunks, done } = eventsOf(await (await ask(model.url, { stream: true })).text());
      expect(textOfChunks(chunks)).toBe(text);
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
      expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
      expect(done).toBe(true);
    },
  );

  it("ends with a usage chunk without choices only when requested", async () => {
    await using model = await serve("eight ch");
    const withUsage = await ask(model.url, { stream: true, stream_options: { include_usage: true } });
    const last = eventsOf(await withUsage.text()).chunks.at(-1);
    expect(last).toMatchObject({ choices: [], usage: { completion_tokens: 2 } });
    const without = eventsOf(await (await ask(model.url, { stream: true })).text());
    expect(without.chunks.some((chunk) => chunk.usage !== undefined)).toBe(false);
  });

  it("sends each piece before the responder yields the next", async () => {
    const seen = Promise.withResolvers<void>();
    async function* pieces() {
      yield "first";
      await seen.promise;
      yield "second";
    }
    await using model = await serve(pieces());
    const response = await ask(model.url, { stream: true });
    let body = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      body += decoder.decode(bytes, { stream: true });
      if (body.includes("first")) seen.resolve();
    }
    expect(textOfChunks(eventsOf(body).chunks)).toBe("firstsecond");
  });

  it("ends without a finish reason when the reply is truncated", async () => {
    await using model = await serve({ text, ending: "truncated" });
    const { chunks, done } = eventsOf(await (await ask(model.url, { stream: true })).text());
    expect(chunks.every((chunk) => chunk.choices[0]?.finish_reason === null)).toBe(true);
    expect(done).toBe(false);
  });

  it("breaks the connection mid-stream when scripted to", async () => {
    await using model = await serve({ text, ending: "reset" });
    await expect(ask(model.url, { stream: true }).then((response) => response.text())).rejects.toThrow();
  });

  it("notifies the responder when the client has disconnected from a stalled stream", async () => {
    const left = Promise.withResolvers<void>();
    await using model = await serveModel({
      respond: (_request, { signal }) => {
        signal.addEventListener("abort", () => left.resolve(), { once: true });
        return { text: "a", ending: "stall" };
      },
    });
    const client = new AbortController();
    const response = await ask(model.url, { stream: true }, { signal: client.signal });
    expect(response.status).toBe(200);
    client.abort();
    await left.promise;
  });

  it("breaks the connection when the responder fails after its first piece", async () => {
    async function* pieces() {
      yield "first";
      await Promise.resolve();
      throw new Error("responder fault");
    }
    await using model = await serve(pieces());
    await expect(ask(model.url, { stream: true }).then((response) => response.text())).rejects.toThrow();
  });
});

describe("a model server refusing", () => {
  it.each([
    { body: "{", status: 400, says: "not valid JSON" },
    { body: '{"model":"m"}', status: 400, says: "messages" },
    { body: '{"model":"m","messages":[]}', status: 400, says: "messages" },
    { body: "x".repeat(300), status: 413, says: "larger than 200 bytes" },
  ])("answers $status to a bad body that $says", async ({ body, status, says }) => {
    await using model = await serve("x", { bodyBytesMax: 200 });
    const response = await ask(model.url, {}, { body });
    expect(response.status).toBe(status);
    expect(Fault.parse(await response.json()).error.message).toContain(says);
    expect(model.requests.count).toBe(0);
  });

  it("passes on a status with its headers and body unchanged", async () => {
    const reply = { status: 429, headers: { "retry-after-ms": "20" }, body: { error: "slow down" } };
    await using model = await serve(reply);
    const response = await ask(model.url, { stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after-ms")).toBe("20");
    expect(await response.json()).toEqual({ error: "slow down" });
  });

  it("answers 500 in the protocol's error shape when the responder throws", async () => {
    await using model = await serveModel({
      respond: () => {
        throw new Error("secret detail");
      },
    });
    const response = await ask(model.url);
    expect(response.status).toBe(500);
    const { error } = Fault.parse(await response.json());
    expect(error.type).toBe("server_error");
    expect(error.message).not.toContain("secret");
  });

  it("answers 404 to an unknown path and 405 to a GET of completions", async () => {
    await using model = await serve("x");
    expect((await fetch(`${model.url}/embeddings`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${model.url}/chat/completions`)).status).toBe(405);
  });
});

describe("a model server", () => {
  it("lists its model and names it in replies", async () => {
    await using model = await serve("x", { model: { id: "rules", description: "rules only" } });
    const list: unknown = await (await fetch(`${model.url}/models`)).json();
    expect(list).toMatchObject({ data: [{ id: "rules", description: "rules only" }] });
    expect(Completion.parse(await (await ask(model.url)).json()).model).toBe("rules");
  });

  it("keeps the latest requests and counts all", async () => {
    await using model = await serve("x", { journalEntriesMax: 2 });
    const format = { type: "json_schema", json_schema: { name: "plan", schema: {} } };
    for (const name of ["a", "b", "c"]) {
      await (await ask(model.url, { model: name, response_format: format })).text();
    }
    expect(model.requests.count).toBe(3);
    expect(model.requests.entries.map((entry) => entry.model)).toEqual(["b", "c"]);
    expect(model.requests.entries[0]).toMatchObject({ schemaName: "plan", streams: false, number: 2 });
  });

  it("closes while a client waits for a stalled reply", async () => {
    const model = await serve({ text: "x", ending: "stall" });
    const { port } = new URL(model.url);
    const closed = Promise.withResolvers<void>();
    const client = httpRequest({ port, host: "127.0.0.1", path: "/v1/chat/completions", method: "POST" });
    client.on("error", () => closed.resolve());
    client.on("response", (response) => {
      response.on("error", () => closed.resolve());
      response.on("close", () => closed.resolve());
      response.resume();
      void model[Symbol.asyncDispose]();
    });
    client.end(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], stream: true }));
    await closed.promise;
    await expect(fetch(`${model.url}/models`)).rejects.toThrow();
  });

  it("rejects a port that is in use", async () => {
    await using model = await serve("x");
    const port = Number(new URL(model.url).port);
    await expect(serve("y", { port })).rejects.toThrow("EADDRINUSE");
  });
});
