// Tests the warning about the model server at start against servers of every kind.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { modelServerOf, oddityOfModelServer } from "../src/supervisor/run-system.ts";

async function startServer() {
  const urls: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    urls.push(url);
    const isAzure = url.startsWith("/azure");
    const isTitled = headers["api-key"] === "right" && headers["x-title"] === "Planwright";
    const known = isAzure ? isTitled : headers.authorization === "Bearer right";
    if (url === "/moved/models") return void response.writeHead(302, { location: "/v1/models" }).end();
    if (url === "/models") return void response.writeHead(404).end();
    if (url === "/page/models") return void response.setHeader("content-type", "text/html").end("<html>");
    if (!known) return void response.writeHead(401).end();
    response.setHeader("content-type", "application/json; charset=utf-8").end('{"data":[]}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // A TCP server has such an address.
  return {
    url: `http://127.0.0.1:${port}`,
    urls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

it("reports nothing about a server that accepts the key, and how to fix any other", async () => {
  const { signal } = new AbortController();
  let url = "";
  {
    await using server = await startServer();
    url = server.url;
    const apiKey = "right";
    expect(await oddityOfModelServer({ baseUrl: `${url}/v1`, apiKey }, signal)).toBeUndefined();
    expect(await oddityOfModelServer({ baseUrl: `${url}/v1/`, apiKey }, signal)).toBeUndefined();
    const wrong = await oddityOfModelServer({ baseUrl: `${url}/v1`, apiKey: "wrong" }, signal);
    expect(wrong).toContain("rejects the key (401): check OPENAI_API_KEY and OPENAI_KEY_HEADER");
    expect(wrong).not.toContain("wrong");
    expect(await oddityOfModelServer({ baseUrl: url, apiKey }, signal)).toContain("usually ends in /v1");
    for (const path of ["page", "moved"]) {
      const odd = await oddityOfModelServer({ baseUrl: `${url}/${path}`, apiKey }, signal);
      expect(odd).toContain("may not be a model server");
    }
  }
  const gone = { baseUrl: url, apiKey: undefined };
  expect(await oddityOfModelServer(gone, signal)).toContain(`the model server at ${url} does not answer (`);
  expect(await oddityOfModelServer(gone, AbortSignal.abort())).toBeUndefined();
});

it("sends the configured query and headers, and requests the resource's models from Azure", async () => {
  await using server = await startServer();
  const env = {
    OPENAI_BASE_URL: `${server.url}/azure/deployments/d?api-version=2024-10-21`,
    OPENAI_API_KEY: "right",
    OPENAI_KEY_HEADER: "api-key",
    OPENAI_HEADERS: "X-Title=Planwright",
  };
  const asked = modelServerOf(env);
  if (asked === undefined) throw new Error("the environment names a server");
  const { signal } = new AbortController();
  expect(await oddityOfModelServer(asked, signal)).toBeUndefined();
  expect(server.urls).toEqual(["/azure/models?api-version=2024-10-21"]);
  const unasked = modelServerOf({ ...env, OPENAI_KEY_HEADER: "" });
  if (unasked === undefined) throw new Error("the environment names a server");
  expect(await oddityOfModelServer(unasked, signal)).toContain("rejects the key (401)");
});

it("checks the server of all roles, and none when the environment sets none", () => {
  expect(modelServerOf({})).toBeUndefined();
  expect(modelServerOf({ OPENAI_BASE_URL: "", OPENAI_API_KEY: "k" })).toMatchObject({ apiKey: "k" });
  expect(modelServerOf({ OPENAI_BASE_URL: "http://x/v1" })).toEqual({ baseUrl: "http://x/v1" });
  expect(modelServerOf({ OPENAI_BASE_URL: "no address" })).toBeUndefined();
});
