// The docs site as browsers get it: over a real port, with the gateway's headers, from a folder that resembles a build.
import { NO_REDACTION } from "@planwright/shared/redaction";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { App } from "../src/http/contract.ts";
import { createApp } from "../src/http/create-app.ts";
import { Problem } from "../src/http/problem.ts";
import { dashboardRoutes } from "../src/routes/dashboard.ts";
import { docsSiteRoutes } from "../src/routes/docs-site.ts";
import { log } from "./support/start-gateway.ts";

const SCRIPT = "assets/chunks/theme.pHpWzj4x.js";
const CODE = "export const theme = 1;\n".repeat(100);
const FILES = {
  "site/index.html": "<h1>Docs</h1>",
  "site/tutorial.html": "<h1>Tutorial</h1>",
  "site/strategies/index.html": "<h1>Strategies</h1>",
  "site/404.html": "<h1>No such page</h1>",
  "site/.built-from": "a hash",
  [`site/${SCRIPT}`]: CODE,
  [`site/${SCRIPT}.gz`]: gzipSync(CODE),
  "site/assets/style.Bt1w8txp.css": "body { margin: 0 }",
  "dashboard/index.html": "<h1>Dashboard</h1>",
  "secret.txt": "secret",
};

let folder = "";
let app: App;
let base = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-docs-site-"));
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  [app, base] = await serveSite("site");
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

async function serveSite(name: string): Promise<[App, string]> {
  const served = await createApp({
    log,
    // Like the dashboard's files, the docs need no credentials.
    authenticate: () => Promise.reject(new Problem("unauthorized", "no key was sent")),
    localOnly: false,
    requestsPerMinute: 1_000,
    strictResponses: true,
    redaction: NO_REDACTION,
  });
  await dashboardRoutes(served, { folder: path.join(folder, "dashboard") });
  docsSiteRoutes(served, { folder: path.join(folder, name) });
  return [served, await served.listen({ port: 0, host: "127.0.0.1" })];
}

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

/** Requests the path exactly as written: `fetch` would resolve its dots. */
async function get(at: string, headers: Record<string, string> = {}, from = base): Promise<Answer> {
  const { hostname, port } = new URL(from);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ hostname, port, path: at, headers }, (response) => {
    const { statusCode: status = 0, headers: received } = response;
    text(response).then((body) => resolve({ status, headers: received, body }), reject);
  });
  sent.on("error", reject).end();
  return promise;
}

it.each([
  ["/docs/guide/", "Docs"],
  ["/docs/guide/index.html", "Docs"],
  ["/docs/guide/tutorial.html", "Tutorial"],
  ["/docs/guide/strategies/", "Strategies"],
])("serves the page %s, which browsers revalidate", async (at, heading) => {
  const { status, headers, body } = await get(at);
  expect([status, body]).toEqual([200, `<h1>${heading}</h1>`]);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["cache-control"]).toBe("no-cache");
  const again = await get(at, { "if-none-match": headers.etag ?? "" });
  expect([again.status, again.body]).toEqual([304, ""]);
});

it.each([
  [SCRIPT, "application/javascript; charset=utf-8"],
  ["assets/style.Bt1w8txp.css", "text/css; charset=utf-8"],
])("serves the asset %s, which browsers keep", async (name, type) => {
  const { status, headers } = await get(`/docs/guide/${name}`);
  expect([status, headers["content-type"]]).toEqual([200, type]);
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

it("sends the compressed file to browsers that accept it", async () => {
  const response = await fetch(`${base}/docs/guide/${SCRIPT}`, { headers: { "accept-encoding": "gzip" } });
  expect(response.headers.get("content-encoding")).toBe("gzip");
  expect(await response.text()).toBe(CODE);
  expect(gunzipSync(FILES[`site/${SCRIPT}.gz`]).toString()).toBe(CODE);
});

it("permits no scripts but the site's own files, on its pages and on the page of a missing one", async () => {
  for (const at of ["/docs/guide/", "/docs/guide/nowhere"]) {
    const policy = String((await get(at)).headers["content-security-policy"]);
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/script-src|unsafe-eval|https?:/);
  }
});

it("redirects the address without a trailing slash, because the pages' links are relative to it", async () => {
  const { status, headers } = await get("/docs/guide");
  expect([status, headers.location]).toEqual([302, "/docs/guide/"]);
});

it.each([
  ["/docs/guide/tutorial", "/docs/guide/tutorial.html"],
  ["/docs/guide/strategies", "/docs/guide/strategies/index.html"],
])("redirects %s, as typed by users, to its page", async (at, page) => {
  const { status, headers } = await get(at);
  expect([status, headers.location]).toEqual([302, page]);
});

it("responds to an unknown page with the site's own, and to an unknown asset with a problem", async () => {
  const page = await get("/docs/guide/nowhere.html");
  expect([page.status, page.body]).toEqual([404, "<h1>No such page</h1>"]);
  const asset = await get("/docs/guide/assets/gone.Bt1w8txp.js");
  expect([asset.status, JSON.parse(asset.body)]).toMatchObject([404, { code: "not_found" }]);
});

it.each([
  "/docs/guide/../../secret.txt",
  "/docs/guide/..%2fsecret.txt",
  "/docs/guide/%2e%2e/%2e%2e/secret.txt",
  "/docs/guide/..%2f..%2f..%2f..%2f..%2f..%2fetc/passwd",
  "/docs/guide/assets/..%5c..%5csecret.txt",
  "/docs/guide/tutorial.html%00.txt",
  "/docs/guide/.built-from",
])("does not serve %s", async (at) => {
  const { status, body } = await get(at);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body).not.toMatch(/^(?:secret|a hash)$|root:/);
});

it("explains how to build the site while it is not built, and serves it once it is", async () => {
  const [unbuilt, address] = await serveSite("later");
  for (const at of ["/docs/guide/", "/docs/guide/tutorial.html", "/docs/guide/strategies/"]) {
    const { status, headers, body } = await get(at, {}, address);
    expect([at, status, headers["cache-control"]]).toEqual([at, 200, "no-cache"]);
    expect(body).toContain("<code>npm run docs</code>");
    expect(body).not.toContain("<script");
  }
  expect((await get("/docs/guide/assets/gone.js", {}, address)).status).toBe(404);
  await mkdir(path.join(folder, "later"));
  await writeFile(path.join(folder, "later/index.html"), "<h1>Built</h1>");
  expect((await get("/docs/guide/", {}, address)).body).toBe("<h1>Built</h1>");
  await unbuilt.close();
});
