// Routes and responses must match their endpoints.
import {
  cancelPlan,
  defineEndpoint,
  getHealth,
  getMetrics,
  listArtifacts,
  PROBLEM_TYPE,
} from "@planwright/api";
import { NO_REDACTION } from "@planwright/shared/redaction";
import { createLogger } from "@planwright/shared/service";
import { afterEach, describe, expect, it } from "vitest";
import { type App, sendJson, serve } from "./contract.ts";
import { createApp } from "./create-app.ts";
import { Problem } from "./problem.ts";

const apps: App[] = [];
const logged: string[] = [];
afterEach(async () => {
  logged.length = 0;
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function appOf({ strict }: { strict: boolean }): Promise<App> {
  const log = createLogger({ name: "test", level: "error" }, { write: (line) => void logged.push(line) });
  const options = {
    log,
    localOnly: false,
    requestsPerMinute: 1_000,
    strictResponses: strict,
    redaction: NO_REDACTION,
  };
  const app = await createApp({
    ...options,
    authenticate: () => Promise.resolve({ tenant: "default", identity: undefined, role: "admin" }),
  });
  apps.push(app);
  return app;
}

const PATH = "/v1/plans/p/artifacts";
const FILE = { name: "a.txt", contentType: "text/plain", bytes: 1 };

describe("a route", () => {
  it("is refused when it has no endpoint", async () => {
    const app = await appOf({ strict: false });
    expect(() => app.get("/v1/secret", async () => "x")).toThrow(
      /GET \/v1\/secret has no endpoint in packages\/api/,
    );
  });

  it("responds under its old paths too", async () => {
    const app = await appOf({ strict: true });
    const renamed = defineEndpoint({ ...getHealth, path: "/v1/new", oldPaths: ["/v1/old"] });
    serve(app, renamed, async () => ({ alive: true as const, version: "1" }));
    for (const url of ["/v1/new", "/v1/old"]) expect((await app.inject(url)).statusCode).toBe(200);
  });

  it("sees its body both as parsed by the schema and as sent", async () => {
    const app = await appOf({ strict: true });
    const seen: unknown[] = [];
    serve(app, cancelPlan, async ({ body, sentBody }) => {
      seen.push([body, sentBody]);
      throw new Problem("plan_ended", "over");
    });
    await app.inject({ method: "POST", url: "/v1/plans/p/cancel", payload: { reason: " why " } });
    await app.inject({ method: "POST", url: "/v1/plans/p/cancel" });
    expect(seen).toEqual([
      [{ reason: "why" }, { reason: " why " }],
      [{}, undefined],
    ]);
  });
});

describe("a response in tests", () => {
  const FAULTS: readonly (readonly [fault: string, answer: () => unknown])[] = [
    ["lacks a field", () => ({ artifacts: [{ name: "a.txt" }] })],
    ["has a field that the schema does not name", () => ({ artifacts: [{ ...FILE, secret: 1 }] })],
  ];
  it.each(FAULTS)("fails when it %s", async (_fault, answer) => {
    const app = await appOf({ strict: true });
    serve(app, listArtifacts, async () => answer() as { artifacts: [] });
    const response = await app.inject(PATH);
    expect([response.statusCode, response.json()]).toMatchObject([500, { code: "internal" }]);
    expect(logged.join("\n")).toContain("listArtifacts");
  });

  it("fails when it is text that does not fit, or has a code or status that its endpoint does not name", async () => {
    const app = await appOf({ strict: true });
    serve(app, listArtifacts, async (_request, reply) => sendJson(reply, '{"artifacts":[{}]}'));
    serve(app, getMetrics, async () => {
      throw new Problem("feedback_given", "enough");
    });
    serve(app, getHealth, async (_request, reply) => {
      void reply.code(299 as 200);
      return sendJson(reply, "{}");
    });
    for (const url of [PATH, getMetrics.path, getHealth.path]) {
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 500]);
    }
  });
});

describe("a response in production", () => {
  it("is logged and sent when it does not fit: a client can use the rest", async () => {
    const app = await appOf({ strict: false });
    serve(
      app,
      listArtifacts,
      async () => JSON.parse('{"artifacts":[{"name":"a.txt"}]}') as { artifacts: [] },
    );
    const response = await app.inject(PATH);
    expect([response.statusCode, response.json()]).toEqual([200, { artifacts: [{ name: "a.txt" }] }]);
    expect(logged.join("\n")).toMatch(/listArtifacts|artifacts 200.*does not match its schema/);
  });
});

it("every response has the gateway's version, refusals included", async () => {
  const app = await appOf({ strict: true });
  serve(app, getHealth, async () => ({ alive: true as const, version: "1" }));
  for (const url of ["/healthz", "/v1/none"]) {
    const { headers } = await app.inject(url);
    expect(headers["planwright-version"]).toMatch(/^\d+\.\d+\.\d+/);
  }
  expect((await app.inject("/v1/none")).headers["content-type"]).toContain(PROBLEM_TYPE);
});
