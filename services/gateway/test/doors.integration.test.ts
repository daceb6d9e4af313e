// Who is admitted, and how others are refused.
import { startService } from "@planwright/shared/service";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayService } from "../src/index.ts";
import { log, startSystem, type TestGateway, type TestSystem } from "./support/start-gateway.ts";

let system: TestSystem;
let gateway: TestGateway;

beforeAll(async () => {
  system = await startSystem();
  gateway = await system.gateway({
    env: { PLANWRIGHT_API_KEYS: "ada:secret-1,plain-secret,bob/jo@viewer:secret-3" },
  });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

const start = (env: Record<string, string>) =>
  startService(gatewayService, {
    env: { NATS_URL: system.nats.url, PLANWRIGHT_DATA: `${system.folder}/doors`, ...env },
    signal: new AbortController().signal,
    log,
  });

describe("a key", () => {
  it.each([
    ["no key", {}],
    ["an unknown key", { authorization: "Bearer secret-2" }],
    ["a name without its key", { authorization: "Bearer ada" }],
    ["another scheme", { authorization: "Basic secret-1" }],
    ["the beginning of a key", { authorization: "Bearer secret-" }],
  ])("is required: %s is refused", async (_, headers) => {
    // Simultaneously: each wrong key waits a second for its response.
    const paths = ["/v1/plans", "/%76%31/plans", "/v1/plans/x/events", "/v1/ws"];
    const [submitted, ...responses] = await Promise.all([
      gateway.post("/v1/plans", { goal: "g" }, headers),
      ...paths.map((path) => gateway.get(path, headers)),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      expect(await response.json()).toMatchObject({ code: "unauthorized" });
    }
    expect(submitted.status).toBe(401);
    expect(await system.stored()).toBe(0);
  });

  it.each(["secret-1", "ada:secret-1", "plain-secret", "secret-3", "bob/jo@viewer:secret-3"])(
    "%s is admitted",
    async (key) => {
      expect((await gateway.get("/v1/plans", { authorization: `Bearer ${key}` })).status).toBe(200);
    },
  );

  it("is not needed for health checks and the reference", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs"]) {
      expect([path, (await gateway.get(path)).status]).toEqual([path, 200]);
    }
  });
});

describe("the start", () => {
  it.each(["0.0.0.0", "::", "192.0.2.1"])("is refused on %s without keys", async (HOST) => {
    await expect(start({ HOST, PORT: "0" })).rejects.toThrow(/PLANWRIGHT_API_KEYS/);
  });

  it("names the port that is in use", async () => {
    const port = new URL(gateway.url).port;
    await expect(start({ PORT: port })).rejects.toThrow(
      new RegExp(`port ${port} on 127.0.0.1 is already in use`),
    );
  });

  it.each(["ada@boss:secret", "ada/jo@:secret", "ada@viewer:"])(
    "refuses a key with an unknown role: %s",
    async (entry) => {
      await expect(start({ PLANWRIGHT_API_KEYS: entry })).rejects.toThrow(
        /PLANWRIGHT_API_KEYS.*viewer, submitter/,
      );
    },
  );

  it("refuses invalid keys without showing them", async () => {
    await expect(start({ PLANWRIGHT_API_KEYS: "ada:,x y" })).rejects.toThrow(
      /PLANWRIGHT_API_KEYS.*not shown/,
    );
  });
});

describe("requests made by pages of other sites", () => {
  it("are refused when they could change something", async () => {
    await using open = await system.gateway({ folder: "open" });
    for (const origin of ["https://evil.example", "null", `http://localhost:1`]) {
      const response = await open.post("/v1/plans", { goal: "g" }, { origin, "content-type": "text/plain" });
      expect([origin, response.status]).toEqual([origin, 403]);
    }
    expect((await open.post("/v1/plans", { goal: "g" }, { origin: open.url })).status).toBe(202);
  });

  it("are refused when a form navigates, even with a key", async () => {
    const form = { authorization: "Bearer secret-1", "content-type": "application/x-www-form-urlencoded" };
    const statusFrom = (site: string) =>
      new Promise((resolve, reject) => {
        // The client library would set its own headers.
        const headers = { ...form, "sec-fetch-site": site, "sec-fetch-mode": "navigate" };
        request(`${gateway.url}/v1/plans`, { method: "POST", headers }, ({ statusCode }) =>
          resolve(statusCode),
        )
          .on("error", reject)
          .end('{"goal": "g"}');
      });
    const before = await system.stored();
    expect(await statusFrom("cross-site")).toBe(403);
    expect(await system.stored()).toBe(before);
    expect(await statusFrom("same-origin")).toBe(202);
  });

  it("are refused under a host name that an attacker had resolved to this machine", async () => {
    await using open = await system.gateway({ folder: "open" });
    const status = await new Promise((resolve, reject) => {
      request(`${open.url}/v1/plans`, { headers: { host: "evil.example" } }, ({ statusCode }) =>
        resolve(statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

it("a rate above the limit is refused with the time to wait", async () => {
  await using slow = await system.gateway({ folder: "slow", env: { HTTP_REQUESTS_PER_MINUTE: "3" } });
  const answers = [];
  for (let asked = 0; asked < 5; asked++) answers.push(await slow.get("/v1/plans"));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  const last = answers.at(-1);
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await last?.json()).toMatchObject({ code: "rate_limited" });
});

it("every response has the headers that protect browsers", async () => {
  for (const path of ["/healthz", "/v1/plans"]) {
    const { headers } = await gateway.get(path);
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
  }
});

it("an undecodable address is refused in the standard form", async () => {
  const response = await gateway.get("/%E0%A4%A");
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  expect(await response.json()).toMatchObject({ code: "invalid_request", status: 400 });
});

it("readiness names the missing parts", async () => {
  await using bare = await startSystem({ tools: [] });
  await using waiting = await bare.gateway();
  const response = await waiting.get("/readyz");
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ ready: false, missing: ["no executor has announced its tools"] });
  const refused = await waiting.post("/v1/plans", { goal: "g", tools: ["flow.echo"] });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  await bare.nats.kill();
  expect(await (await waiting.get("/readyz")).json()).toMatchObject({ ready: false });
  const paths = ["/v1/plans/unknown", "/v1/plans/unknown/events", "/v1/workers", "/metrics"];
  const [plan, facts, workers, figures] = await Promise.all(paths.map((at) => waiting.get(at)));
  // No worker is known either: an empty list would claim that there are none.
  for (const one of [plan, facts, workers])
    expect([one?.status, one?.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await figures?.text()).toContain("planwright_open_plans 0");
  await bare.nats.restart();
});
