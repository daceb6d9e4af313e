// The client can call every endpoint of the contract, and its requests match the contract's schemas.
import {
  type Endpoint,
  ENDPOINTS,
  EXAMPLE_PLAN_ID,
  SOCKET_KEY_PREFIX,
  SOCKET_PROTOCOL,
  VERSION_HEADER,
} from "@planwright/api";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type EndpointId, Planwright, ROUTES, VERSION } from "./index.ts";
import { VERSION_HEADER as CLIENT_VERSION_HEADER } from "./http/replies.ts";
import { protocolsFor } from "./live/messages.ts";
import { sendJson, startServer } from "./testing/start-server.ts";

const id = EXAMPLE_PLAN_ID;
const CALLS: Readonly<Record<Exclude<EndpointId, "openSocket">, (client: Planwright) => Promise<unknown>>> = {
  submitPlan: ({ plans }) => plans.submit({ goal: "Total sales", budget: { usd: 1 } }),
  listPlans: ({ plans }) => plans.list({ status: "open", q: "sales", parent: id, limit: 5 }).firstPage(),
  countPlans: ({ plans }) => plans.count(["", "status=failed"]),
  getPlan: ({ plans }) => plans.get(id, { seq: 3 }),
  getEvents: ({ plans }) => plans.eventPage(id, { after: 2, limit: 10 }),
  cancelPlan: ({ plans }) => plans.cancel(id, { reason: "enough" }),
  pausePlan: ({ plans }) => plans.pause(id, { reason: "wait" }),
  resumePlan: ({ plans }) => plans.resume(id),
  deletePlan: ({ plans }) => plans.delete(id),
  rerunPlan: ({ plans }) => plans.rerun(id, { edits: { plan: null } }),
  getSubmission: ({ plans }) => plans.submission(id),
  forkPlan: ({ plans }) => plans.fork(id, { fromStep: "answer", edits: { value: 1 } }),
  ratePlan: ({ plans }) => plans.rate(id, { rating: 5, comment: "right" }),
  previewPlan: ({ plans }) => plans.preview({ goal: "Total sales" }),
  checkPlan: ({ plans }) => plans.check({ steps: [] }),
  getContinuity: ({ plans }) => plans.continuity(id),
  listArtifacts: ({ plans }) => plans.artifacts.list(id),
  getArtifact: ({ plans }) => plans.artifacts.get(id, "charts/a b?.svg"),
  listApprovals: ({ plans }) => plans.approvals.list({ limit: 5 }),
  decideApproval: ({ plans }) => plans.approvals.approve(id, "mail/1", { edits: { to: "a@b.c" }, by: "Ada" }),
  listSources: ({ data }) => data.list(),
  addSource: ({ data }) => data.add({ name: "sales", fromConfig: "sales" }),
  deleteSource: ({ data }) => data.delete("sales"),
  listDeadLetters: ({ deadLetters }) => deadLetters.list({ planId: id, limit: 5 }).firstPage(),
  getDeadLetter: ({ deadLetters }) => deadLetters.get("17"),
  retryDeadLetter: ({ deadLetters }) => deadLetters.retry("17"),
  retryDeadLetters: ({ deadLetters }) => deadLetters.retryMany({ group: "g" }),
  discardDeadLetter: ({ deadLetters }) => deadLetters.discard("17"),
  discardDeadLetters: ({ deadLetters }) => deadLetters.discardMany({ all: true }),
  listKeys: ({ keys }) => keys.list(),
  createKey: ({ keys }) => keys.create({ name: "ann", role: "approver", expiresAt: "2027-01-31T00:00:00Z" }),
  revokeKey: ({ keys }) => keys.revoke("1f2e3d4c5b6a"),
  endSessions: ({ session }) => session.endAllOf("ann@example.com"),
  exportAudit: ({ audit }) => audit.text({ after: 2 }),
  getMe: ({ session }) => session.get(),
  getSignInOptions: ({ session }) => session.signInOptions(),
  signOut: ({ session }) => session.signOut(),
  getTrace: ({ plans }) => plans.trace(id),
  receiveTraces: ({ traces }) => traces.send({ resourceSpans: [] }),
  listTools: ({ tools }) => tools.list(),
  listWorkers: ({ workers }) => workers.list(),
  listQuotas: ({ quotas }) => quotas.list(),
  getSystem: ({ system }) => system.get(),
  checkModels: ({ system }) => system.checkModels(),
  getMetrics: ({ metrics }) =>
    metrics.get({ from: new Date(0), period: "auto", compare: "previous", strategy: "code" }),
  getPrometheusMetrics: ({ metrics }) => metrics.prometheus(),
  getHealth: ({ system }) => system.health(),
  getReadiness: ({ system }) => system.ready(),
  callMcp: ({ mcp }) => mcp.call({ jsonrpc: "2.0", id: 1, method: "ping" }),
  getOpenApi: ({ system }) => system.openApi(),
  getReference: ({ system }) => system.reference(),
};

describe("the client", () => {
  it("knows the method and path of exactly the contract's endpoints", () => {
    const described = ENDPOINTS.map(({ id: name, method, path }) => [name, `${method} ${path}`]);
    expect(ROUTES).toEqual(Object.fromEntries(described));
  });

  it.each(ENDPOINTS.filter(({ id: name }) => name !== "openSocket"))(
    "sends $id as its schemas define it",
    async (endpoint) => {
      await using server = await startServer((response) =>
        sendJson(response, endpoint.example?.response ?? { checks: [], artifacts: [] }),
      );
      await CALLS[endpoint.id as keyof typeof CALLS](new Planwright({ baseUrl: `${server.baseUrl}/` }));
      expect(server.received).toHaveLength(1);
      const [sent] = server.received;
      if (sent === undefined) throw new Error("nothing was sent");
      const pattern = endpoint.path
        .replaceAll(".", "\\.")
        .replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")
        .replace("*", "(?<rest>.+)");
      expect(sent.method).toBe(endpoint.method);
      const path = new RegExp(`^${pattern}$`).exec(sent.url.pathname);
      expect(path).not.toBeNull();
      const { rest, ...params } = path?.groups ?? {};
      expect(
        endpoint.params?.safeParse(rest === undefined ? params : { ...params, "*": rest }).error,
      ).toBeUndefined();
      expect(endpoint.query?.safeParse(queryOf(sent.url.searchParams)).error).toBeUndefined();
      expect(endpoint.headers?.safeParse(sent.headers).error).toBeUndefined();
      expect(faultsOfBody(endpoint, sent.body)).toEqual([]);
    },
  );

  it("encodes ids and file names so that they stay within their path segment", async () => {
    await using server = await startServer((response) => sendJson(response, {}));
    const client = new Planwright({ baseUrl: `${server.baseUrl}/under/` });
    await client.plans.get("../system?x#y");
    await client.plans.artifacts.get("p1", "charts/a b?.svg");
    expect(server.received.map(({ url }) => url.href.replace(url.origin, ""))).toEqual([
      "/under/v1/plans/..%2Fsystem%3Fx%23y",
      "/under/v1/plans/p1/artifacts/charts/a%20b%3F.svg",
    ]);
    expect(client.plans.artifacts.url("p1", "a b")).toBe(
      `${server.baseUrl}/under/v1/plans/p1/artifacts/a%20b`,
    );
    await expect(client.plans.get("")).rejects.toThrow(/planId/);
    await expect(client.plans.artifacts.get("p1", "charts/../../x")).rejects.toThrow(
      /cannot be part of a path/,
    );
  });

  it("has the version of its package and the names from the contract", async () => {
    const manifest: unknown = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
    expect(manifest).toMatchObject({ version: VERSION });
    expect(CLIENT_VERSION_HEADER).toBe(VERSION_HEADER);
    const [protocol, carrier] = protocolsFor("key");
    expect([protocol, carrier]).toEqual([SOCKET_PROTOCOL, `${SOCKET_KEY_PREFIX}a2V5`]);
  });

  it.each([
    [{ baseUrl: "localhost:8080" }, /baseUrl: wanted a URL such as http:/],
    [{ baseUrl: "http://key@host" }, /give a key as apiKey/],
    [{ timeoutMs: 0 }, /timeoutMs: wanted milliseconds/],
    [{ maxRetries: -1 }, /maxRetries: wanted a whole number/],
  ])("refuses invalid options: %o", (options, message) => {
    expect(() => new Planwright(options)).toThrow(message);
  });
});

function faultsOfBody({ body, bodyMedia }: Endpoint, text: string): unknown[] {
  if (body === undefined) return bodyMedia === undefined && text !== "" ? ["wanted no body"] : [];
  return body.safeParse(JSON.parse(text)).error?.issues ?? [];
}

/** As the gateway parses it: a repeated name becomes a list. */
function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const all = search.getAll(name);
      return [name, all.length === 1 ? (all[0] ?? "") : all];
    }),
  );
}
