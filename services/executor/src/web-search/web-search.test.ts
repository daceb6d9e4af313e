// web.search against real servers on loopback that respond as the providers document.
import { gzipSync } from "node:zlib";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpServer, redirect, reply, type Route, startHttpServer } from "../testing/http-server.ts";
import { testContext } from "../tools/testing/test-context.ts";
import { webSearch } from "./web-search.ts";
import { PROVIDER_LIMITS, type ProviderLimits } from "./ask-provider.ts";
import { brave } from "./brave.ts";
import type { SearchProvider } from "./search-provider.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

const JSON_TYPE = { "content-type": "application/json" };
const KEY = "tvly-the-secret-key";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server[Symbol.asyncDispose]()));
});

async function serve(route: Route): Promise<HttpServer> {
  const server = await startHttpServer({ "/search": route, "/elsewhere": reply("{}", JSON_TYPE) });
  servers.push(server);
  return server;
}

type Make = (url: string, limits?: ProviderLimits) => SearchProvider;
const now = () => 0;
const MAKERS: Readonly<Record<string, Make>> = {
  searxng: (url, limits = PROVIDER_LIMITS) =>
    searxng({ url: url.replace("//", `//me:${KEY}@`).replace("/search", ""), limits, now }),
  brave: (url, limits = PROVIDER_LIMITS) => brave({ key: KEY, url, limits, now }),
  tavily: (url, limits = PROVIDER_LIMITS) => tavily({ key: KEY, url, limits, now }),
};
const names = Object.keys(MAKERS);

function make(name: string, server: HttpServer, limits?: Partial<ProviderLimits>): SearchProvider {
  const maker = MAKERS[name];
  if (maker === undefined) throw new Error(`no provider ${name}`);
  return maker(server.url("/search"), { ...PROVIDER_LIMITS, ...limits });
}

const search = (provider: SearchProvider, args: object = {}, signal = new AbortController().signal) =>
  webSearch({ provider }).run({ query: "widget prices", ...args }, testContext({ signal }));

async function failure(name: string, route: Route, limits?: Partial<ProviderLimits>): Promise<unknown> {
  const provider = make(name, await serve(route), limits);
  return search(provider).then(
    () => "no failure",
    (error: unknown) => error,
  );
}

const refuse =
  (status: number, body: unknown = "", headers: Readonly<Record<string, string>> = {}): Route =>
  (_request, response) =>
    response
      .writeHead(status, { ...JSON_TYPE, ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

/** Each provider's response for the same two pages. */
const FOUND: Readonly<Record<string, object>> = {
  searxng: {
    query: "widget prices",
    number_of_results: 0,
    results: [
      {
        url: "https://shop.example/widgets?a=1&b=2",
        title: "Widgets &amp; prices",
        content: "A <b>widget</b> costs 5 euros.",
        engine: "duckduckgo",
        parsed_url: ["https", "shop.example", "/widgets", "", "", ""],
        score: 4.0,
        category: "general",
        publishedDate: "2026-03-01T08:00:00",
      },
      { url: "https://other.example/", title: "Other", content: "Nothing.", publishedDate: null },
    ],
    answers: [],
    suggestions: [],
    unresponsive_engines: [["qwant", "access denied"]],
  },
  brave: {
    type: "search",
    query: { original: "widget prices", more_results_available: true },
    web: {
      type: "search",
      results: [
        {
          title: "Widgets &amp; prices",
          url: "https://shop.example/widgets?a=1&b=2",
          is_source_local: false,
          description: "A <strong>widget</strong> costs 5 euros.",
          page_age: "2026-03-01T08:00:00",
          age: "March 1, 2026",
          profile: { name: "Shop", url: "https://shop.example/" },
        },
        { title: "Other", url: "https://other.example/", description: "Nothing." },
      ],
    },
  },
  tavily: {
    query: "widget prices",
    answer: null,
    images: [],
    results: [
      {
        title: "Widgets & prices",
        url: "https://shop.example/widgets?a=1&b=2",
        content: "A widget costs 5 euros.",
        score: 0.98,
        raw_content: null,
        published_date: "Sun, 01 Mar 2026 08:00:00 GMT",
      },
      { title: "Other", url: "https://other.example/", content: "Nothing.", score: 0.1 },
    ],
    response_time: 1.2,
    request_id: "1",
  },
};

describe.each(names)("web.search with %s", (name) => {
  it("returns the same results in the same form as every other provider", async () => {
    const server = await serve(
      reply(gzipSync(JSON.stringify(FOUND[name])), { ...JSON_TYPE, "content-encoding": "gzip" }),
    );
    expect(await search(make(name, server))).toEqual({
      provider: name,
      results: [
        {
          title: "Widgets & prices",
          url: "https://shop.example/widgets?a=1&b=2",
          snippet: "A widget costs 5 euros.",
          published: "2026-03-01",
        },
        { title: "Other", url: "https://other.example/", snippet: "Nothing." },
      ],
    });
    expect(await search(make(name, server), { limit: 1 })).toMatchObject({
      results: [{ title: "Widgets & prices" }],
    });
  });

  it("returns an empty list when nothing is found", async () => {
    const empty: Readonly<Record<string, object>> = { brave: { type: "search", query: {} } };
    const server = await serve(reply(JSON.stringify(empty[name] ?? { results: [] }), JSON_TYPE));
    expect(await search(make(name, server))).toEqual({ provider: name, results: [] });
  });

  it("skips entries that are not results, and results without a usable link", async () => {
    const odd = [
      1,
      null,
      {},
      { url: "javascript:alert(1)" },
      { url: "no url" },
      { url: 5 },
      { url: "https://a.example/" },
      { url: "https://a.example/" },
    ];
    const body = name === "brave" ? { type: "search", web: { results: odd } } : { results: odd };
    const server = await serve(reply(JSON.stringify(body), JSON_TYPE));
    expect(await search(make(name, server))).toMatchObject({
      results: [{ title: "a.example", url: "https://a.example/", snippet: "" }],
    });
  });

  it("fails permanently when the key is refused, and names its setting", async () => {
    const error = await failure(name, refuse(401, { detail: { error: `Unauthorized: ${KEY}` } }));
    expect(error).toMatchObject({ name: "PermanentError", code: "search_unauthorized" });
    expect(String(error)).toContain(
      { searxng: "search.formats", brave: "BRAVE_API_KEY", tavily: "TAVILY_API_KEY" }[name],
    );
  });

  it.each([402, 432, 433])("fails permanently when a quota is used up (%i)", async (status) => {
    expect(await failure(name, refuse(status))).toMatchObject({ code: "search_quota_exceeded" });
  });

  it("waits as long as the provider requires after too many requests", async () => {
    const error = await failure(name, refuse(429, "", { "retry-after": "7" }));
    expect(error).toBeInstanceOf(TransientError);
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each([500, 502, 503, 408])("retries after %i", async (status) => {
    expect(await failure(name, refuse(status, "<html>Bad gateway</html>"))).toBeInstanceOf(TransientError);
  });

  it.each<[string, Route, string]>([
    ["a page instead of JSON", reply("<html>Log in</html>", { "content-type": "text/html" }), "bad_response"],
    ["an empty body", reply("", JSON_TYPE), "bad_response"],
    ["half of a JSON text", reply('{"results": [', JSON_TYPE), "bad_response"],
    ["JSON of another kind", reply('{"hello": 1}', JSON_TYPE), "bad_response"],
    ["a list", reply("[]", JSON_TYPE), "bad_response"],
    [
      "broken compression",
      reply("this is no gzip", { ...JSON_TYPE, "content-encoding": "gzip" }),
      "bad_response",
    ],
    ["too much", reply(JSON.stringify({ results: ["x".repeat(5_000)] }), JSON_TYPE), "response_too_large"],
    [
      "a bomb",
      reply(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { ...JSON_TYPE, "content-encoding": "gzip" }),
      "response_too_large",
    ],
    ["a refusal", refuse(400, { detail: { error: "bad topic" } }), "search_refused"],
  ])("fails permanently on %s", async (_what, route, code) => {
    const error = await failure(name, route, { bodyBytesMax: 4_000 });
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ code });
  });

  it("does not follow a redirect, whose target would get the key", async () => {
    const server = await serve(redirect("/elsewhere"));
    await expect(search(make(name, server))).rejects.toMatchObject({ code: "search_moved" });
    expect(server.asked).toHaveLength(1);
  });

  it("fails temporarily when a provider does not respond or breaks off", async () => {
    const silent = await failure(name, () => undefined, { totalMs: 100 });
    expect(silent).toBeInstanceOf(TransientError);
    expect(String(silent)).toContain("longer than 100 ms");
    const cut = await failure(name, (_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, "content-length": "100" }).write("{");
      response.destroy();
    });
    expect(cut).toBeInstanceOf(TransientError);
  });

  it("is cancelled with its plan", async () => {
    const stop = new AbortController();
    const server = await serve(() => stop.abort(new Error("cancelled")));
    await expect(search(make(name, server), {}, stop.signal)).rejects.toThrow("cancelled");
  });

  it("never shows its key, whatever the provider returns", async () => {
    const echo = {
      type: "ErrorResponse",
      detail: { error: `the key ${KEY} is bad` },
      error: { code: "X", detail: `the key ${KEY}` },
    };
    for (const status of [400, 401, 403, 422, 429, 432, 500]) {
      const error = await failure(name, refuse(status, echo));
      expect(error).toBeInstanceOf(Error);
      expect(describeError(error)).not.toContain(KEY);
    }
    await servers.at(-1)?.[Symbol.asyncDispose]();
    const gone = servers.pop();
    if (gone === undefined) throw new Error("no server");
    const error = await search(make(name, gone)).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TransientError);
    expect(describeError(error)).not.toContain(KEY);
  });
});

describe("a request", () => {
  async function heard(
    name: string,
    args: object,
  ): Promise<{ url: string; method: string; headers: object; body: string }> {
    const asked = Promise.withResolvers<{ url: string; method: string; headers: object; body: string }>();
    const server = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const { url = "", method = "", headers } = request;
        asked.resolve({ url, method, headers, body });
        response.writeHead(200, JSON_TYPE).end(JSON.stringify(FOUND[name]));
      });
    });
    await search(make(name, server), args);
    return asked.promise;
  }

  it("asks searxng for JSON, with basic authentication when its address has a password", async () => {
    const { url, method, headers } = await heard("searxng", { query: "a & b?" });
    expect([method, url]).toEqual(["GET", "/search?q=a+%26+b%3F&format=json"]);
    expect(headers).toMatchObject({ authorization: `Basic ${Buffer.from(`me:${KEY}`).toString("base64")}` });
  });

  it("sends brave its token, and asks for as many results and words as it accepts", async () => {
    const { url, method, headers } = await heard("brave", { query: "word ".repeat(60), limit: 20 });
    const query = new URLSearchParams(url.split("?")[1]);
    expect(method).toBe("GET");
    expect(query.get("count")).toBe("20");
    expect(query.get("q")?.split(" ")).toHaveLength(50);
    expect(headers).toMatchObject({ "x-subscription-token": KEY });
    expect(url).not.toContain(KEY);
  });

  it("is sent to tavily by POST, with its key as a bearer token", async () => {
    const { method, headers, body } = await heard("tavily", { limit: 3 });
    expect(method).toBe("POST");
    expect(JSON.parse(body)).toEqual({ query: "widget prices", max_results: 3, search_depth: "basic" });
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(body).not.toContain(KEY);
  });
});

describe("a refusal of brave", () => {
  const error = (code: string, status: number) => ({
    type: "ErrorResponse",
    error: { id: "1", status, code, detail: "The details.", meta: {} },
  });

  it("means a refused key or a refused query with status 422", async () => {
    expect(await failure("brave", refuse(422, error("SUBSCRIPTION_TOKEN_INVALID", 422)))).toMatchObject({
      code: "search_unauthorized",
      message: expect.stringContaining("The details."),
    });
    expect(await failure("brave", refuse(422, error("VALIDATION", 422)))).toMatchObject({
      code: "search_refused",
    });
  });

  it("means a monthly quota or a rate limit with status 429", async () => {
    const windows = { "x-ratelimit-remaining": "0, 900", "x-ratelimit-reset": "1, 86400" };
    expect(await failure("brave", refuse(429, error("RATE_LIMITED", 429), windows))).toMatchObject({
      name: "TransientError",
      retryAfterMs: 1_000,
    });
    expect(await failure("brave", refuse(429, error("QUOTA_LIMITED", 429)))).toMatchObject({
      code: "search_quota_exceeded",
    });
  });
});

it("treats a searxng without responding engines as a temporary failure", async () => {
  const body = {
    results: [],
    unresponsive_engines: [
      ["google", "CAPTCHA"],
      ["bing", "timeout"],
    ],
  };
  const error = await failure("searxng", reply(JSON.stringify(body), JSON_TYPE));
  expect(error).toBeInstanceOf(TransientError);
  expect(String(error)).toContain("engines answered");
});

it.each([
  { query: "  " },
  { query: "x".repeat(401) },
  { query: "a", limit: 0 },
  { query: "a", limit: 21 },
  { query: "a", site: "x" },
])("refuses the arguments %j", async (args) => {
  const provider: SearchProvider = { name: "none", search: () => Promise.reject(new Error("was asked")) };
  await expect(search(provider, args)).rejects.toMatchObject({ code: "invalid_arguments" });
});
