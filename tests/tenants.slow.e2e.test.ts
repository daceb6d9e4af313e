// Keys open the door, and each opens its own tenant's plans and data only: their state, facts, files, traces and effects.
import { once } from "node:events";
import { createServer } from "node:net";
import {
  judgementText,
  planText,
  type ScriptedModel,
  startScriptedModel,
  startServiceProcess,
  startSystem,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { runCli } from "../packages/cli/src/testing/run-cli.ts";
import { connectSocket } from "./support/connect-socket.ts";

const ADA = { authorization: "Bearer key-of-ada" };
const BOB = { authorization: "Bearer key-of-bob" };
const Accepted = z.object({ planId: z.string(), traceId: z.string() });

let system: TestSystem;
let model: ScriptedModel;
/** A plan of Ada's that wrote a file, and has ended. */
let adas: z.infer<typeof Accepted>;

beforeAll(async () => {
  const port = await freePort();
  model = await startScriptedModel({});
  system = await startSystem({
    modelUrl: model.url,
    env: {
      PORT: port,
      PLANWRIGHT_API_KEYS: "ada:key-of-ada,bob:key-of-bob,ada/boss@admin:key-of-boss",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otlp`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer key-of-the-services",
      PLANWRIGHT_TRACE_RECEIVER_KEY: "key-of-the-services",
    },
  });
  adas = await submit(ADA, filePlan("adas secret"));
  await eventsOf(ADA, adas.planId);
});
afterAll(async () => {
  await system?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return String(typeof address === "object" ? address?.port : "");
}

const filePlan = (content: string) => ({
  goal: `keep ${content}`,
  plan: {
    steps: [{ id: "keep", tool: "files.write", args: { path: "note.txt", content } }],
    answerFrom: "keep",
  },
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  system.client.fetch(path, { headers });

async function submit(
  who: Record<string, string>,
  body: object,
  headers: Record<string, string> = {},
): Promise<z.infer<typeof Accepted>> {
  const init = { method: "POST", headers: { ...who, ...headers }, body: JSON.stringify(body) };
  const response = await system.client.fetch("/v1/plans", init);
  expect(response.status).toBe(202);
  return Accepted.parse(await response.json());
}

/** All facts of a plan, to its end. */
async function eventsOf(who: Record<string, string>, planId: string): Promise<string> {
  return (await get(`/v1/plans/${planId}/events`, { ...who, accept: "text/event-stream" })).text();
}

const bearer = (key: string): string => `bearer.${Buffer.from(key).toString("base64url")}`;

describe("without a key", () => {
  it.each(["/v1/plans", "/v1/tools", "/v1/data", "/v1/workers", "/metrics", "/v1/ws"])(
    "nothing is revealed at %s",
    async (path) => {
      for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "key-of-ada" }]) {
        const response = await get(path, headers);
        expect([response.status, await response.json()]).toMatchObject([401, { code: "unauthorized" }]);
      }
    },
  );

  it("no plan is taken, and no spans", async () => {
    for (const path of ["/v1/plans", "/v1/data?name=x", "/otlp/v1/traces", "/v1/plans/preview"]) {
      const response = await system.client.fetch(path, { method: "POST", body: "{}" });
      expect([path, response.status]).toEqual([path, 401]);
    }
    await expect(connectSocket(system.url)).rejects.toThrow("401");
  });
});

describe("another tenant", () => {
  it("does not learn that a plan exists, whatever it requests", async () => {
    const file = `/v1/plans/${adas.planId}/artifacts/files%2Fnote.txt`;
    expect(await (await get(file, ADA)).text()).toBe("adas secret");
    const rests = ["", "/events", "/artifacts", "/artifacts/files%2Fnote.txt", "/trace"];
    for (const rest of rests) {
      for (const planId of [adas.planId, "0000000000000000000000"]) {
        const response = await get(`/v1/plans/${planId}${rest}`, BOB);
        expect([rest, response.status]).toEqual([rest, 404]);
        const { detail } = z.object({ detail: z.string() }).parse(await response.json());
        expect(detail).toBe(`there is no plan "${planId}"`);
      }
    }
    const cancel = { method: "POST", headers: BOB };
    expect((await system.client.fetch(`/v1/plans/${adas.planId}/cancel`, cancel)).status).toBe(404);
  });

  it("deletes none, and a tenant's own is gone with its file, its trace and its key", async () => {
    const key = { "idempotency-key": "adas-own" };
    const { planId } = await submit(ADA, filePlan("to be deleted"), key);
    await eventsOf(ADA, planId);
    const remove = async (who: Record<string, string>) =>
      (await system.client.fetch(`/v1/plans/${planId}`, { method: "DELETE", headers: who })).status;
    expect(await remove(BOB)).toBe(404);
    expect((await get(`/v1/plans/${planId}`, ADA)).status).toBe(200);
    expect(await remove(ADA)).toBe(204);
    expect([await remove(BOB), await remove(ADA)]).toEqual([404, 204]);
    for (const rest of ["", "/events", "/artifacts/files%2Fnote.txt", "/trace"]) {
      expect((await get(`/v1/plans/${planId}${rest}`, ADA)).status).toBe(404);
    }
    const init = {
      method: "POST",
      headers: { ...ADA, ...key },
      body: JSON.stringify(filePlan("to be deleted")),
    };
    expect((await system.client.fetch("/v1/plans", init)).status).toBe(410);
  });

  it("sees it in no list, search or count", async () => {
    const listed = async (who: Record<string, string>, query: string) =>
      z
        .object({ plans: z.array(z.object({ planId: z.string() })) })
        .parse(await (await get(`/v1/plans${query}`, who)).json())
        .plans.map(({ planId }) => planId);
    for (const query of ["", "?q=adas", `?q=${adas.planId}`, "?status=succeeded"]) {
      expect(await listed(ADA, query)).toContain(adas.planId);
      expect(await listed(BOB, query)).not.toContain(adas.planId);
    }
  });

  it("is not shown pending approvals of it", async () => {
    const steps = [{ id: "a", tool: "flow.echo", args: { value: "adas secret" } }];
    const body = { goal: "adas wait", plan: { steps }, approval: { risk: "low" } };
    const headers = { ...ADA, "content-type": "application/json" };
    await system.client.fetch("/v1/plans", { method: "POST", headers, body: JSON.stringify(body) });
    const waiting = async (who: Record<string, string>) =>
      z.object({ total: z.int() }).parse(await (await get("/v1/approvals", who)).json()).total;
    await expect.poll(() => waiting(ADA)).toBe(1);
    expect(await waiting(BOB)).toBe(0);
  });

  it("cannot watch or cancel it over a WebSocket", async () => {
    await using bob = await connectSocket(system.url, { headers: BOB });
    bob.say({ id: 1, type: "watch", planId: adas.planId });
    bob.say({ id: 2, type: "cancel", planId: adas.planId });
    for (const id of [1, 2]) {
      expect(await bob.hear((message) => message["id"] === id)).toMatchObject({
        type: "error",
        code: "plan_not_found",
      });
    }
    expect(bob.told.filter(({ type }) => type === "event")).toEqual([]);
  });

  it("has its own idempotency keys", async () => {
    const key = { "idempotency-key": "the-same" };
    const [hers, his] = await Promise.all([submit(ADA, filePlan("a"), key), submit(BOB, filePlan("b"), key)]);
    expect(hers.planId).not.toBe(his.planId);
    expect(await submit(ADA, filePlan("a"), key)).toEqual(hers);
  });

  it("sees only its own spans of a trace that it names as its own", async () => {
    const Spans = z.object({
      traceId: z.string(),
      spans: z.array(z.looseObject({ name: z.string(), attributes: z.record(z.string(), z.unknown()) })),
    });
    const traceOf = async (who: Record<string, string>, planId: string) =>
      Spans.parse(await (await get(`/v1/plans/${planId}/trace`, who)).json());
    await expect
      .poll(async () => (await traceOf(ADA, adas.planId)).spans.map(({ name }) => name))
      .toEqual(expect.arrayContaining(["POST /v1/plans", "execute_tool files.write"]));
    const traceparent = `00-${adas.traceId}-${"b".repeat(16)}-01`;
    const his = await submit(BOB, filePlan("his"), { traceparent });
    expect(his.traceId).toBe(adas.traceId);
    await eventsOf(BOB, his.planId);
    await expect
      .poll(async () => (await traceOf(BOB, his.planId)).spans.map(({ name }) => name))
      .toContain("execute_tool files.write");
    for (const [who, own] of [
      [ADA, adas.planId],
      [BOB, his.planId],
    ] as const) {
      const { spans } = await traceOf(who, own);
      const plans = new Set(spans.map(({ attributes }) => attributes["plan.id"] ?? own));
      expect([...plans]).toEqual([own]);
    }
    // Of the same trace, with his plan's id: shown only to whose key it came with.
    const sendSpan = async (who: Record<string, string>, name: string, spanId: string) => {
      const attributes = [{ key: "plan.id", value: { stringValue: his.planId } }];
      const times = { startTimeUnixNano: "1", endTimeUnixNano: "2" };
      const spans = [{ traceId: his.traceId, spanId, name, ...times, attributes }];
      const sent = await system.client.fetch("/otlp/v1/traces", {
        method: "POST",
        headers: { ...who, "content-type": "application/json" },
        body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
      });
      expect([name, sent.status]).toEqual([name, 200]);
      await sent.arrayBuffer();
    };
    await sendSpan(ADA, "hers", "1".repeat(16));
    await sendSpan(BOB, "his", "2".repeat(16));
    const names = (await traceOf(BOB, his.planId)).spans.map(({ name }) => name);
    expect(names).toContain("his");
    expect(names).not.toContain("hers");
  });
});

describe("data that a tenant uploads", () => {
  const SECRET = "Salary-of-Grace";
  const Sources = z.object({
    sources: z.array(z.object({ name: z.string(), origin: z.string(), tables: z.unknown().optional() })),
  });
  const upload = (who: Record<string, string>, name: string, csv: string): Promise<Response> =>
    system.client.fetch(`/v1/data?name=${name}`, {
      method: "POST",
      headers: { ...who, "content-type": "text/csv" },
      body: csv,
    });
  const sourcesOf = async (who: Record<string, string>) =>
    Sources.parse(await (await get("/v1/data", who)).json()).sources;
  const namesOf = async (who: Record<string, string>) => (await sourcesOf(who)).map(({ name }) => name);
  const isDescribed = async (who: Record<string, string>, name: string) =>
    (await sourcesOf(who)).find((source) => source.name === name)?.tables !== undefined;
  const queryPlan = (source: string, sql: string, tool = "sql.query") => ({
    goal: "ask the data",
    plan: {
      steps: [{ id: "ask", tool, args: tool === "sql.query" ? { source, sql } : { query: source } }],
      answerFrom: "ask",
    },
  });
  /** Everything that the log says about a plan of one query. */
  const asked = async (who: Record<string, string>, source: string, sql: string, tool?: string) =>
    eventsOf(who, (await submit(who, queryPlan(source, sql, tool))).planId);

  beforeAll(async () => {
    await upload(ADA, "payroll", `person,pay\n${SECRET},3\n`);
    await upload(ADA, "both", "whose,n\nadas,1\n");
    await upload(BOB, "both", "whose,n\nbobs,2\n");
    for (const [who, name] of [
      [ADA, "payroll"],
      [ADA, "both"],
      [BOB, "both"],
    ] as const) {
      await vi.waitUntil(() => isDescribed(who, name), { timeout: 20_000 });
    }
  });

  it("is listed to its tenant only; those of the operator, to all", async () => {
    expect(await namesOf(ADA)).toEqual(expect.arrayContaining(["payroll", "both", "sales"]));
    expect(await namesOf(BOB)).toEqual(expect.arrayContaining(["both", "sales"]));
    expect(await namesOf(BOB)).not.toContain("payroll");
    const installed = (await sourcesOf(BOB)).filter(({ origin }) => origin === "configuration");
    expect(installed.map(({ name }) => name)).toEqual(expect.arrayContaining(["sales"]));
  });

  it("may have the name of another tenant's, and each queries its own", async () => {
    const sql = "SELECT whose FROM both";
    expect(await asked(ADA, "both", sql)).toContain("adas");
    const bobs = await asked(BOB, "both", sql);
    expect(bobs).toContain("bobs");
    expect(bobs).not.toContain("adas");
  });

  it("is not replaced by another tenant, and replaces nothing of the installation", async () => {
    expect((await upload(BOB, "payroll", "person,pay\nNobody,0\n")).status).toBe(201);
    expect(await asked(ADA, "payroll", "SELECT person FROM payroll")).toContain(SECRET);
    expect(await asked(BOB, "payroll", "SELECT person FROM payroll")).toContain("Nobody");
    const taken = await upload(BOB, "sales", "a,b\n1,2\n");
    expect([taken.status, await taken.json()]).toMatchObject([409, { code: "source_configured" }]);
  });

  it("cannot be reached by a path, a key of its store, another case, or ATTACH", async () => {
    const names = ["ada/payroll", "ada.payroll", "Payroll", "../payroll", `${system.data}/cache/sources`];
    for (const name of names) {
      const told = await asked(BOB, name, "SELECT * FROM payroll");
      expect(told).toContain("unknown_source");
      expect(told).not.toContain(SECRET);
    }
    for (const sql of [
      `ATTACH '${system.data}/cache/sources' AS other`,
      "SELECT readfile('/etc/passwd')",
      "SELECT * FROM payroll UNION SELECT * FROM ada.payroll",
    ]) {
      const told = await asked(BOB, "both", sql);
      expect(told).toContain("invalid_sql");
      expect(told).not.toContain(SECRET);
    }
  });

  it("is named in no refusal, and no submission of another tenant may use it", async () => {
    await upload(ADA, "hers-alone", "a\n1\n");
    const body = JSON.stringify({ goal: "g", data: ["hers-alone"] });
    const response = await system.client.fetch("/v1/plans", { method: "POST", headers: BOB, body });
    const text = await response.text();
    expect([response.status, text]).toEqual([422, expect.stringContaining("unknown_source")]);
    expect(text.replaceAll(String.raw`unknown name \"hers-alone\"`, "")).not.toContain("hers-alone");
    expect(await asked(BOB, "none-such", "SELECT 1")).not.toContain("hers-alone");
  });

  it("is deleted by its tenant only, and then no plan can query it", async () => {
    const remove = (who: Record<string, string>, name: string) =>
      system.client.fetch(`/v1/data/${name}`, { method: "DELETE", headers: who });
    await upload(ADA, "togo", `n\n${SECRET}\n`);
    expect(await asked(ADA, "togo", 'SELECT * FROM "togo"')).toContain(SECRET);
    expect((await remove(BOB, "togo")).status).toBe(404);
    expect((await remove(ADA, "togo")).status).toBe(204);
    expect(await asked(ADA, "togo", 'SELECT * FROM "togo"')).toContain("unknown_source");
    expect((await remove(ADA, "sales")).status).toBe(409);
  });

  it("is in no search of documents", async () => {
    expect(await asked(BOB, SECRET, "", "docs.search")).not.toContain(`"path"`);
  });

  it("is shown to the model for plans and previews of its tenant only", async () => {
    const steps = [{ id: "s", tool: "flow.echo", args: { value: 1 } }];
    model.play({ plan: planText({ steps }), judgement: judgementText({ text: "done" }) });
    const promptsOf = async (who: Record<string, string>, goal: string) => {
      const body = { goal, strategy: "parallel" };
      await eventsOf(who, (await submit(who, body)).planId);
      const init = {
        method: "POST",
        headers: who,
        body: JSON.stringify({ ...body, goal: `${goal} preview` }),
      };
      expect((await system.client.fetch("/v1/plans/preview", init)).status).toBe(200);
      const sent = model.calls("plan").map(({ request }) => JSON.stringify(request));
      return sent.filter((prompt) => prompt.includes(goal));
    };
    const hers = await promptsOf(ADA, "count what ada pays");
    const his = await promptsOf(BOB, "count what bob pays");
    expect([hers.length, his.length]).toEqual([2, 2]);
    for (const prompt of hers) {
      expect(prompt).toContain(SECRET);
      expect(prompt).toContain("adas");
      expect(prompt).toContain("competitors");
      expect(prompt).not.toContain("bobs");
    }
    for (const prompt of his) {
      expect(prompt).not.toContain(SECRET);
      expect(prompt).not.toContain("adas");
      expect(prompt).toContain("bobs");
      expect(prompt).toContain("competitors");
    }
  });

  it("is queried by sub-plans of its tenant's plans", async () => {
    const { plan } = queryPlan("both", "SELECT whose FROM both");
    const steps = [{ id: "sub", tool: "plan.run", args: { plan } }];
    const goal = "ask in a sub-plan";
    const { planId } = await submit(BOB, { goal, plan: { steps, answerFrom: "sub" } });
    const told = await eventsOf(BOB, planId);
    expect(told).toContain("bobs");
    expect(told).not.toContain("adas");
  });
});

describe("the work of another tenant", () => {
  const planOf = (count: number, tool: string, args: object) => {
    const steps = Array.from({ length: count }, (_, index) => ({ id: `s${index}`, tool, args }));
    return { goal: `${count} of ${tool}`, plan: { steps, answerFrom: "s0" } };
  };
  const program = (code: string) => ({ language: "javascript", code });
  const statusOf = async (who: Record<string, string>, planId: string): Promise<unknown> =>
    ((await (await get(`/v1/plans/${planId}`, who)).json()) as { status?: unknown }).status;

  it.each([
    [
      "thousands of steps that wait",
      planOf(2_000, "flow.wait", { ms: 600_000 }),
      ["flow.echo", { value: 1 }],
    ],
    ["endless programs", planOf(200, "code.run", program("for (;;) {}")), ["code.run", program("return 1")]],
  ] as const)("keeps no plan waiting: %s", async (_, flood, [tool, args]) => {
    const large = await submit(BOB, flood);
    await expect
      .poll(async () => (await get("/metrics", BOB)).text())
      .toMatch(/^planwright_pool_held\{pool="default"\} [1-9]/m);
    const { planId } = await submit(ADA, planOf(1, tool, args));
    expect(await eventsOf(ADA, planId)).toContain('"outcome":"succeeded"');
    expect(await statusOf(BOB, large.planId)).toBe("running");
    await system.client.fetch(`/v1/plans/${large.planId}/cancel`, { method: "POST", headers: BOB });
    await eventsOf(BOB, large.planId);
  });
});

describe("a key", () => {
  it("opens its tenant's plans in a header, and to a browser's WebSocket as a subprotocol", async () => {
    expect((await get(`/v1/plans/${adas.planId}`, ADA)).status).toBe(200);
    await using ada = await connectSocket(system.url, { protocols: ["planwright.v1", bearer("key-of-ada")] });
    ada.say({ id: "w", type: "watch", planId: adas.planId });
    await ada.hear(
      ({ event }) => z.object({ type: z.string() }).safeParse(event).data?.type === "plan.ended",
    );
  });

  it("is in no log, no view and no event", async () => {
    const texts = [
      await eventsOf(ADA, adas.planId),
      await (await get(`/v1/plans/${adas.planId}`, ADA)).text(),
      await (await get(`/v1/plans/${adas.planId}/trace`, ADA)).text(),
      await (await get("/metrics", ADA)).text(),
      system.processes("gateway")[0]?.output() ?? "",
    ];
    for (const text of texts) expect(text).not.toMatch(/key-of-(ada|bob)/);
  });
});

it("a gateway that other machines could reach does not start without keys", async () => {
  for (const HOST of ["0.0.0.0", "::"]) {
    const env = { NATS_URL: system.nats.url, PLANWRIGHT_DATA: "/nonexistent", HOST, PORT: "0" };
    await expect(startServiceProcess("gateway", env)).rejects.toThrow(/PLANWRIGHT_API_KEYS/);
  }
});

it("admins create, list and revoke keys from the command line, and read who did what", async () => {
  const run = (apiKey: string, ...args: string[]) =>
    runCli(args, { env: { PLANWRIGHT_URL: system.url, PLANWRIGHT_API_KEY: apiKey } });
  const created = await run("key-of-boss", "keys", "create", "reader", "--role", "viewer", "--expires", "1d");
  expect([created.code, created.err]).toEqual([0, ""]);
  const key = created.out.trim();
  expect((await run(key, "show", adas.planId)).code).toBe(0);
  const refused = await run(key, "cancel", adas.planId);
  expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("ada/reader has the role viewer")]);
  expect(await run("key-of-ada", "keys")).toMatchObject({
    code: 4,
    err: expect.stringContaining("needs one of admin"),
  });

  const listed = await run("key-of-boss", "keys");
  expect(listed.out).toMatch(/^\w+ +ada\/reader +viewer +\d{4}-\d\d-\d\d/m);
  expect(listed.out).toMatch(/^ada\/boss +admin$/m);
  expect(listed.out).not.toContain("bob");
  const { keys } = z
    .object({ keys: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse((await run("key-of-boss", "keys", "list", "--json")).out));
  const [{ id } = { id: "" }] = keys;
  expect((await run("key-of-boss", "keys", "revoke", id)).out).toBe(`revoked ${id}\n`);

  const log = (await run("key-of-boss", "audit")).out;
  for (const action of ["submitPlan", "createKey", "revokeKey"])
    expect(log).toContain(`"action":"${action}"`);
  expect(log).not.toContain("key-of");
  expect((await run("key-of-boss", "audit", "--verify")).out).toMatch(
    /^\d+ entries, 1 to \d+: verified\nlast: \d+ /,
  );
  const verify = (input: string) => runCli(["audit", "--verify", "--file", "-"], { input });
  expect(await verify(log)).toMatchObject({ code: 0 });
  const changed = await verify(log.replace("ada/reader", "ada/nobody"));
  expect([changed.code, changed.err]).toEqual([1, expect.stringMatching(/entry \d+ was changed/)]);
  const [, ...dropped] = log.split("\n").slice(1);
  const gap = await verify([log.split("\n")[0], ...dropped].join("\n"));
  expect([gap.code, gap.err]).toEqual([1, expect.stringContaining("entries are missing")]);
  expect(await run(key, "show", adas.planId)).toMatchObject({ code: 4 });
});
