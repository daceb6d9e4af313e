// http.fetch against real servers on loopback, which only the allow-list lets it reach.
import type { IncomingHttpHeaders } from "node:http";
import { deflateSync, gzipSync, brotliCompressSync, zstdCompressSync } from "node:zlib";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createDocumentReader } from "../documents/text-extract.ts";
import { createTextExtractor } from "../documents/text-extractor.ts";
import { createAllowList } from "../net/allow-list.ts";
import { createFetcher, FETCH_LIMITS, type FetchLimits } from "../net/create-fetcher.ts";
import { createEgress } from "../net/egress.ts";
import type { Resolve } from "../net/guarded-connector.ts";
import { createPageReader } from "./page-reader.ts";
import { type HttpServer, redirect, reply, type Route, startHttpServer } from "../testing/http-server.ts";
import { httpFetch } from "./http-fetch.ts";
import { testContext } from "../tools/testing/test-context.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const TEXT = { "content-type": "text/plain" };

const pages = createPageReader();
const extractor = createTextExtractor();
const documents = createDocumentReader({ pages, extractor });
afterAll(() => {
  pages[Symbol.dispose]();
  extractor[Symbol.dispose]();
});

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

async function serve(routes: Readonly<Record<string, Route>>): Promise<HttpServer> {
  server = await startHttpServer(routes);
  return server;
}

type Settings = {
  allow?: readonly string[];
  limits?: Partial<FetchLimits>;
  resolve?: Resolve;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  secretPlaces?: readonly string[];
};

/** Allows the test's own server by default. */
function read(url: string, { allow, limits, resolve, signal, headers, secretPlaces }: Settings = {}) {
  const fetcher = createFetcher({
    allow: allow ?? (server === undefined ? [] : [server.host]),
    limits: { ...FETCH_LIMITS, ...limits },
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    ...(resolve === undefined ? {} : { resolve }),
  });
  const context = testContext({
    ...(signal === undefined ? {} : { signal }),
    ...(secretPlaces === undefined ? {} : { secretPlaces }),
  });
  return httpFetch({ fetcher, documents }).run(
    { url, ...(headers === undefined ? {} : { headers }) },
    context,
  );
}

const failure = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => "no failure",
    (error: unknown) => error,
  );

describe("http.fetch", () => {
  it("reads an article as Markdown, with its title and absolute links, without the page around it", async () => {
    const paragraph =
      "The quick brown fox jumps over the lazy dog, and then it rests for a while in the sun. ".repeat(5);
    const { url } = await serve({
      "/post": reply(
        `<!doctype html><title> The   Fox </title><nav>Home | About</nav><script>alert(1)</script>
         <article><h1>The Fox</h1><p>${paragraph}<a href="/dog?a=1">the dog</a> <a href="javascript:alert(1)">bad</a></p>
         <h2>Facts</h2><ul><li>It is red.</li></ul><p>${paragraph}</p></article><footer>(c)</footer>`,
        HTML,
      ),
    });
    const page = await read(url("/post"));
    expect(page).toMatchObject({ url: url("/post"), status: 200, title: "The Fox", truncated: false });
    expect(page).toMatchObject({ text: expect.stringContaining(`[the dog](${url("/dog?a=1")})`) });
    expect(page).toMatchObject({ text: expect.stringMatching(/## Facts\s+-\s+It is red\./) });
    expect(page).toMatchObject({ text: expect.not.stringMatching(/alert|Home \| About/) });
  });

  it("reads a page without an article as a whole", async () => {
    const { url } = await serve({
      "/": reply("<title>List</title><body><p>One</p><table><tr><td>Two</td></tr></table>", HTML),
    });
    await expect(read(url("/"))).resolves.toMatchObject({
      title: "List",
      text: expect.stringMatching(/One\s+Two/),
    });
  });

  it.each([
    ["text/plain", "plain <b>text</b>"],
    ["application/json; charset=utf-8", '{"a": [1]}'],
    ["application/problem+json", '{"title": "x"}'],
    ["application/atom+xml", "<feed/>"],
    ["text/csv", "a,b\n1,2"],
  ])("returns %s unchanged", async (contentType, body) => {
    const { url } = await serve({ "/": reply(body, { "content-type": contentType }) });
    await expect(read(url("/"))).resolves.toEqual({
      url: url("/"),
      status: 200,
      contentType,
      title: null,
      text: body,
      truncated: false,
    });
  });

  it.each([
    ["a charset in the header", "text/plain; charset=iso-8859-1", Buffer.from("Größe", "latin1")],
    ["UTF-8 without a word", "text/plain", Buffer.from("Größe")],
    ["Windows-1252 without a word", "text/plain", Buffer.from("Größe", "latin1")],
    ["a byte order mark", "text/plain; charset=iso-8859-1", Buffer.from("\uFEFFGröße", "utf16le")],
    ["a charset nobody knows", "text/plain; charset=klingon", Buffer.from("Größe")],
    ["a meta tag", "text/html", Buffer.from('<meta charset="windows-1252"><p>Größe</p>', "latin1")],
    ["no content type", "", Buffer.from("Größe")],
  ])("decodes text by %s", async (_how, contentType, body) => {
    const { url } = await serve({
      "/": reply(body, contentType === "" ? {} : { "content-type": contentType }),
    });
    await expect(read(url("/"))).resolves.toMatchObject({ text: "Größe" });
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("unpacks a body compressed with %s", async (encoding, pack) => {
    const { url } = await serve({
      "/": reply(pack("hello ".repeat(100)), { ...TEXT, "content-encoding": encoding }),
    });
    await expect(read(url("/"))).resolves.toMatchObject({ text: "hello ".repeat(100) });
  });

  it("returns an empty response as empty text", async () => {
    const { url } = await serve({ "/": (_request, response) => response.writeHead(204).end() });
    await expect(read(url("/"))).resolves.toMatchObject({ status: 204, text: "", title: null });
  });

  it("follows redirects, including relative ones, without credentials or cookies", async () => {
    const heard: unknown[] = [];
    const { url, asked } = await serve({
      "/a": (_request, response) => response.writeHead(301, { location: "b?c=1", "set-cookie": "s=1" }).end(),
      "/b": ({ headers }, response) => {
        heard.push(headers.cookie, headers.authorization, headers.referer);
        response.writeHead(200, TEXT).end("arrived");
      },
    });
    await expect(read(url("/a"))).resolves.toMatchObject({ text: "arrived", url: url("/b?c=1") });
    expect(heard).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual(["/a", "/b?c=1"]);
  });

  it("reads the content of another host, without sending it anything of the first host", async () => {
    const heard: IncomingHttpHeaders[] = [];
    await using other = await startHttpServer({
      "/": ({ headers }, response) => {
        heard.push(headers);
        response.writeHead(200, TEXT).end("arrived");
      },
    });
    const { url, host } = await serve({
      "/": (_request, response) =>
        response
          .writeHead(302, {
            location: other.url("/"),
            "set-cookie": "session=secret; Domain=127.0.0.1",
            "www-authenticate": "Basic",
          })
          .end(),
    });
    await expect(read(url("/?token=secret"), { allow: [host, other.host] })).resolves.toMatchObject({
      text: "arrived",
    });
    expect(heard).toHaveLength(1);
    expect(Object.keys(heard[0] ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
    expect(JSON.stringify(heard)).not.toContain("secret");
  });
});

describe("http.fetch with headers", () => {
  const sent = async (headers: Readonly<Record<string, string>>, secretPlaces: readonly string[] = []) => {
    const heard: IncomingHttpHeaders[] = [];
    const { url } = await serve({
      "/": ({ headers: got }, response) => {
        heard.push(got);
        response.writeHead(200, TEXT).end("read");
      },
    });
    const refused = await failure(read(url("/"), { headers, secretPlaces }));
    return refused === "no failure" ? heard[0] : refused;
  };

  it("sends a common media type and a language to any host", async () => {
    const headers = { accept: "application/json", "accept-language": "de" };
    expect(await sent(headers)).toMatchObject(headers);
  });

  it.each<Readonly<Record<string, string>>>([
    { accept: "text/7001" },
    { accept: "text/html;told=7001" },
    { "accept-language": "7001" },
    { "accept-language": "de, fr;q=0.7001" },
    { "x-told": "7001" },
    { constructor: "7001" },
  ])("sends nothing else: %j would tell a host something that no user has approved", async (headers) => {
    expect(await sent(headers)).toMatchObject({ code: "header_refused" });
  });

  it("sends any type and language beside a secret, which only goes to the secret's hosts", async () => {
    const headers = { authorization: "Bearer s3cret", accept: "application/vnd.example+json" };
    expect(await sent(headers, ["headers.authorization"])).toMatchObject(headers);
    expect(await sent({ ...headers, "x-told": "1" }, ["headers.authorization"])).toMatchObject({
      code: "header_refused",
    });
  });
});

describe("http.fetch at its limits", () => {
  it("cuts off a body, and reports that", async () => {
    const { url } = await serve({ "/": reply("x".repeat(5_000), TEXT) });
    const page = await read(url("/"), { limits: { bodyBytesMax: 1_000 } });
    expect(page).toMatchObject({ text: "x".repeat(1_000), truncated: true });
  });

  it("cuts off text, and reports that", async () => {
    const { url } = await serve({ "/": reply("x".repeat(100_001), TEXT) });
    const page = await read(url("/"));
    expect(page).toMatchObject({ text: "x".repeat(100_000), truncated: true });
  });

  it("stops an endless body", async () => {
    const { url } = await serve({
      "/": (_request, response) => {
        response.writeHead(200, TEXT);
        const pour = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", pour);
        pour();
      },
    });
    await expect(read(url("/"))).resolves.toMatchObject({ truncated: true });
  });

  it("stops a decompression bomb before it expands", async () => {
    const bomb = gzipSync(Buffer.alloc(128 * 1024 * 1024));
    const { url } = await serve({ "/": reply(bomb, { ...TEXT, "content-encoding": "gzip" }) });
    const before = process.memoryUsage().rss;
    await expect(read(url("/"))).resolves.toMatchObject({ truncated: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("stops compressed bytes that unpack to nothing", async () => {
    const emptyBlocks = Buffer.concat([
      Buffer.from([0x78, 0x9c]),
      Buffer.alloc(10 * 1024 * 1024, Buffer.from([0, 0, 0, 0xff, 0xff])),
    ]);
    const { url } = await serve({ "/": reply(emptyBlocks, { ...TEXT, "content-encoding": "deflate" }) });
    expect(await failure(read(url("/")))).toMatchObject({ code: "response_too_large" });
  });

  it("stops waiting for a server that never responds, and for one that trickles", async () => {
    const { url } = await serve({
      "/silent": () => undefined,
      "/trickle": (_request, response) => {
        response.writeHead(200, TEXT);
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      },
    });
    expect(await failure(read(url("/silent"), { limits: { headersMs: 100 } }))).toBeInstanceOf(
      TransientError,
    );
    const trickled = await failure(read(url("/trickle"), { limits: { totalMs: 500 } }));
    expect(trickled).toBeInstanceOf(TransientError);
    expect(String(trickled)).toContain("longer than 500 ms");
  });

  it("stops when its plan is cancelled", async () => {
    const stop = new AbortController();
    const { url } = await serve({ "/": () => stop.abort(new Error("cancelled")) });
    await expect(read(url("/"), { signal: stop.signal })).rejects.toThrow("cancelled");
  });

  it.each([
    ["deep", "<div>".repeat(300_000)],
    ["deep in tables", "<table><tr><td>".repeat(100_000)],
    ["wide", "<p>and <a href='/x'>on</a>".repeat(60_000)],
    ["open comments", "<!--".repeat(400_000)],
    ["open scripts", "<div>".repeat(300) + "<script ".repeat(200_000)],
  ])("stops on a page designed to be expensive (%s), and reads the next one", async (_how, body) => {
    const { url } = await serve({
      "/bad": reply(`<p>top</p>${body}`, HTML),
      "/good": reply("<p>good</p>", HTML),
    });
    using hasty = createPageReader({ deadlineMs: 1_500 });
    const fetcher = createFetcher({ allow: [new URL(url("/")).host] });
    const tool = httpFetch({ fetcher, documents: createDocumentReader({ pages: hasty, extractor }) });
    const outcome = await tool.run({ url: url("/bad") }, testContext()).catch((error: unknown) => error);
    expect([
      expect.objectContaining({ text: expect.stringContaining("top") }),
      expect.objectContaining({ code: "deadline_exceeded" }),
    ]).toContainEqual(outcome);
    const next = await vi.waitFor(() => tool.run({ url: url("/good") }, testContext()), 60_000);
    expect(next).toMatchObject({ text: "good" });
  });

  it("stops redirect loops", async () => {
    const { url, asked } = await serve({ "/": redirect("/") });
    expect(await failure(read(url("/")))).toMatchObject({ code: "too_many_redirects" });
    expect(asked).toHaveLength(6);
  });
});

describe("http.fetch with a forbidden or unreadable target", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://[::1]/",
    "http://[::]/",
    "http://0.0.0.0/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[fd00:ec2::254]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.100.100.200/",
    "http://10.0.0.1/",
    "http://192.168.0.1:8080/",
    "http://localhost/",
    "http://localhost./",
    "http://example.org./",
    "https://user:secret@example.org/",
    "https://user@example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "ftp://example.org/",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "http://example.org:22/",
    "http://example.org:25/",
    "//example.org/",
    "example.org",
    "http://",
    "http://exa mple.org/",
  ])("refuses %s", async (url) => {
    const refused = await failure(read(url));
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refused).toMatchObject({ code: "address_refused" });
    expect(String(refused)).not.toContain("secret");
  });

  it("refuses every spelling of the address of a listening server", async () => {
    const { host, asked } = await serve({ "/": reply("SECRET") });
    const port = host.split(":")[1];
    for (const name of [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "localhost",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
      "0",
    ]) {
      expect(await failure(read(`http://${name}:${port}/`, { allow: [] }))).toMatchObject({
        code: "address_refused",
      });
    }
    expect(asked).toEqual([]);
  });

  it("refuses a redirect to a host that is not in EGRESS_HOSTS, before sending a request to it", async () => {
    const { url, host } = await serve({ "/": redirect("https://evil.example/taken?x=1") });
    const allowed = createAllowList([host]);
    const egress = createEgress({ hosts: ["api.example.com"], allowed });
    const fetcher = createFetcher({ allow: [host], egress, resolve: () => expect.unreachable() });
    const message = expect.stringContaining("evil.example is not in EGRESS_HOSTS");
    const reading = httpFetch({ fetcher, documents }).run({ url: url("/") }, testContext());
    expect(await failure(reading)).toMatchObject({ code: "address_refused", message });
  });

  it("refuses a redirect to a forbidden address", async () => {
    const { url, host } = await serve({
      "/metadata": redirect("http://169.254.169.254/latest/meta-data/"),
      "/loopback": redirect("http://127.0.0.1:1/"),
      "/file": redirect("file:///etc/passwd"),
      "/user": redirect(`http://a:b@example.org/`),
      "/name": redirect("http://localhost/", 307),
    });
    for (const path of ["/metadata", "/loopback", "/file", "/user", "/name"]) {
      expect(await failure(read(url(path), { allow: [host] }))).toMatchObject({ code: "address_refused" });
    }
  });

  it("refuses a name that resolves to a private address, even beside public ones", async () => {
    const { host, asked } = await serve({ "/": reply("SECRET") });
    const port = host.split(":")[1];
    const answers = [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"], []];
    for (const addresses of answers) {
      const resolve: Resolve = (_name, _options, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        );
      expect(await failure(read(`http://rebind.example:${port}/`, { allow: [], resolve }))).toMatchObject({
        code: "address_refused",
        message: expect.stringMatching(new RegExp(`not public.*HTTP_FETCH_ALLOW=rebind\\.example:${port}$`)),
      });
    }
    expect(asked).toEqual([]);
  });

  it("refuses a name that resolves differently the second time", async () => {
    const { host, asked } = await serve({ "/": reply("SECRET") });
    let calls = 0;
    const resolve: Resolve = (_name, _options, callback) => {
      calls += 1;
      callback(null, [{ address: calls === 1 ? "192.0.2.1" : "127.0.0.1", family: 4 }]);
    };
    const url = `http://rebind.example:${host.split(":")[1]}/`;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await failure(read(url, { allow: [], resolve }))).toMatchObject({ code: "address_refused" });
    }
    expect({ calls, asked }).toEqual({ calls: 2, asked: [] });
  });

  it.each(["image/png", "application/octet-stream", "application/pdf", "video/mp4"])(
    "refuses %s, which is not text",
    async (type) => {
      const { url } = await serve({ "/": reply("data", { "content-type": type }) });
      expect(await failure(read(url("/")))).toMatchObject({ code: "unsupported_content_type" });
    },
  );

  it("refuses bytes of unknown type that are not text", async () => {
    const { url } = await serve({ "/": reply(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0])) });
    expect(await failure(read(url("/")))).toMatchObject({ code: "unsupported_content_type" });
  });

  it("refuses an encoding that was not requested, and a damaged one", async () => {
    const { url } = await serve({
      "/odd": reply("x", { ...TEXT, "content-encoding": "gzip, gzip" }),
      "/broken": reply("this is no gzip", { ...TEXT, "content-encoding": "gzip" }),
    });
    expect(await failure(read(url("/odd")))).toMatchObject({ code: "bad_response" });
    expect(await failure(read(url("/broken")))).toMatchObject({ code: "bad_response" });
  });
});

describe("a failure of http.fetch", () => {
  const status = (code: number, headers: Readonly<Record<string, string>> = {}): Route => {
    return (_request, response) => response.writeHead(code, headers).end("why");
  };

  it.each([400, 401, 403, 404, 410, 451, 304])("is permanent on status %i", async (code) => {
    const { url, host } = await serve({ "/": status(code) });
    const failed = await failure(read(url("/")));
    expect(failed).toBeInstanceOf(PermanentError);
    expect(failed).toMatchObject({ code: "http_status", message: `${host} answered ${code}` });
  });

  it.each<[number, Record<string, string>, number | undefined]>([
    [429, { "retry-after": "7" }, 7_000],
    [503, { "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT" }, 120_000],
    [503, { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [429, { "retry-after": "99999999" }, 86_400_000],
    [429, { "retry-after": "soon" }, undefined],
    [500, {}, undefined],
    [502, {}, undefined],
    [408, {}, undefined],
  ])("is temporary on status %i with %j", async (code, headers, retryAfterMs) => {
    const { url } = await serve({ "/": status(code, headers) });
    const failed = await failure(read(url("/")));
    expect(failed).toBeInstanceOf(TransientError);
    expect(failed).toMatchObject({ retryAfterMs });
  });

  it("is temporary when a connection is refused or breaks", async () => {
    const { url, host } = await serve({
      "/cut": (_request, response) => {
        response.writeHead(200, { ...TEXT, "content-length": "100" }).write("half");
        response.destroy();
      },
    });
    expect(await failure(read(url("/cut")))).toBeInstanceOf(TransientError);
    await server?.[Symbol.asyncDispose]();
    server = undefined;
    expect(await failure(read(`http://${host}/`, { allow: [host] }))).toBeInstanceOf(TransientError);
  });

  it("is permanent when a host does not exist", async () => {
    const resolve: Resolve = (name, _options, callback) =>
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), []);
    expect(await failure(read("http://nowhere.example/", { resolve }))).toMatchObject({
      code: "host_not_found",
    });
  });
});
