// Model servers as they are: what they refuse, and what they send instead of a reply.
import { describe, expect, it } from "vitest";
import { createModelClient, type ModelClientOptions, type ModelRequest } from "../src/model/index.ts";
import { completion, refusal, startModelServer } from "./support/model-server.ts";

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

  it("is sent less when it names the schema, and that is remembered", async () => {
    const cause = "failed to parse grammar";
    await using server = await startModelServer(refusal(500, { message: cause }), completion('{"a":4}'));
    const client = clientOf(server);
    await client.complete(ask);
    await client.complete(ask);
    expect(formats(server)).toEqual(["json_schema", "json_object", "json_object"]);
  });

  it("is sent less after it has failed in the same way twice", async () => {
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

  it("is tried in every format once when it fails whatever it is sent", async () => {
    await using server = await startModelServer(refusal(500, { message: "failed to parse grammar" }));
    await expect(clientOf(server, { limits: { attemptsMax: 4 } }).complete(ask)).rejects.toThrow();
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
