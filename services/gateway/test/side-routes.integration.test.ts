// Routes besides plans: previews, data, artifacts, workers, metrics and the pages.
import { AckPolicy, jetstream } from "@nats-io/jetstream";
import { PlanId } from "@planwright/plan";
import { createArtifactStore } from "@planwright/shared/artifacts";
import { BUCKETS, openRegistry, STREAMS, WORK_DEMAND, WORKER_BEATS } from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { DATA_OWNER, DataSource } from "@planwright/shared/tools";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { store, wholeRun } from "./support/facts.ts";
import { readEvents } from "./support/read-events.ts";
import { startSystem, type TestGateway, type TestSystem, TOOLS, TWO_STEPS } from "./support/start-gateway.ts";

let system: TestSystem;
let gateway: TestGateway;
const log = createLogger({ name: "test", level: "silent" });
const CSV = "region,revenue\nNorth,1\nSouth,2\n";

beforeAll(async () => {
  system = await startSystem();
  const folder = path.join(system.folder, "sources");
  await mkdir(path.join(folder, "many"), { recursive: true });
  await writeFile(path.join(folder, "Q4 sales.csv"), CSV);
  await writeFile(path.join(folder, "many", "a.csv"), CSV);
  await writeFile(path.join(folder, "many", "b.csv"), CSV);
  await writeFile(path.join(folder, "fake.sqlite"), "not a database");
  await writeFile(path.join(folder, "README.md"), "# not data");
  gateway = await system.gateway({ env: { PLANWRIGHT_UPLOADS: folder } });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

const json = async (response: Promise<Response>) =>
  (await response).json() as Promise<Record<string, unknown>>;

describe("a preview", () => {
  it("of a plan shows its steps, critical path and calls, and stores nothing", async () => {
    const before = await system.stored();
    const steps = [
      { id: "a", tool: "flow.wait", args: { ms: 300 } },
      { id: "b", tool: "flow.wait", args: { ms: 200 } },
      { id: "c", tool: "flow.wait", args: { ms: 100, value: [{ $ref: "a.output" }, { $ref: "b.output" }] } },
    ];
    expect(await json(gateway.post("/v1/plans/preview", { goal: "g", plan: { steps } }))).toMatchObject({
      steps: [{ id: "a" }, { id: "b" }, { id: "c" }],
      criticalPath: { stepIds: ["a", "c"], durationMs: 400 },
      modelCalls: 0,
      strategy: "submitted",
    });
    expect(await json(gateway.post("/v1/plans/preview", { goal: "g", strategy: "code" }))).toMatchObject({
      status: 422,
      code: "data_required",
      issues: [{ field: "data" }],
    });
    const written = {
      steps: [
        { id: "a", tool: "model.write", args: { prompt: "x" } },
        { id: "b", tool: "model.write", args: { prompt: "y" } },
      ],
    };
    expect(await json(gateway.post("/v1/plans/preview", { goal: "g", plan: written }))).toMatchObject({
      criticalPath: { durationMs: null },
      modelCalls: 3,
    });
    expect((await gateway.post("/v1/plans/preview", { goal: "g", plan: { steps: [] } })).status).toBe(422);
    expect(await system.stored()).toBe(before);
  });

  it("of a goal is requested from a planner, and refused when there is none", async () => {
    const none = await gateway.post("/v1/plans/preview", { goal: "g" });
    expect([none.status, await none.json()]).toMatchObject([503, { code: "no_planner" }]);
    const usage = { modelCalls: 1, inputTokens: 10, outputTokens: 5, costUsd: null };
    const replies: unknown[] = [
      { plan: TWO_STEPS.plan, issues: [], usage, strategy: "parallel", strategyReason: "tools" },
      { plan: null, issues: [{ code: "unknown_tool", stepId: "s1", field: "tool", message: "no" }], usage },
      { plan: null, issues: [], usage, error: { code: "model_failed", message: "no reply" } },
    ];
    const asked: unknown[] = [];
    const subscription = system.bus.connection.subscribe("rpc.plan.preview", {
      callback(_error, message) {
        asked.push(message.json());
        message.respond(JSON.stringify(replies.shift()));
      },
    });
    await system.bus.connection.flush();
    const body = { goal: "g", constraints: ["be quick"], tools: ["flow.echo"] };
    expect(await json(gateway.post("/v1/plans/preview", body))).toMatchObject({
      steps: [{ id: "a" }, { id: "b" }],
      criticalPath: { stepIds: ["a", "b"] },
      strategy: "parallel",
      usage,
    });
    expect(asked[0]).toMatchObject({
      goal: "g",
      strategy: "auto",
      constraints: ["be quick"],
      tools: ["flow.echo"],
    });
    expect(await json(gateway.post("/v1/plans/preview", body))).toMatchObject({
      status: 422,
      code: "invalid_plan",
      issues: [{ stepId: "s1" }],
    });
    expect(await json(gateway.post("/v1/plans/preview", body))).toMatchObject({
      status: 502,
      code: "model_failed",
    });
    subscription.unsubscribe();
  });

  it("check names every fault of a plan", async () => {
    expect(await json(gateway.post("/v1/plans/check", { plan: TWO_STEPS.plan }))).toEqual({
      valid: true,
      issues: [],
    });
    const faulty = {
      steps: [
        { id: "a", tool: "x.y" },
        { id: "a", tool: "flow.echo", args: {} },
      ],
    };
    const { valid, issues } = await json(gateway.post("/v1/plans/check", { plan: faulty }));
    expect(valid).toBe(false);
    expect(issues).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: "tool", code: "unknown_tool" })]),
    );
    expect((await gateway.post("/v1/plans/check", {})).status).toBe(400);
  });
});

describe("data sources", () => {
  const upload = (name: string, body: string | Uint8Array<ArrayBuffer>, type = "text/csv") =>
    fetch(`${gateway.url}/v1/data?name=${name}`, { method: "POST", body, headers: { "content-type": type } });

  it("from the sources' folder exist from the start, under names that plans can use", async () => {
    const { sources } = await json(gateway.get("/v1/data"));
    expect(sources).toEqual([
      {
        name: "many",
        kind: "csv",
        origin: "configuration",
        writable: false,
        files: [
          { fileName: "a.csv", bytes: CSV.length },
          { fileName: "b.csv", bytes: CSV.length },
        ],
      },
      {
        name: "Q4_sales",
        kind: "csv",
        origin: "configuration",
        writable: false,
        files: [{ fileName: "Q4 sales.csv", bytes: CSV.length }],
      },
    ]);
  });

  it("can be uploaded, replaced, and then named in a submission", async () => {
    expect((await gateway.post("/v1/plans", { goal: "g", data: ["up"] })).status).toBe(422);
    expect((await upload("up", CSV)).status).toBe(201);
    expect((await upload("up", CSV)).status).toBe(200);
    await gateway.submit({ goal: "g", data: ["up"] });
    expect((await upload("up", `${CSV}West,3\n`)).status).toBe(201);
    const { sources } = (await json(gateway.get("/v1/data"))) as {
      sources: { name: string; files: { bytes: number }[] }[];
    };
    expect(sources.find(({ name }) => name === "up")?.files[0]?.bytes).toBe(CSV.length + 7);
  });

  it("keep every byte of a SQLite file", async () => {
    const file = path.join(system.folder, "made.sqlite");
    using database = new DatabaseSync(file);
    database.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    const bytes = new Uint8Array(database.serialize());
    expect((await upload("made", bytes, "application/vnd.sqlite3")).status).toBe(201);
    const registry = await openRegistry(system.bus, { bucket: BUCKETS.sources, Schema: DataSource, log });
    const made = registry.entries().get("default/made");
    await registry[Symbol.asyncDispose]();
    const { store: owner = DATA_OWNER, files: [stowed] = [] } = made ?? {};
    const stored = await createArtifactStore(system.bus).get(owner, stowed?.artifact ?? "");
    expect(Buffer.from(stored?.content ?? []).equals(bytes)).toBe(true);
  });

  it("from the folder can be copied under another name", async () => {
    expect((await gateway.post("/v1/data", { name: "again", fromConfig: "Q4_sales" })).status).toBe(201);
    const unknown = await gateway.post("/v1/data", { name: "again", fromConfig: "../secrets" });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: "source_not_found" }]);
  });

  it("from an executor's configuration are shown without their location, and no upload takes their name", async () => {
    const registry = await openRegistry(system.bus, { bucket: BUCKETS.sources, Schema: DataSource, log });
    const local = { path: "/somewhere/store.db", host: "h", config: "/somewhere/sources.json" };
    const rules = { inventory: { insert: false, update: true, delete: true, min: { stock: 0 } } };
    await registry.put("store", { name: "store", kind: "sqlite", files: [], local, writable: true, rules });
    const shown = {
      name: "store",
      kind: "sqlite",
      writable: true,
      rules,
      origin: "configuration",
      files: [],
    };
    await expect.poll(async () => (await json(gateway.get("/v1/data")))["sources"]).toContainEqual(shown);
    expect(JSON.stringify(await json(gateway.get("/v1/data")))).not.toContain("/somewhere");
    const taken = await upload("store", CSV);
    expect([taken.status, await taken.json()]).toMatchObject([409, { code: "source_configured" }]);
    expect((await gateway.post("/v1/data", { name: "store", fromConfig: "store" })).status).toBe(200);
    expect((await gateway.post("/v1/data", { name: "other", fromConfig: "store" })).status).toBe(404);
    await registry[Symbol.asyncDispose]();
  });

  it.each([
    ["an empty file", "bad", "", "text/csv", 422],
    ["a binary file called CSV", "bad", "a\0b", "text/csv", 422],
    ["text called SQLite", "bad", CSV, "application/vnd.sqlite3", 422],
    ["a name that plans cannot use", "1st", CSV, "text/csv", 400],
    ["a file without a name", "", CSV, "text/csv", 400],
    ["what is neither CSV, SQLite nor JSON", "bad", "<xml/>", "text/xml", 415],
  ])("refuse %s", async (_, name, body, type, status) => {
    expect((await upload(name, body, type)).status).toBe(status);
    const { sources } = (await json(gateway.get("/v1/data"))) as { sources: { name: string }[] };
    expect(sources.map((source) => source.name)).not.toContain("bad");
  });

  it("accept larger bodies than plans do", async () => {
    const large = `a\n${"1\n".repeat(4 * 1024 * 1024)}`;
    expect((await upload("large", large)).status).toBe(201);
    const body = JSON.stringify({ goal: "x".repeat(5 * 1024 * 1024) });
    expect((await gateway.post("/v1/plans", body, { "content-type": "text/csv" })).status).toBe(413);
  });
});

describe("the files of a plan", () => {
  it("are listed, and served so that nothing in them can run", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    const artifacts = createArtifactStore(system.bus);
    const put = (name: string, text: string, type: string) =>
      artifacts.put(PlanId.parse(planId), name, Buffer.from(text), type);
    await put("charts/größe 1.svg", "<svg/>", "image/svg+xml");
    await put("page.html", "<script>1</script>", "text/html");
    await put("odd", "x", "text/plain\r\nx-evil: 1".slice(0, 10));
    const { artifacts: listed } = await json(gateway.get(`/v1/plans/${planId}/artifacts`));
    expect(listed).toHaveLength(3);
    const svg = await gateway.get(
      `/v1/plans/${planId}/artifacts/charts/${encodeURIComponent("größe 1.svg")}`,
    );
    expect(await svg.text()).toBe("<svg/>");
    expect(svg.headers.get("content-type")).toBe("image/svg+xml");
    expect(svg.headers.get("content-disposition")).toBe("inline; filename*=UTF-8''gr%C3%B6%C3%9Fe%201.svg");
    expect(svg.headers.get("content-security-policy")).toContain("sandbox");
    expect(svg.headers.get("x-content-type-options")).toBe("nosniff");
    const page = await gateway.get(`/v1/plans/${planId}/artifacts/page.html`);
    expect(page.headers.get("content-disposition")).toContain("attachment");
    const missing = await gateway.get(`/v1/plans/${planId}/artifacts/none`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: "artifact_not_found" }]);
    expect((await gateway.get(`/v1/plans/${planId}/artifacts/${"x".repeat(900)}`)).status).toBe(404);
    expect((await gateway.get(`/v1/plans/${DATA_OWNER}/artifacts`)).status).toBe(404);
  });
});

describe("the system", () => {
  it("names its tools, models and version", async () => {
    const { tools } = (await json(gateway.get("/v1/tools"))) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(await json(gateway.get("/v1/system"))).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      demoModel: false,
      models: { planner: expect.any(String), executor: expect.any(String), reflector: expect.any(String) },
      traces: { to: "embedded" },
    });
    const env = {
      PLANNER_MODEL: "planwright-offline",
      PLANWRIGHT_TRACES: "both",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:secret@127.0.0.1:9/base",
      TRACE_URL: "http://127.0.0.1:16686/trace/{traceId}",
    };
    await using offline = await system.gateway({ folder: "offline", env });
    expect(await json(offline.get("/v1/system"))).toMatchObject({
      demoModel: true,
      traces: { to: "both", endpoint: "127.0.0.1:9", url: env.TRACE_URL },
    });
    await expect(
      system.gateway({ folder: "bad", env: { TRACE_URL: "javascript:x/{traceId}" } }),
    ).rejects.toThrow(/TRACE_URL/);
  });

  it("lists the workers that have announced themselves", async () => {
    const beat = {
      workerId: "w1",
      pool: "default",
      version: "0.1.0",
      inFlight: 2,
      concurrency: 16,
      tools: ["flow.echo"],
      at: "2026-01-01T00:00:00Z",
    };
    const { connection } = system.bus;
    connection.publish(WORKER_BEATS, JSON.stringify(beat));
    const brokenTools = [{ file: "weather.ts", reason: "wanted a tool" }];
    const browser = { ...beat, pool: "browser", agents: ["reader"], agentsDigest: "d", brokenTools };
    connection.publish(WORKER_BEATS, JSON.stringify(browser));
    connection.publish(WORKER_BEATS, "no beat");
    connection.publish(WORKER_BEATS, JSON.stringify({ ...beat, inFlight: 3 }));
    await expect
      .poll(async () => (await json(gateway.get("/v1/workers")))["workers"])
      .toEqual([browser, { ...beat, agents: [], brokenTools: [], inFlight: 3 }]);
  });

  it("lists the queue depths of pools, even of one without a worker", async () => {
    const { manager } = system.bus;
    const consumer = { ack_policy: AckPolicy.Explicit, filter_subject: "work.step.left.>" };
    await manager.consumers.add(STREAMS.work, { ...consumer, durable_name: "pool-left" });
    for (const step of ["a", "b"])
      await jetstream(system.bus.connection).publish(`work.step.left.p.${step}.0.1.0`, "");
    // The pool `default` has a queue from the start.
    const Pools = z.array(z.looseObject({ pool: z.string() }));
    const pools = async () =>
      Pools.parse((await json(gateway.get("/v1/workers")))["pools"]).filter(({ pool }) => pool === "left");
    await expect
      .poll(pools)
      .toEqual([{ pool: "left", queued: 2, delivered: 0, oldestAt: expect.any(String) }]);

    // The age is that of the pool's first undelivered message: other pools' messages and delivered ones do not count.
    await jetstream(system.bus.connection).publish("work.step.other.p.a.0.1.0", "");
    const first = await manager.streams.getMessage(STREAMS.work, {
      last_by_subj: "work.step.left.p.a.0.1.0",
    });
    const second = await manager.streams.getMessage(STREAMS.work, {
      last_by_subj: "work.step.left.p.b.0.1.0",
    });
    expect(await pools()).toMatchObject([{ oldestAt: first?.time.toISOString() }]);
    const seconds = /^planwright_queue_oldest_seconds\{queue="pool-left"\} (?<age>\S+)$/m;
    const text = await (await gateway.get("/metrics")).text();
    const age = Number(seconds.exec(text)?.groups?.["age"]);
    expect(age).toBeGreaterThan(0);
    expect(age).toBeLessThanOrEqual((Date.now() - Number(first?.time)) / 1_000);

    const left = await jetstream(system.bus.connection).consumers.get(STREAMS.work, "pool-left");
    await left.next();
    await expect
      .poll(pools)
      .toEqual([{ pool: "left", queued: 1, delivered: 1, oldestAt: second?.time.toISOString() }]);
    await left.next();
    await expect.poll(pools).toEqual([{ pool: "left", queued: 0, delivered: 2 }]);

    // An autoscaler treats a missing value as a failure.
    expect(await (await gateway.get("/metrics")).text()).toMatch(
      /^planwright_pool_demand\{pool="left"\} 0$/m,
    );
    // Steps that planners hold until a slot is free are waiting too, and workers are scaled by them.
    const heldSince = "2026-01-01T00:00:00.000Z";
    const tenants = [
      { tenant: "acme", inFlight: 2, held: 40 },
      { tenant: "bell", inFlight: 0, held: 1 },
    ];
    const tell = (plannerId: string, more: object) =>
      system.bus.connection.publish(
        WORK_DEMAND,
        JSON.stringify({ plannerId, pools: [{ pool: "left", tenants, ...more }] }),
      );
    tell("p1", { heldSince });
    tell("p2", { tenants: [{ tenant: "acme", inFlight: 1, held: 0 }] });
    tell("p3", { tenants: "none" });
    await expect.poll(pools).toEqual([{ pool: "left", queued: 41, delivered: 2, oldestAt: heldSince }]);
    await expect
      .poll(async () => (await gateway.get("/metrics")).text())
      .toMatch(/^planwright_pool_demand\{pool="left"\} 44$[^]*^planwright_pool_held\{pool="left"\} 41$/m);
    expect(await (await gateway.get("/metrics")).text()).toMatch(
      /^planwright_queue_oldest_seconds\{queue="pool-left"\} 0$/m,
    );
  });

  it("exports metrics for Prometheus", async () => {
    const { planId } = await gateway.submit(TWO_STEPS);
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    await readEvents(await gateway.get(`/v1/plans/${planId}/events`));
    const text = await (await gateway.get("/metrics")).text();
    expect(text).toMatch(/^planwright_plans\{status="succeeded"\} 1$/m);
    expect(text).toMatch(/^planwright_facts_total\{type="step.succeeded"\} 2$/m);
    expect(text).toMatch(/^planwright_tool_attempts_total\{tool="flow.echo",outcome="succeeded"\} 2$/m);
    expect(text).toMatch(/^planwright_tool_seconds_total\{tool="flow.echo"\} 0\.01$/m);
    expect(text).toMatch(/^planwright_log_lag 0$/m);
    expect(text).toMatch(
      /^planwright_http_requests_total\{method="POST",route="\/v1\/plans",status="202"\} \d+$/m,
    );
  });
});

describe("the reference", () => {
  it("lists every route with its schemas", async () => {
    const { paths, openapi, components } = (await json(gateway.get("/openapi.json"))) as {
      openapi: string;
      components: { schemas: Record<string, object> };
      paths: Record<string, Record<string, { requestBody?: object; summary?: string }>>;
    };
    expect(openapi).toBe("3.1.0");
    const calls = Object.entries(paths).flatMap(([at, operations]) =>
      Object.keys(operations).map((method) => `${method} ${at}`),
    );
    expect(calls).toEqual(
      expect.arrayContaining([
        "post /v1/plans",
        "get /v1/plans",
        "get /v1/plans/{planId}",
        "get /v1/plans/{planId}/events",
        "post /v1/plans/{planId}/cancel",
        "post /v1/plans/preview",
        "post /v1/plans/check",
        "post /v1/data",
        "get /v1/ws",
      ]),
    );
    for (const operations of Object.values(paths)) {
      for (const operation of Object.values(operations)) expect(operation.summary).toBeTruthy();
    }
    expect(JSON.stringify(paths["/v1/plans"]?.["post"]?.requestBody)).toContain("SubmissionBodyInput");
    expect(components.schemas["SubmissionBodyInput"]).toHaveProperty("properties.maxReplans");
    const page = await (await gateway.get("/docs")).text();
    expect(page).toContain("POST /v1/plans/{planId}/cancel");
    for (const said of ["docs/tutorial.md", "npx planwright doctor", "idempotency_key_reused"])
      expect(page).toContain(said);
    expect(page).not.toMatch(/(?:src|href)="(?!\/)/);
    expect(page).not.toContain("<script");
  });
});

describe("the page", () => {
  it("is sent at / and at the paths that it handles itself, built or not", async () => {
    for (const at of ["/", "/plans/abc"]) {
      const response = await gateway.get(at);
      expect([at, response.status]).toEqual([at, 200]);
      expect(response.headers.get("content-type")).toContain("text/html");
    }
  });

  it("is sent at /metrics to browsers, and the metrics for Prometheus to others", async () => {
    const typeFor = async (accept: string, at = "/metrics") =>
      (await gateway.get(at, { accept })).headers.get("content-type");
    expect(await typeFor("text/html,*/*;q=0.8", "/metrics?range=day")).toContain("text/html");
    expect(await typeFor("text/plain;version=0.0.4")).toContain("text/plain");
    expect(await typeFor("*/*")).toContain("text/plain");
  });

  it.each([
    "/../../package.json",
    "/%2e%2e/%2e%2e/package.json",
    "/..%2f..%2fpackage.json",
    "/assets/none.js",
  ])("does not serve %s", async (at) => {
    expect((await gateway.get(at)).status).toBe(404);
  });
});
