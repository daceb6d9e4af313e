// The targets of model calls and what they are sent: keys, headers, redirects and fallback models.
import { describe, expect, it } from "vitest";
import { createModelClient, type ModelClientOptions, type ModelRequest } from "../src/model/index.ts";
import { completion, refusal, sse, startModelServer, streamOf } from "./support/model-server.ts";

const ask: ModelRequest = {
  prompt: { name: "test.ask", version: 1 },
  messages: [{ role: "user", content: "what is 2 + 2?" }],
  signal: new AbortController().signal,
};

function clientOf({ baseUrl }: { baseUrl: string }, options: Partial<ModelClientOptions> = {}) {
  return createModelClient({
    baseUrl,
    apiKey: "key",
    model: "own",
    role: "planner",
    random: () => 0,
    delay: () => Promise.resolve(),
    limits: { triesMax: 2 },
    ...options,
  });
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable("the call succeeded"),
    (error: unknown) => error,
  );

describe("a request", () => {
  it("contains the key in the configured header, the query, and the headers of the settings", async () => {
    await using server = await startModelServer(completion("4"));
    const azure = { baseUrl: `${server.baseUrl}/deployments/d?api-version=2024-10-21` };
    const headers = { "http-referer": "https://example.com" };
    await clientOf(azure, { keyHeader: "api-key", headers }).complete(ask);
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/deployments/d/chat/completions?api-version=2024-10-21");
    expect(request?.headers).toMatchObject({ "api-key": "key", "http-referer": "https://example.com" });
    expect(request?.headers["authorization"]).toBeUndefined();
  });

  it("contains temperature and reasoning effort until the server refuses them", async () => {
    await using server = await startModelServer(
      refusal(400, { message: "Unsupported value: 'temperature' does not support 0 with this model." }),
      refusal(400, { message: "Unrecognized request argument: reasoning_effort" }),
      completion("4"),
    );
    const client = clientOf(server, { temperature: 0, reasoningEffort: "low" });
    await client.complete(ask);
    await client.complete(ask);
    const sent = server.requests.map(({ body }) => [body["temperature"], body["reasoning_effort"]]);
    expect(sent).toEqual([
      [0, "low"],
      [undefined, "low"],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });
});

describe("a fallback model", () => {
  it.each([
    ["does not answer", refusal(503)],
    ["refuses the key", refusal(401)],
    ["does not know the model", refusal(404)],
  ])("answers when the model's server %s, and the reply says so", async (_, answer) => {
    await using server = await startModelServer(answer);
    await using other = await startModelServer(completion("4", { model: "other-1" }));
    const fallbacks = [{ baseUrl: other.baseUrl, apiKey: undefined, model: "other" }];
    const reply = await clientOf(server, { fallbacks }).complete({ ...ask, model: "big" });
    expect(reply).toMatchObject({ text: "4", requestModel: "other", responseModel: "other-1" });
    // Neither the key nor the step's own choice of a model is sent there.
    expect(other.requests[0]?.headers["authorization"]).toBeUndefined();
    expect(other.requests[0]?.body.model).toBe("other");
  });

  it("answers the next calls without calling a server that did not answer", async () => {
    await using server = await startModelServer(refusal(503));
    await using other = await startModelServer(completion("4"));
    const fallbacks = [{ baseUrl: other.baseUrl, apiKey: undefined, model: "other" }];
    const client = clientOf(server, { fallbacks });
    await client.complete(ask);
    await client.complete(ask);
    expect([server.requests.length, other.requests.length]).toEqual([2, 2]);
  });

  it("is not called for the rest of a reply whose start the caller has already seen", async () => {
    const broken = sse(streamOf(["4"], { finish: null, usage: false, done: false }));
    await using server = await startModelServer(broken);
    await using other = await startModelServer(completion("4"));
    const fallbacks = [{ baseUrl: other.baseUrl, apiKey: undefined, model: "other" }];
    await failureOf(clientOf(server, { fallbacks }).complete({ ...ask, onText: () => undefined }));
    expect(other.requests).toHaveLength(0);
  });

  it("fails with all causes when none can answer", async () => {
    await using server = await startModelServer(refusal(401));
    await using other = await startModelServer(refusal(404));
    const fallbacks = [{ baseUrl: other.baseUrl, apiKey: undefined, model: "other" }];
    const error = await failureOf(clientOf(server, { fallbacks }).complete(ask));
    expect(error).toMatchObject({
      message: expect.stringMatching(/answered 404.*before that, own:.*answered 401/s),
    });
  });

  it("is not called without a price when a budget in dollars limits the call", async () => {
    await using server = await startModelServer(refusal(401));
    await using other = await startModelServer(completion("4"));
    const fallbacks = [{ baseUrl: other.baseUrl, apiKey: undefined, model: "other" }];
    const price = { inputUsdPerMillion: 1, outputUsdPerMillion: 1 };
    const client = clientOf(server, { fallbacks, prices: { own: price } });
    await failureOf(client.complete({ ...ask, metered: true, maxOutputTokens: 9 }));
    expect(other.requests).toHaveLength(0);
  });
});
