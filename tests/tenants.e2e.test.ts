// Keys open the door, and each opens its own tenant's plans only: their state, facts, files, traces and effects.
import { once } from "node:events";
import { createServer } from "node:net";
import { startServiceProcess, startSystem, type TestSystem } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { connectSocket } from "./support/connect-socket.ts";

const ADA = { authorization: "Bearer key-of-ada" };
const BOB = { authorization: "Bearer key-of-bob" };
const Accepted = z.object({ planId: z.string(), traceId: z.string() });

let system: TestSystem;
/** A plan of Ada's that wrote a file, and has ended. */
let adas: z.infer<typeof Accepted>;

beforeAll(async () => {
  const port = await freePort();
  system = await startSystem({
    env: {
      PORT: port,
      PLANWRIGHT_API_KEYS: "ada:key-of-ada,bob:key-of-bob",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/otlp`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer key-of-ada",
    },
  });
  adas = await submit(ADA, filePlan("adas secret"));
  await eventsOf(ADA, adas.planId);
});
afterAll(async () => {
  await system?.[Symbol.asyncDispose]();
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
    "nothing is told at %s",
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
  it("does not learn that a plan exists, whatever is asked", async () => {
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

  it("is not shown what waits for somebody in it", async () => {
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

  it("is in no log, no view and no fact", async () => {
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
