// Access tokens of an identity provider as credentials: a real provider over HTTP, and slightly invalid tokens.
import { Caller, EventPage } from "@planwright/api";
import { AuditEntry } from "@planwright/plan/audit";
import { createLogger } from "@planwright/shared/service";
import { newKey, startIdentityProvider, type TestIdentityProvider } from "@planwright/testkit";
import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { createServer } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBoundedFetch } from "../src/oidc/bounded-fetch.ts";
import { createIdentityProvider } from "../src/oidc/identity-provider.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { ownPlan } from "./support/own-plan.ts";
import { startSystem, type TestGateway, type TestSystem, TWO_STEPS } from "./support/start-gateway.ts";

let system: TestSystem;
let provider: TestIdentityProvider;
let gateway: TestGateway;

const envOf = ({ issuer, audience }: TestIdentityProvider) => ({
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: audience,
  PLANWRIGHT_API_KEYS: "acme/boss@admin:boss-key",
});

beforeAll(async () => {
  system = await startSystem();
  provider = await startIdentityProvider({ redirectUris: ["http://127.0.0.1:1/auth/callback"] });
  gateway = await system.gateway({ env: envOf(provider) });
});
afterAll(async () => {
  for (const part of [gateway, provider, system]) await part?.[Symbol.asyncDispose]();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const nowS = () => Math.floor(Date.now() / 1_000);
const good = (changed: JWTPayload = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: provider.audience,
  sub: "ann",
  iat: nowS(),
  exp: nowS() + 600,
  planwright_tenant: "acme",
  planwright_role: "operator",
  ...changed,
});
const without = (claim: string): JWTPayload =>
  Object.fromEntries(Object.entries(good()).filter(([name]) => name !== claim));

async function refusal(token: string, at = gateway) {
  const response = await at.get("/v1/plans", bearer(token));
  const { code, detail } = (await response.json()) as { code?: string; detail?: string };
  return { status: response.status, type: response.headers.get("content-type"), code, detail };
}

describe("an access token", () => {
  it("from the provider's token endpoint permits what its role permits, in its tenant", async () => {
    const token = await provider.accessToken({ planwright_tenant: "acme", planwright_role: "submitter" });
    const { planId } = await gateway.submit(TWO_STEPS, bearer(token));
    const view = await (await gateway.get(`/v1/plans/${planId}`, bearer(token))).json();
    expect(view).toMatchObject({ submittedBy: "acme/a-program" });
    expect(await (await gateway.delete(`/v1/plans/${planId}`, bearer(token))).json()).toMatchObject({
      code: "role_required",
      detail: "acme/a-program has the role submitter; deletePlan needs one of operator, admin",
    });
    const stranger = await provider.accessToken({ planwright_tenant: "other", planwright_role: "admin" });
    expect((await gateway.get(`/v1/plans/${planId}`, bearer(stranger))).status).toBe(404);
  });

  it("reports its user and what the role permits", async () => {
    const token = await provider.sign(good({ name: "Ann Example", planwright_role: "approver" }));
    const me = Caller.parse(await (await gateway.get("/v1/me", bearer(token))).json());
    expect(me).toMatchObject({
      tenant: "acme",
      identity: "acme/ann",
      name: "Ann Example",
      role: "approver",
      credential: "token",
      decisions: ["approve", "reject", "answer", "happened", "run-again"],
    });
    expect(me.calls).toContain("decideApproval");
    expect(me.calls).not.toContain("submitPlan");
  });

  it("is recorded in the audit log and in the events of plans as its user", async () => {
    const token = await provider.sign(good({ sub: "auditee" }));
    const { planId } = await gateway.submit({ ...TWO_STEPS, approval: { plan: true } }, bearer(token));
    await ownPlan(system.bus, planId);
    const approved = await gateway.post(
      `/v1/plans/${planId}/approvals/plan-0`,
      { decision: "approve" },
      bearer(token),
    );
    expect(await approved.json()).toMatchObject({ decision: "approve", decidedBy: "acme/auditee" });
    for (const action of ["pause", "resume", "cancel"]) {
      expect((await gateway.post(`/v1/plans/${planId}/${action}`, {}, bearer(token))).status).toBe(202);
    }
    const json = { ...bearer(token), accept: "application/json" };
    const page = await gateway.get(`/v1/plans/${planId}/events`, json);
    const { events } = EventPage.parse(await page.json());
    const by = Object.fromEntries(
      events.map(({ event: { type, data } }) => [type, "by" in data ? data.by : undefined]),
    );
    expect(by).toMatchObject({
      "pause.requested": "acme/auditee",
      "resume.requested": "acme/auditee",
      "cancel.requested": "acme/auditee",
    });
    const lines = (await (await gateway.get("/v1/audit", bearer("boss-key"))).text()).trim().split("\n");
    const entries = lines.map((line) => AuditEntry.parse(JSON.parse(line)));
    const own = entries.filter(({ by }) => by === "acme/auditee").map(({ action, role }) => [action, role]);
    expect(own).toEqual(
      expect.arrayContaining([
        ["submitPlan", "operator"],
        ["decideApproval", "operator"],
      ]),
    );
  });

  it("does not change what keys can do", async () => {
    expect((await gateway.get("/v1/keys", bearer("boss-key"))).status).toBe(200);
    expect(await refusal("no-key")).toMatchObject({ status: 401, detail: "unknown API key" });
  });

  it("ends its WebSocket when it expires", async () => {
    const token = await provider.sign(good({ exp: nowS() + 3 }));
    await using socket = await connectSocket(gateway.url, { headers: bearer(token) });
    expect(await socket.closed()).toBe(1008);
  });
});

// OIDC-1
describe("a token is refused", () => {
  const cases: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    [
      "of another issuer",
      () => provider.sign(good({ iss: "https://other.example" })),
      /claim iss is another/,
    ],
    ["for another audience", () => provider.sign(good({ aud: "another-api" })), /claim aud is another/],
    ["without an audience", () => provider.sign(without("aud")), /no claim aud/],
    ["that has expired", () => provider.sign(good({ exp: nowS() - 60 })), /has expired/],
    ["without an expiry", () => provider.sign(without("exp")), /no claim exp/],
    ["that is not valid yet", () => provider.sign(good({ nbf: nowS() + 300 })), /not valid yet/],
    ["without a signature", async () => new UnsecuredJWT(good()).encode(), /malformed|algorithm/],
    ["signed by HMAC with the public key", () => signedByPublicKey(), /algorithm/],
    [
      "signed by an unknown key",
      async () => provider.sign(good(), { key: await newKey() }),
      /no matching key/,
    ],
    [
      "signed by another key under a known id",
      async () => provider.sign(good(), { key: { ...(await newKey()), kid: kidOfProvider() } }),
      /signature is wrong/,
    ],
    ["that was changed", async () => changed(await provider.sign(good())), /signature is wrong/],
    ["that is a logout token", () => provider.sign(good(), { header: { typ: "logout+jwt" } }), /logout/],
  ];

  // Concurrent: each waits a second for its response, as a wrong key does.
  it.concurrent.each(cases)("%s", async (_, make, reason) => {
    expect(await refusal(await make())).toEqual({
      status: 401,
      type: expect.stringContaining("application/problem+json"),
      code: "unauthorized",
      detail: expect.stringMatching(reason),
    });
  });

  it.each([
    ["without a tenant", () => without("planwright_tenant"), /claim planwright_tenant, .* is missing/],
    ["with a tenant that cannot be one", () => good({ planwright_tenant: "a.b" }), /does not name a tenant/],
    ["without a role", () => without("planwright_role"), /claim planwright_role, .* is missing/],
    ["with an unknown role", () => good({ planwright_role: "root" }), /none of the values viewer, submitter/],
    ["without a subject", () => without("sub"), /claim sub, which identifies the user, is missing/],
  ])("%s: its user is assigned nothing", async (_, claims, reason) => {
    expect(await refusal(await provider.sign(claims()))).toMatchObject({
      status: 403,
      code: "not_assigned",
      detail: expect.stringMatching(reason),
    });
  });

  const kidOfProvider = () => provider.publicKeys()[0]?.kid ?? "";

  async function signedByPublicKey(): Promise<string> {
    const [key] = provider.publicKeys();
    if (key === undefined) throw new Error("the provider has no key");
    const pem = await exportSPKI((await importJWK({ ...key, ext: true }, "RS256")) as CryptoKey);
    const header = { alg: "HS256", kid: kidOfProvider() };
    return new SignJWT(good()).setProtectedHeader(header).sign(Buffer.from(pem));
  }

  function changed(token: string): string {
    const [header, payload = "", signature] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const raised = Buffer.from(JSON.stringify({ ...claims, planwright_role: "admin" })).toString("base64url");
    return [header, raised, signature].join(".");
  }
});

it("groups become roles where the settings map them, and other groups grant nothing", async () => {
  const env = {
    ...envOf(provider),
    OIDC_TENANT: "solo",
    OIDC_ROLE_CLAIM: "realm_access.roles",
    OIDC_ROLES: "planners=submitter,leads=approver,everyone=viewer",
    OIDC_IDENTITY_CLAIM: "email",
  };
  await using grouped = await system.gateway({ env, folder: "grouped" });
  const tokenOf = (roles: string[], more: JWTPayload = {}) =>
    provider.sign(good({ email: "ann@example.com", realm_access: { roles }, ...more }));
  const meOf = async (token: string) => (await grouped.get("/v1/me", bearer(token))).json();
  expect(await meOf(await tokenOf(["offline_access", "everyone", "leads"]))).toMatchObject({
    tenant: "solo",
    identity: "solo/ann@example.com",
    role: "approver",
  });
  expect(await refusal(await tokenOf(["planners", "leads"]), grouped)).toMatchObject({
    code: "not_assigned",
    detail: expect.stringContaining("the roles submitter and approver"),
  });
  expect(await refusal(await tokenOf(["admin"]), grouped)).toMatchObject({ code: "not_assigned" });
  expect(await refusal(await tokenOf(["leads"], { email_verified: false }), grouped)).toMatchObject({
    code: "not_assigned",
    detail: expect.stringContaining("not verified"),
  });
});

// OIDC-2, OIDC-3
describe("the keys of the provider", () => {
  it("are read again when they are replaced, and tokens of the old ones are then refused", async () => {
    await using own = await startIdentityProvider({ redirectUris: ["http://127.0.0.1:1/auth/callback"] });
    await using rotated = await system.gateway({ env: envOf(own), folder: "rotated" });
    const sign = () => own.sign({ ...good(), iss: own.issuer });
    const before = await sign();
    expect((await rotated.get("/v1/plans", bearer(before))).status).toBe(200);
    await own.rotate();
    const after = await sign();
    const statusOf = async (token: string) => (await rotated.get("/v1/plans", bearer(token))).status;
    await expect.poll(() => statusOf(after), { timeout: 30_000 }).toBe(200);
    expect(await statusOf(before)).toBe(401);
  });

  it("continue to work while the provider is down, and other tokens are refused as unavailable", async () => {
    await using own = await startIdentityProvider({ redirectUris: ["http://127.0.0.1:1/auth/callback"] });
    await using cut = await system.gateway({ env: envOf(own), folder: "cut" });
    const token = await own.sign({ ...good(), iss: own.issuer });
    expect((await cut.get("/v1/plans", bearer(token))).status).toBe(200);
    await own.stop();
    expect((await cut.get("/v1/plans", bearer(token))).status).toBe(200);
    const unknown = await own.sign({ ...good(), iss: own.issuer }, { key: await newKey() });
    await expect
      .poll(async () => (await refusal(unknown, cut)).code, { timeout: 30_000 })
      .toBe("unavailable");
    expect((await cut.get("/v1/plans", bearer("boss-key"))).status).toBe(200);
  });

  it("are read once the provider responds, if it was down at the start", async () => {
    await using own = await startIdentityProvider({ redirectUris: ["http://127.0.0.1:1/auth/callback"] });
    await own.stop();
    await using early = await system.gateway({ env: envOf(own), folder: "early" });
    const token = await own.sign({ ...good(), iss: own.issuer });
    expect(await refusal(token, early)).toMatchObject({
      status: 503,
      code: "unavailable",
      detail: expect.stringContaining(own.issuer),
    });
    expect((await early.get("/v1/plans", bearer("boss-key"))).status).toBe(200);
    await own.start();
    await expect
      .poll(async () => (await early.get("/v1/plans", bearer(token))).status, { timeout: 30_000 })
      .toBe(200);
  });

  it("are not waited for indefinitely, and an outage is logged once", async () => {
    await using silent = await listenSilently();
    const lines: string[] = [];
    const log = createLogger({ name: "test" }, { write: (line) => void lines.push(line) });
    const limit = new AbortController();
    const hanging = createIdentityProvider({
      issuer: silent.url,
      clockToleranceMs: 0,
      fetch: createBoundedFetch({ fetch, stopping: limit.signal }),
      now: () => new Date(),
      monotonicMs: () => performance.now(),
      log,
    });
    const all = Array.from({ length: 50 }, () => hanging.metadata());
    const codes = (await Promise.allSettled(all)).map((one) => one.status === "rejected" && one.reason.code);
    expect(new Set(codes)).toEqual(new Set(["unavailable"]));
    expect(silent.asked()).toBe(1);
    await expect(hanging.metadata()).rejects.toMatchObject({ code: "unavailable" });
    expect(silent.asked()).toBe(1);
    expect(lines.filter((line) => line.includes("does not answer"))).toHaveLength(1);
  });

  async function listenSilently() {
    let requests = 0;
    const server = createServer(() => void (requests += 1)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return {
      url: `http://127.0.0.1:${port}`,
      asked: () => requests,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      },
    };
  }
});
