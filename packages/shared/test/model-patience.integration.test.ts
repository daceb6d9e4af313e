// How often and how long a model server is called that does not answer, over real HTTP and with a clock of its own.
import type { ModelTries } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import {
  createModelClient,
  type ModelClientOptions,
  ModelPatience,
  type ModelRequest,
  ModelUnavailableError,
  SpendingMeter,
} from "../src/model/index.ts";
import {
  type Answer,
  completion,
  openStream,
  refusal,
  sse,
  startModelServer,
  streamOf,
} from "./support/model-server.ts";

const ask: ModelRequest = {
  prompt: { name: "test.ask", version: 1 },
  messages: [{ role: "user", content: "what is 2 + 2?" }],
  signal: new AbortController().signal,
};
const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };

/** A client whose waits take no time and move its clock. */
function clientOf({ baseUrl }: { baseUrl: string }, options: Partial<ModelClientOptions> = {}) {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const startMs = nowMs;
  const client = createModelClient({
    baseUrl,
    apiKey: "key",
    model: "small",
    role: "planner",
    random: () => 0.5,
    now: () => nowMs,
    delay: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
    ...options,
  });
  return { client, waitedMs: () => nowMs - startMs };
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable("the call succeeded"),
    (error: unknown) => error,
  );

const loading = refusal(503, { message: "Loading model", type: "unavailable_error", code: 503 });

describe("a server that does not answer", () => {
  it.each<[string, Answer]>([
    ["says 500 to everything", refusal(500)],
    ["says 503 to everything", refusal(503)],
    ["closes every connection", (response) => void response.destroy()],
    ["ends every stream before its reply", sse(streamOf([], { finish: null, usage: false }))],
    ["falls silent after the first byte", openStream(": hello\n\n")],
  ])("and %s is called 8 times at most, and for 30 s at most (PATIENCE-1, PATIENCE-2)", async (_, answer) => {
    await using server = await startModelServer(answer);
    for (const outputSchema of [undefined, { name: "sum", schema }]) {
      const { client, waitedMs } = clientOf(server, { limits: { idleMs: 20 } });
      const before = server.requests.length;
      const request = outputSchema === undefined ? ask : { ...ask, outputSchema };
      const error = await failureOf(client.complete(request));
      expect(error).toBeInstanceOf(ModelUnavailableError);
      expect(server.requests.length - before).toBeLessThanOrEqual(8);
      expect(waitedMs()).toBeLessThanOrEqual(30_000);
    }
  });

  it("is given up when its time is over, though calls are left (PATIENCE-2)", async () => {
    await using server = await startModelServer(refusal(503));
    const { client, waitedMs } = clientOf(server, { limits: { patienceMs: 2_000 } });
    const error = await failureOf(client.complete(ask));
    expect(error).toMatchObject({ message: expect.stringContaining("2 s would pass without an answer") });
    expect(waitedMs()).toBeLessThanOrEqual(2_000);
  });

  it("is waited for as long as it asks, within the limits", async () => {
    await using server = await startModelServer(refusal(429, {}, { "retry-after": "10" }), completion("4"));
    const { client, waitedMs } = clientOf(server);
    expect((await client.complete(ask)).text).toBe("4");
    expect(waitedMs()).toBeGreaterThanOrEqual(10_000);
  });
});

describe("a server that loads its model", () => {
  it.each([
    ["llama.cpp", loading],
    ["Ollama", refusal(500, { message: "llm server loading model" })],
    ["LM Studio", refusal(503, { message: "Model is loading, please wait" })],
  ])("like %s is waited for, and these calls do not count (PATIENCE-3)", async (_, answer) => {
    await using server = await startModelServer(...Array<Answer>(20).fill(answer), completion("4"));
    const reports: ModelTries[] = [];
    const patience = new ModelPatience({ onFailure: (tries) => void reports.push(tries) });
    const { client, waitedMs } = clientOf(server);
    expect((await client.complete({ ...ask, patience })).text).toBe("4");
    expect(waitedMs()).toBeGreaterThan(30_000);
    expect(reports[0]).toMatchObject({ loading: true, calls: 0, message: expect.stringMatching(/loading/i) });
    expect(reports.length).toBeLessThan(5);
  });

  it("is given up after a limit of its own", async () => {
    await using server = await startModelServer(loading);
    const { client, waitedMs } = clientOf(server, { limits: { loadingMs: 60_000 } });
    const error = await failureOf(client.complete(ask));
    expect(error).toMatchObject({ message: expect.stringContaining("longer than 60 s (MODEL_LOADING_MS)") });
    expect(waitedMs()).toBeLessThanOrEqual(60_000);
  });
});

describe("the calls of one piece of work", () => {
  it("share the limits, whatever they are for", async () => {
    await using server = await startModelServer(refusal(503));
    const { client } = clientOf(server, { limits: { triesMax: 3 } });
    const { model } = new SpendingMeter(client, { patience: new ModelPatience() });
    await failureOf(model.complete(ask));
    await failureOf(model.complete(ask));
    expect(server.requests).toHaveLength(4);
  });

  it("count what the log says of earlier calls, and something for deliveries that the log knows nothing of", async () => {
    await using server = await startModelServer(refusal(503));
    const { client } = clientOf(server);
    const reports: ModelTries[] = [];
    const patience = new ModelPatience({ onFailure: (tries) => void reports.push(tries) });
    await failureOf(client.complete({ ...ask, patience }));
    const [tried] = reports.slice(3);
    const before = server.requests.length;
    await failureOf(client.complete({ ...ask, patience: new ModelPatience({ tried, deliveries: 2 }) }));
    expect(server.requests.length - before).toBe(2);
  });

  it("start the count again with each reply", async () => {
    await using server = await startModelServer(refusal(503), refusal(503), completion("4"), refusal(503));
    const { client } = clientOf(server, { limits: { triesMax: 3 } });
    const patience = new ModelPatience();
    await client.complete({ ...ask, patience });
    await failureOf(client.complete({ ...ask, patience }));
    expect(server.requests).toHaveLength(6);
  });

  it("report each failure that is followed by another call", async () => {
    await using server = await startModelServer(refusal(503));
    const reports: ModelTries[] = [];
    const patience = new ModelPatience({ onFailure: (tries) => void reports.push(tries) });
    const { client } = clientOf(server, { limits: { triesMax: 3 } });
    await failureOf(client.complete({ ...ask, patience }));
    expect(reports.map(({ calls, callsMax, report }) => [calls, callsMax, report])).toEqual([
      [1, 3, 1],
      [2, 3, 2],
    ]);
    expect(reports[0]?.message).toContain("the model server answered 503");
  });
});

describe("a reply that breaks off after its first piece", () => {
  const broken = sse(streamOf(["4"], { finish: null, usage: false, done: false }));

  it("is asked for again from its start when its caller can start again", async () => {
    await using server = await startModelServer(broken, sse(streamOf(["4", "2"])));
    let text = "";
    const onText = (piece: string) => void (text += piece);
    const { client } = clientOf(server);
    await client.complete({ ...ask, onText, onRestart: () => void (text = "") });
    expect(text).toBe("42");
  });

  it("counts for the work that is done again", async () => {
    await using server = await startModelServer(broken);
    const { client } = clientOf(server, { limits: { triesMax: 3 } });
    const patience = new ModelPatience();
    const errors: unknown[] = [];
    for (let draft = 1; draft <= 3; draft++) {
      errors.push(await failureOf(client.complete({ ...ask, patience, onText: () => undefined })));
    }
    expect(errors.map((error) => error instanceof ModelUnavailableError)).toEqual([false, false, true]);
  });
});
