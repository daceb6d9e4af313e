// What a start says of the model server that the environment names, against servers of every kind.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { modelServerOf, oddityOfModelServer } from "../src/supervisor/check-model-server.ts";

async function startServer() {
  const server = createServer(({ url, headers }, response) => {
    const known = headers.authorization === "Bearer right";
    if (url === "/models") return void response.writeHead(404).end();
    if (url === "/page/models") return void response.setHeader("content-type", "text/html").end("<html>");
    if (!known) return void response.writeHead(401).end();
    response.setHeader("content-type", "application/json; charset=utf-8").end('{"data":[]}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // What a server with a port has.
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

it("finds nothing odd about one that takes the key, and says what to mend about any other", async () => {
  const { signal } = new AbortController();
  let url = "";
  {
    await using server = await startServer();
    url = server.url;
    const apiKey = "right";
    expect(await oddityOfModelServer({ url: `${url}/v1`, apiKey }, signal)).toBeUndefined();
    expect(await oddityOfModelServer({ url: `${url}/v1/`, apiKey }, signal)).toBeUndefined();
    const wrong = await oddityOfModelServer({ url: `${url}/v1`, apiKey: "wrong" }, signal);
    expect(wrong).toContain("refuses the key (401): is OPENAI_API_KEY right?");
    expect(wrong).not.toContain("wrong");
    expect(await oddityOfModelServer({ url, apiKey }, signal)).toContain("mostly ends in /v1");
    expect(await oddityOfModelServer({ url: `${url}/page`, apiKey }, signal)).toContain(
      "may be no model server",
    );
  }
  expect(await oddityOfModelServer({ url, apiKey: "" }, signal)).toContain(`does not answer at ${url} (`);
  expect(await oddityOfModelServer({ url, apiKey: "" }, AbortSignal.abort())).toBeUndefined();
});

it("looks at the server for all roles, and at none when the environment names none", () => {
  expect(modelServerOf({})).toBeUndefined();
  expect(modelServerOf({ OPENAI_BASE_URL: "", OPENAI_API_KEY: "k" })).toMatchObject({ apiKey: "k" });
  expect(modelServerOf({ OPENAI_BASE_URL: "http://x/v1" })).toEqual({ url: "http://x/v1", apiKey: "" });
});
