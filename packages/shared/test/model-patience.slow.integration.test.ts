// How often and how long an unresponsive model server is called, over real HTTP and mostly with a simulated clock.
import type { ModelTries } from "@planwright/plan";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { TransientError } from "../src/errors.ts";
import {
  createModelClient,
  MODEL_LIMITS,
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
  startServer,
  streamOf,
} from "./support/model-server.ts";

const ask: ModelRequest = {
  prompt: { name: "test.ask", version: 1 },
  messages: [{ role: "user", content: "what is 2 + 2?" }],
  signal: new AbortController().signal,
};
const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };

/** A client whose waits take no time and advance its clock. */
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
  ])(
    "is called at most 8 times and for at most 30 s when it %s (PATIENCE-1, PATIENCE-2)",
    async (_, answer) => {
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
    },
  );

  it("is abandoned after the time limit, even if calls are left (PATIENCE-2)", async () => {
    await using server = await startModelServer(refusal(503));
    const { client, waitedMs } = clientOf(server, { limits: { patienceMs: 2_000 } });
    const error = await failureOf(client.complete(ask));
    expect(error).toMatchObject({
      message: expect.stringContaining("because MODEL_PATIENCE_MS allows 2 s"),
    });
    expect(waitedMs()).toBeLessThanOrEqual(2_000);
  });

  it("is called again after the delay that it requests, within the limits", async () => {
    await using server = await startModelServer(refusal(429, {}, { "retry-after": "10" }), completion("4"));
    const { client, waitedMs } = clientOf(server);
    expect((await client.complete(ask)).text).toBe("4");
    expect(waitedMs()).toBeGreaterThanOrEqual(10_000);
  });
});

describe("a server that accepts a call and sends nothing", () => {
  const silent: Answer = () => undefined;
  const metered = { ...ask, metered: true, maxOutputTokens: 9 } as const;
  const limits = { patienceMs: 150, firstByteMs: 60_000, totalMs: 60_000 };
  /** Long enough for a busy machine to answer a probe. */
  const answerable = { ...limits, patienceMs: 1_500 };

  it.each([
    ["answers nothing else", () => undefined],
    [
      "stands behind a proxy that cannot reach it",
      (response: ServerResponse) => void response.writeHead(502).end(),
    ],
    ["sends only headers", (response: ServerResponse) => response.writeHead(200).flushHeaders()],
  ])(
    "is abandoned after the time limit if it %s, however long slow servers can take (PATIENCE-2)",
    async (_, onLook) => {
      await using server = await startServer([silent], onLook);
      for (const request of [ask, { ...ask, onText: () => undefined }, metered]) {
        const { client } = clientOf(server, { now: Date.now, limits });
        const error = await failureOf(client.complete(request));
        expect(error).toBeInstanceOf(ModelUnavailableError);
        expect(error).toMatchObject({
          message: expect.stringMatching(
            /^the model server does not answer: nothing came for \d+ ms, and it does not answer GET \/models .*gave up after 1 call/,
          ),
        });
      }
      expect(server.requests).toHaveLength(3);
    },
  );

  it.each([
    ["knows its models", (response: ServerResponse) => void response.end("{}")],
    ["has no list of models", (response: ServerResponse) => void response.writeHead(404).end()],
    [
      "reports that it is loading",
      (response: ServerResponse) => void response.writeHead(503).end('{"error":"Loading model"}'),
    ],
  ])("is given time to process a prompt when it %s", async (_, onLook) => {
    const slow: Answer = async (response, request) => {
      // Two windows without a byte.
      while (server.looks.length < 2) await new Promise((resume) => setTimeout(resume, 5));
      await completion("4")(response, request);
    };
    await using server = await startServer([slow], onLook);
    const reports: ModelTries[] = [];
    const patience = new ModelPatience({ onFailure: (tries) => void reports.push(tries) });
    const { client } = clientOf(server, { now: Date.now, limits: answerable });
    expect((await client.complete({ ...ask, patience })).text).toBe("4");
    expect(server.requests).toHaveLength(1);
    expect(server.looks).toContain("/v1/models");
    expect(reports[0]).toMatchObject({ silent: true, calls: 0, callsMax: 8 });
    expect(reports[0]?.message).toMatch(/^the model server has sent nothing for \d+ ms$/);
    expect(reports[1]?.message).toContain("but answers other requests");
    expect(patience.tried).toBeUndefined();
  });

  it("is abandoned after the limit for slow servers, even if it answers other requests", async () => {
    await using server = await startServer([silent], (response) => void response.end("{}"));
    const slowMax = { ...answerable, firstByteMs: 2_000 };
    const { client } = clientOf(server, { now: Date.now, limits: slowMax });
    const error = await failureOf(client.complete(ask));
    expect(error).toBeInstanceOf(ModelUnavailableError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /nothing came for 2 s \(MODEL_FIRST_BYTE_MS\), though it answers other requests.*gave up after 1 call/,
      ),
    });
  });

  it("gets the time that earlier calls have left", async () => {
    await using server = await startServer([refusal(503), silent], () => undefined);
    const { client } = clientOf(server, { now: Date.now, limits: answerable, random: () => 0 });
    const startMs = Date.now();
    await failureOf(client.complete(ask));
    expect(server.requests).toHaveLength(2);
    const patience = new ModelPatience();
    patience.count(new TransientError("busy"), startMs);
    const short = { ...MODEL_LIMITS, patienceMs: 120 };
    expect(patience.windowMs(short, startMs + 50)).toBe(70);
    expect(patience.windowMs(short, startMs + 500)).toBe(20);
  });

  it("is probed with the key and the query of the settings", async () => {
    const slow: Answer = async (response, request) => {
      while (server.looks.length < 1) await new Promise((resume) => setTimeout(resume, 5));
      await completion("4")(response, request);
    };
    await using server = await startServer([slow], (response) => {
      const { headers } = response.req;
      response
        .writeHead(headers["api-key"] === "key" && headers.authorization === undefined ? 200 : 500)
        .end();
    });
    const baseUrl = `${server.baseUrl}/?api-version=1`;
    const { client } = clientOf({ baseUrl }, { now: Date.now, limits: answerable, keyHeader: "api-key" });
    expect((await client.complete(ask)).text).toBe("4");
    expect(server.looks).toEqual(["/v1/models?api-version=1"]);
  });
});

describe("a server that loads its model", () => {
  it.each([
    ["llama.cpp", loading],
    ["Ollama", refusal(500, { message: "llm server loading model" })],
    ["LM Studio", refusal(503, { message: "Model is loading, please wait" })],
  ])(
    "is given time, without counting these calls, when it answers like %s (PATIENCE-3)",
    async (_, answer) => {
      await using server = await startModelServer(...Array<Answer>(20).fill(answer), completion("4"));
      const reports: ModelTries[] = [];
      const patience = new ModelPatience({ onFailure: (tries) => void reports.push(tries) });
      const { client, waitedMs } = clientOf(server);
      expect((await client.complete({ ...ask, patience })).text).toBe("4");
      expect(waitedMs()).toBeGreaterThan(30_000);
      expect(reports[0]).toMatchObject({
        loading: true,
        calls: 0,
        message: expect.stringMatching(/loading/i),
      });
      expect(reports.length).toBeLessThan(5);
    },
  );

  it("is abandoned after its own limit", async () => {
    await using server = await startModelServer(loading);
    const { client, waitedMs } = clientOf(server, { limits: { loadingMs: 60_000 } });
    const error = await failureOf(client.complete(ask));
    expect(error).toMatchObject({ message: expect.stringContaining("longer than 60 s (MODEL_LOADING_MS)") });
    expect(waitedMs()).toBeLessThanOrEqual(60_000);
  });
});

describe("the calls of one piece of work", () => {
  it("share the limits, whatever their purpose", async () => {
    await using server = await startModelServer(refusal(503));
    const { client } = clientOf(server, { limits: { triesMax: 3 } });
    const { model } = new SpendingMeter(client, { patience: new ModelPatience() });
    await failureOf(model.complete(ask));
    await failureOf(model.complete(ask));
    expect(server.requests).toHaveLength(4);
  });

  it("counts earlier calls in the log, and something for deliveries that the log does not know", async () => {
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

  it("reset the count with each reply", async () => {
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

it("reports a reply that stalls before the call is abandoned", async () => {
  await using server = await startModelServer(
    openStream(streamOf(["4"], { finish: null, usage: false, done: false })),
  );
  const reports: ModelTries[] = [];
  const patience = new ModelPatience({ onFailure: (tries) => void reports.push(tries) });
  const limits = { idleMs: 3_000, patienceMs: 3_000 };
  const { client } = clientOf(server, { now: Date.now, limits });
  const error = await failureOf(client.complete({ ...ask, patience, onText: () => undefined }));
  expect(error).toMatchObject({ message: expect.stringContaining("fell silent for 3 s (MODEL_IDLE_MS)") });
  expect(reports).toMatchObject([
    { silent: true, calls: 0, message: "the model server has sent nothing more for 1 s" },
  ]);
});

describe("a reply that breaks off after its first piece", () => {
  const broken = sse(streamOf(["4"], { finish: null, usage: false, done: false }));

  it("is requested again from its start when its caller can start over", async () => {
    await using server = await startModelServer(broken, sse(streamOf(["4", "2"])));
    let text = "";
    const onText = (piece: string) => void (text += piece);
    const { client } = clientOf(server);
    await client.complete({ ...ask, onText, onRestart: () => void (text = "") });
    expect(text).toBe("42");
  });

  it("counts as a failure for the repeated work", async () => {
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
