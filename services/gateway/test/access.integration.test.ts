// Every route, message and tool of the contract × every role × the own and another tenant. Generated from packages/api: additions
// are tested automatically, and a missing rule fails.
import {
  accessOf,
  type ClientMessage,
  type Endpoint,
  ENDPOINTS,
  MCP_ACCESS,
  MESSAGE_ACCESS,
} from "@planwright/api";
import {
  ApprovalDecision,
  hasPermission,
  type Permission,
  permissionToDecide,
  type Role,
  ROLES,
} from "@planwright/plan";
import { startIdentityProvider, type TestIdentityProvider } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answered,
  createSubject,
  prepare,
  requestFor,
  SECRET,
  type Subject,
} from "./support/access-subject.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { startSystem, type TestGateway, type TestSystem } from "./support/start-gateway.ts";

type Who = { readonly tenant: "acme" | "other"; readonly role: Role; readonly key: string };

const KEYS: readonly Who[] = (["acme", "other"] as const).flatMap((tenant) =>
  ROLES.map((role) => ({ tenant, role, key: `${tenant}-${role}-key` })),
);
/** A key without a role, from before roles existed. */
const OLD_KEY: Who = { tenant: "acme", role: "operator", key: "acme-old-key" };
const ALL = [...KEYS, OLD_KEY];
/** Users of an identity provider, whose tokens exist once it runs. */
const USERS = [
  { tenant: "acme", role: "approver" },
  { tenant: "acme", role: "viewer" },
  { tenant: "other", role: "operator" },
] as const;
const ENTRIES = [
  ...KEYS.map(({ tenant, role, key }) => `${tenant}/${role}@${role}:${key}`),
  `acme/old:${OLD_KEY.key}`,
];
/** Not found: the plan, source or dead letter itself, not a part of it. */
const STRANGERS_404 = /^(?:plan|source|dead_letter|key)_not_found$/;

/** These refer to an object of the caller's own tenant; other tenants may have one with the same name. */
const OF_OWN_TENANT: ReadonlySet<string> = new Set(["endSessions"]);

let system: TestSystem;
let gateway: TestGateway;
let subject: Subject;
let provider: TestIdentityProvider;

beforeAll(async () => {
  system = await startSystem();
  provider = await startIdentityProvider({ redirectUris: ["http://127.0.0.1:1/auth/callback"] });
  const { issuer: iss, audience: aud } = provider;
  gateway = await system.gateway({
    env: { PLANWRIGHT_API_KEYS: ENTRIES.join(","), OIDC_ISSUER: iss, OIDC_AUDIENCE: aud },
  });
  for (const { tenant, role } of USERS) {
    const claims = { iss, aud, sub: role, planwright_tenant: tenant, planwright_role: role };
    const key = await provider.sign({ ...claims, exp: Math.floor(Date.now() / 1_000) + 3_600 });
    ALL.push({ tenant, role, key });
  }
  subject = await createSubject(system, gateway, bearer("acme-admin-key"));
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const labelOf = ({ tenant, role, key }: Who) => `${tenant} ${key.includes(".") ? `token of ${role}` : key}`;

/** The expected response, according to the table alone. */
function verdictOf({ tenant, role }: Who, permission: Permission, namesSomething: boolean): string {
  if (!hasPermission(role, permission)) return "refused by role";
  return tenant === "other" && namesSomething ? "not found" : "let in";
}

function verdictIn(code: string): string {
  if (code === "role_required") return "refused by role";
  if (code === "unauthorized") return "refused without a key";
  return STRANGERS_404.test(code) ? "not found" : "let in";
}

describe("the route", () => {
  const ROUTES = ENDPOINTS.flatMap((endpoint) =>
    [endpoint.path, ...(endpoint.oldPaths ?? [])].map((path) => ({ ...endpoint, path })),
  );

  const ask = async (endpoint: Endpoint, headers: Record<string, string>) => {
    const { planId } = subject;
    const made = await prepare(endpoint, system, { gateway, planId, headers: bearer("acme-admin-key") });
    const { url, init } = requestFor(endpoint, endpoint.path, { ...subject, ...made });
    return answered(gateway.url + url, { ...init, headers: { ...init.headers, ...headers } });
  };

  it.each(ROUTES)("$method $path needs a key, unless the table marks it as public", async (endpoint) => {
    const { code } = await ask(endpoint, {});
    const expected = accessOf(endpoint) === "public" ? "let in" : "refused without a key";
    expect(verdictIn(code)).toBe(expected);
  });

  const GUARDED = ROUTES.flatMap((endpoint) => {
    const access = accessOf(endpoint);
    return access === "public" ? [] : [{ endpoint, access, method: endpoint.method, path: endpoint.path }];
  });

  it.each(GUARDED)(
    "$method $path admits exactly those whom the table names",
    async ({ endpoint, access }) => {
      for (const who of ALL) {
        const { code, text } = await ask(endpoint, bearer(who.key));
        const shown = {
          code,
          verdict: verdictIn(code),
          leaks: who.tenant === "other" && text.includes(SECRET),
        };
        const verdict = verdictOf(
          who,
          access,
          endpoint.params !== undefined && !OF_OWN_TENANT.has(endpoint.id),
        );
        expect([labelOf(who), shown]).toEqual([labelOf(who), { code, verdict, leaks: false }]);
      }
    },
  );

  it("GET /v1/plans/:planId/events streams to callers that may read the plan, and to no other tenant", async () => {
    for (const who of ALL) {
      const headers = { ...bearer(who.key), accept: "text/event-stream" };
      const { code, text } = await answered(`${gateway.url}/v1/plans/${subject.planId}/events`, { headers });
      expect([labelOf(who), code, text.includes(SECRET)]).toEqual(
        who.tenant === "acme" ? [labelOf(who), "200", true] : [labelOf(who), "plan_not_found", false],
      );
    }
  });

  it.each(ApprovalDecision.options)(
    "accepts the decision %s from callers whose role permits it",
    async (decision) => {
      const { planId, approvalId } = await createSubject(system, gateway, bearer("acme-admin-key"));
      for (const who of ALL) {
        const response = await gateway.post(
          `/v1/plans/${planId}/approvals/${approvalId}`,
          { decision },
          bearer(who.key),
        );
        const { code = "decided" } = (await response.json()) as { code?: string };
        expect([labelOf(who), code, verdictIn(code)]).toEqual([
          labelOf(who),
          code,
          verdictOf(who, permissionToDecide(decision), true),
        ]);
      }
    },
  );

  it("refuses with the role that the key has and the roles that are needed", async () => {
    const response = await gateway.delete(`/v1/plans/${subject.planId}`, bearer("acme-viewer-key"));
    expect([response.status, await response.json()]).toMatchObject([
      403,
      {
        code: "role_required",
        detail: "acme/viewer has the role viewer; deletePlan needs one of operator, admin",
      },
    ]);
  });
});

describe("the WebSocket", () => {
  const OF_THE_LIST = ["watch-plans", "unwatch-plans"];
  const messageOf = (type: string, id: number): object => ({
    id,
    type,
    ...(type === "submit" ? { body: { goal: "g" } } : {}),
    ...(type === "submit" || OF_THE_LIST.includes(type) ? {} : { planId: subject.planId }),
    ...(["approve", "reject", "answer"].includes(type) ? { approvalId: "none" } : {}),
    ...(type === "answer" ? { answer: 1 } : {}),
  });

  it.each(Object.keys(MESSAGE_ACCESS))("accepts %s from exactly those whom the table names", async (type) => {
    const permission = MESSAGE_ACCESS[type as ClientMessage["type"]];
    const namesSomething = !["submit", "unwatch", ...OF_THE_LIST].includes(type);
    for (const who of ALL) {
      await using socket = await connectSocket(gateway.url, { headers: bearer(who.key) });
      socket.say(messageOf(type, 1));
      const { code = "ok" } = await socket.hear(({ id }) => id === 1);
      expect([labelOf(who), code, verdictIn(String(code))]).toEqual([
        labelOf(who),
        code,
        verdictOf(who, permission, namesSomething),
      ]);
    }
  });
});

describe("the MCP server", () => {
  it("offers the tools of the table", async () => {
    await using mcp = await connectMcp(gateway.url, "acme-admin-key");
    expect((await mcp.tools()).sort()).toEqual(Object.keys(MCP_ACCESS).sort());
  });

  it.each(Object.entries(MCP_ACCESS))(
    "lets exactly those whom the table names use %s",
    async (tool, permission) => {
      const args = ["plan_submit", "plan_preview"].includes(tool)
        ? { goal: "g", plan: { steps: [{ id: "a", tool: "flow.echo", args: { value: 1 } }] } }
        : { planId: subject.planId, ...(tool === "plan_wait" ? { timeoutSeconds: 0 } : {}) };
      const decision = tool === "plan_approve" ? { approvalId: "none", decision: "reject" } : {};
      for (const who of ALL) {
        await using mcp = await connectMcp(gateway.url, who.key);
        const code = await mcp.call(tool, { ...args, ...decision }).then(
          () => "ok",
          (error: Error) => error.message.split(":")[0] ?? "",
        );
        expect([labelOf(who), code, verdictIn(code)]).toEqual([
          labelOf(who),
          code,
          verdictOf(who, permission, "planId" in args),
        ]);
      }
    },
  );
});
