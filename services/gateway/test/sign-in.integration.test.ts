// Signing in to the page with an identity provider: the code flow over HTTP, sessions across gateways, and attacks.
import { randomBytes } from "node:crypto";
import { Caller, SignedOut, SignInOptions } from "@planwright/api";
import { AuditEntry } from "@planwright/plan/audit";
import { freePort } from "@planwright/launcher";
import { startIdentityProvider, type TestIdentityProvider } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEndedSessions } from "../src/oidc/ended-sessions.ts";
import { createEnds, createSessions } from "../src/oidc/open-sign-in.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { openTestBrowser, signInAs } from "./support/sign-in-as.ts";
import { log, startSystem, type TestGateway, type TestSystem, TWO_STEPS } from "./support/start-gateway.ts";

const SECRET = "a-secret-that-all-gateways-share-1234";
const ANN = { sub: "ann", name: "Ann Example", planwright_tenant: "acme", planwright_role: "operator" };
const ZOE = { ...ANN, sub: "zoe" };
const EVE = { sub: "eve", planwright_tenant: "acme", planwright_role: "viewer" };

let system: TestSystem;
let provider: TestIdentityProvider;
let gateway: TestGateway;
let port: number;
let env: Record<string, string>;

beforeAll(async () => {
  system = await startSystem();
  port = await freePort("127.0.0.1");
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startIdentityProvider({ redirectUris: [`${publicUrl}/auth/callback`] });
  env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_SESSION_SECRET: SECRET,
    PLANWRIGHT_PUBLIC_URL: publicUrl,
    PLANWRIGHT_API_KEYS: "acme/boss@admin:boss-key",
  };
  gateway = await system.gateway({ env: { ...env, PORT: String(port) } });
});
afterAll(async () => {
  for (const part of [gateway, provider, system]) await part?.[Symbol.asyncDispose]();
});

const own = (next: string) =>
  new URL(next).origin === gateway.url && !new URL(next).pathname.startsWith("/auth/");
const signIn = (user: typeof ANN | typeof EVE = ANN) => signInAs(user, { gatewayUrl: gateway.url, provider });
const codeIn = async (response: Response) => ((await response.json()) as { code?: string }).code;

describe("a user", () => {
  it("signs in, is known by every call, and signs out", async () => {
    const browser = await signIn();
    const me = Caller.parse(await (await browser.ask(`${gateway.url}/v1/me`)).json());
    expect(me).toMatchObject({
      tenant: "acme",
      identity: "acme/ann",
      name: "Ann Example",
      role: "operator",
      credential: "session",
    });
    const headers = { origin: gateway.url, "content-type": "application/json" };
    const submitted = await browser.ask(`${gateway.url}/v1/plans`, {
      method: "POST",
      headers,
      body: JSON.stringify(TWO_STEPS),
    });
    const { planId } = (await submitted.json()) as { planId: string };
    const view = await (await browser.ask(`${gateway.url}/v1/plans/${planId}`)).json();
    expect(view).toMatchObject({ submittedBy: "acme/ann" });

    const signedOut = await browser.ask(`${gateway.url}/auth/logout`, {
      method: "POST",
      headers: { origin: gateway.url },
    });
    const { url = "" } = SignedOut.parse(await signedOut.json());
    expect(new URL(url).origin).toBe(provider.issuer);
    expect((await fetch(url)).status).toBe(200);
    expect(browser.cookie()).toBe("");
    expect((await browser.ask(`${gateway.url}/v1/me`)).status).toBe(401);
  });

  it("is recorded in the audit log when signing in and out", async () => {
    const browser = await signIn(EVE);
    const logout = (origin: string) =>
      browser.ask(`${gateway.url}/auth/logout`, { method: "POST", headers: { origin } });
    expect((await logout("https://evil.example")).status).toBe(403);
    expect((await logout(gateway.url)).status).toBe(200);
    const log = await gateway.get("/v1/audit", { authorization: "Bearer boss-key" });
    const entries = (await log.text())
      .trim()
      .split("\n")
      .map((line) => AuditEntry.parse(JSON.parse(line)));
    const own = entries
      .filter(({ by }) => by === "acme/eve")
      .map(({ role, action, outcome }) => [role, action, outcome]);
    expect(own).toEqual([
      ["viewer", "signIn", "done"],
      ["viewer", "signOut", "done"],
    ]);
  });

  it("is refused calls that the role does not permit", async () => {
    const browser = await signIn(EVE);
    const headers = { origin: gateway.url, "content-type": "application/json" };
    const refused = await browser.ask(`${gateway.url}/v1/plans`, { method: "POST", headers, body: "{}" });
    expect([refused.status, await codeIn(refused)]).toEqual([403, "role_required"]);
  });

  it("is shown the reason when the provider assigns nothing or declines", async () => {
    const lost = { sub: "lost", planwright_tenant: "acme", planwright_role: "boss" };
    for (const [user, reason] of [
      [lost, "has none of the values viewer, submitter"],
      [undefined, "access_denied, the user declined"],
    ] as const) {
      provider.user = user;
      const browser = openTestBrowser(gateway.url);
      const { response } = await browser.follow(`${gateway.url}/auth/login`, own);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain(reason);
      expect(browser.cookie()).not.toContain("session");
    }
  });

  it("signs in even if only the UserInfo response contains the claims", async () => {
    const ownPort = await freePort("127.0.0.1");
    const publicUrl = `http://127.0.0.1:${ownPort}`;
    const redirectUris = [`${publicUrl}/auth/callback`];
    await using other = await startIdentityProvider({ redirectUris, claimsInIdToken: false });
    const changed = { OIDC_ISSUER: other.issuer, PLANWRIGHT_PUBLIC_URL: publicUrl, PORT: String(ownPort) };
    await using second = await system.gateway({ env: { ...env, ...changed }, folder: "userinfo" });
    const browser = await signInAs(ANN, { gatewayUrl: second.url, provider: other });
    expect(await (await browser.ask(`${second.url}/v1/me`)).json()).toMatchObject({ identity: "acme/ann" });
  });
});

describe("a shared link", () => {
  it.each(["/plans/p1?tab=events&step=a#top", "/approvals"])("leads back to %s", async (path) => {
    provider.user = ANN;
    const browser = openTestBrowser(gateway.url);
    const login = `${gateway.url}/auth/login?return=${encodeURIComponent(path)}`;
    expect((await browser.follow(login, own)).url).toBe(gateway.url + path);
  });

  it.each([
    ["another host", "https://evil.example/"],
    ["no scheme", "//evil.example"],
    ["a backslash", "/\\evil.example"],
    ["a tab", "/\t/evil.example"],
    ["a dot and a backslash", "/./\\evil.example"],
    ["dots and two slashes", "/..//evil.example"],
    ["a script", "javascript:alert(1)"],
    ["no slash", "plans/p1"],
    ["the sign-in", "/auth/login"],
    ["the callback", "/auth/callback?code=x"],
    ["3,000 characters", `/${"a".repeat(3_000)}`],
  ])("never leads to another site: a path with %s", async (_, path) => {
    provider.user = ANN;
    const browser = openTestBrowser(gateway.url);
    const login = `${gateway.url}/auth/login?return=${encodeURIComponent(path)}`;
    const isLast = (next: string) =>
      !next.startsWith(provider.issuer) && !next.startsWith(`${gateway.url}/auth/`);
    expect((await browser.follow(login, isLast)).url).toBe(`${gateway.url}/`);
  });
});

describe("a session", () => {
  it("survives a restart, and is valid on another gateway with the same secret", async () => {
    const browser = await signIn();
    const headers = { cookie: browser.cookie() };
    await using same = await system.gateway({ env, folder: "same" });
    expect((await same.get("/v1/me", headers)).status).toBe(200);
    await using renewed = await system.gateway({
      env: { ...env, OIDC_SESSION_SECRET: `${"n".repeat(32)},${SECRET}` },
      folder: "renewed",
    });
    expect((await renewed.get("/v1/me", headers)).status).toBe(200);
  });

  it("can begin on one gateway and be completed by another", async () => {
    provider.user = ANN;
    const browser = openTestBrowser(gateway.url);
    const isCallback = (next: string) => next.startsWith(`${gateway.url}/auth/callback`);
    const { url } = await browser.follow(`${gateway.url}/auth/login?return=/plans/p1`, isCallback);
    await using other = await system.gateway({ env, folder: "other" });
    const completed = await fetch(url.replace(gateway.url, other.url), {
      headers: { cookie: browser.cookie() },
      redirect: "manual",
    });
    expect([completed.status, completed.headers.get("location")]).toEqual([303, "/plans/p1"]);
    expect(completed.headers.getSetCookie().join()).toContain("planwright_session=");
  });

  it("is not accepted with the cookie of another secret, a changed one, or that of an attempt", async () => {
    const browser = await signIn();
    const [name = "", value = ""] = browser.cookie().split("=");
    await using stranger = await system.gateway({
      env: { ...env, OIDC_SESSION_SECRET: "s".repeat(32) },
      folder: "stranger",
    });
    expect((await stranger.get("/v1/me", { cookie: browser.cookie() })).status).toBe(401);
    const flipped = value.slice(0, -3) + (value.at(-3) === "A" ? "B" : "A") + value.slice(-2);
    const attempt = openTestBrowser(gateway.url);
    const begun = await attempt.ask(`${gateway.url}/auth/login`);
    const sealed = /=([^;]+)/.exec(begun.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
    for (const forged of [flipped, sealed, "", "x.y.z"]) {
      expect((await gateway.get("/v1/me", { cookie: `${name}=${forged}` })).status).toBe(401);
    }
  });

  it("has a cookie that scripts and other sites cannot use, and that is Secure behind https", async () => {
    provider.user = ANN;
    const browser = openTestBrowser(gateway.url);
    const { response } = await browser.follow(`${gateway.url}/auth/login`, own);
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith("planwright_session="));
    expect(cookie).toMatch(/; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax$/);
    expect(response.headers.get("cache-control")).toBe("no-store");

    await using secure = await system.gateway({
      env: { ...env, PLANWRIGHT_PUBLIC_URL: "https://planwright.example" },
      folder: "secure",
    });
    const begun = await fetch(`${secure.url}/auth/login`, { redirect: "manual" });
    expect(begun.headers.getSetCookie()[0]).toMatch(/^__Secure-.*; HttpOnly; SameSite=Lax; Secure$/);
    const out = await secure.post("/auth/logout", {});
    expect(out.headers.getSetCookie()[0]).toMatch(
      /^__Host-planwright_session=; Path=\/; Max-Age=0; .*; Secure$/,
    );
  });

  it("ends after its lifetime, with its open connections", async () => {
    const lifeMs = 8 * 3_600_000;
    // Started long ago, so that three seconds remain.
    const begunAt = new Date(Date.now() - lifeMs + 3_000);
    using ends = createEnds(() => new Date());
    const monotonicMs = () => performance.now();
    await using ended = await openEndedSessions(system.bus, {
      sessionLifeMs: lifeMs,
      now: () => new Date(),
      monotonicMs,
      log,
    });
    const sessions = createSessions(
      {
        clientId: provider.client.id,
        clientSecret: undefined,
        scopes: "openid",
        publicUrl: gateway.url,
        sessionSecrets: [SECRET],
        sessionLifeMs: lifeMs,
      },
      { now: () => begunAt, random: randomBytes, ends, ended },
    );
    const begun = await sessions.begin({ tenant: "acme", identity: "acme/ann", role: "operator" });
    const cookie = begun.slice(0, begun.indexOf(";"));
    expect((await gateway.get("/v1/me", { cookie })).status).toBe(200);
    await using socket = await connectSocket(gateway.url, { headers: { cookie, origin: gateway.url } });
    expect(await socket.closedWith()).toEqual({ code: 1008, reason: expect.stringContaining("expired") });
    expect((await gateway.get("/v1/me", { cookie })).status).toBe(401);
  });

  it("ends on every gateway when its user signs out, with its open connections, while other sessions stay open (SESSIONS-1, SESSIONS-2, SESSIONS-3)", async () => {
    await using twin = await system.gateway({ env, folder: "twin" });
    const [leaving, staying] = [await signIn(), await signIn()];
    const cookie = leaving.cookie();
    const statusOf = async (at: TestGateway, sent = cookie) =>
      (await at.get("/v1/me", { cookie: sent })).status;
    for (const at of [gateway, twin]) expect(await statusOf(at)).toBe(200);
    const opened = { headers: { cookie, origin: gateway.url } };
    await using here = await connectSocket(gateway.url, opened);
    await using there = await connectSocket(twin.url, opened);
    const out = await leaving.ask(`${gateway.url}/auth/logout`, {
      method: "POST",
      headers: { origin: gateway.url },
    });
    expect(out.status).toBe(200);
    expect(await statusOf(gateway)).toBe(401);
    await expect.poll(() => statusOf(twin)).toBe(401);
    const closed = { code: 1008, reason: expect.stringContaining("the session has ended") };
    for (const socket of [here, there]) expect(await socket.closedWith()).toEqual(closed);
    await using late = await system.gateway({ env, folder: "late" });
    expect(await statusOf(late)).toBe(401);
    for (const at of [gateway, twin, late]) expect(await statusOf(at, staying.cookie())).toBe(200);
  });

  it("ends on every gateway when an admin ends those of its user, but not those of other users (SESSIONS-4)", async () => {
    await using twin = await system.gateway({ env, folder: "ends-all" });
    const browsers = [await signIn(ZOE), await signIn(ZOE)];
    const other = await signIn(EVE);
    const statusOf = async (at: TestGateway, { cookie }: { readonly cookie: () => string }) =>
      (await at.get("/v1/me", { cookie: cookie() })).status;
    await using socket = await connectSocket(twin.url, {
      headers: { cookie: browsers[0]?.cookie() ?? "", origin: gateway.url },
    });
    const { identity = "" } = Caller.parse(
      await (await gateway.get("/v1/me", { cookie: browsers[0]?.cookie() ?? "" })).json(),
    );
    const path = `/v1/sessions/${encodeURIComponent(identity.replace("acme/", ""))}`;
    expect((await gateway.delete(path, { cookie: other.cookie(), origin: gateway.url })).status).toBe(403);
    const boss = { authorization: "Bearer boss-key" };
    expect((await gateway.delete(path, boss)).status).toBe(204);
    for (const browser of browsers) {
      expect(await statusOf(gateway, browser)).toBe(401);
      await expect.poll(() => statusOf(twin, browser)).toBe(401);
    }
    expect(await socket.closedWith()).toEqual({
      code: 1008,
      reason: expect.stringContaining("the session has ended"),
    });
    for (const at of [gateway, twin]) expect(await statusOf(at, other)).toBe(200);
    const audit = await (await gateway.get("/v1/audit", boss)).text();
    expect(audit).toMatch(/"action":"endSessions".*"on":\{"user":/);
  });

  it("stays open when it begins some seconds after all of its user's sessions were ended (SESSIONS-4)", async () => {
    let nowMs = Date.now();
    const deps = { now: () => new Date(nowMs), monotonicMs: () => performance.now(), log };
    await using ended = await openEndedSessions(system.bus, { ...deps, sessionLifeMs: 60_000 });
    const begun = (agoMs: number) => ({
      id: `s${agoMs}`,
      identity: "acme/zoe",
      beganAt: new Date(nowMs - agoMs),
      expiresAt: new Date(nowMs - agoMs + 60_000),
    });
    const [old, another] = [begun(59_000), { ...begun(1_000), identity: "acme/zoea" }];
    await ended.endAllOf("acme/zoe");
    expect([ended.has(old), ended.has(begun(0)), ended.has(another)]).toEqual([true, true, false]);
    nowMs += 6_000;
    expect([ended.has(old), ended.has(begun(0))]).toEqual([true, false]);
  });

  it("allows new connections after earlier ones expired, and ends those when it ends", async () => {
    const sessionLifeMs = 7 * 86_400_000;
    const deps = { sessionLifeMs, now: () => new Date(), monotonicMs: () => performance.now(), log };
    await using ended = await openEndedSessions(system.bus, deps);
    const beganAt = new Date();
    const expiresAt = new Date(beganAt.getTime() + sessionLifeMs);
    const session = { id: "long", identity: "acme/ann", beganAt, expiresAt };
    const day = new AbortController();
    const first = ended.signalOf(session, day.signal);
    day.abort();
    expect(first.aborted).toBe(true);
    const second = ended.signalOf(session, new AbortController().signal);
    expect(second.aborted).toBe(false);
    await ended.end(session);
    expect([second.aborted, ended.has(session)]).toEqual([true, true]);
  });

  it("is refused, and cannot be ended, while its gateway cannot know whether it has ended (SESSIONS-1)", async () => {
    await using other = await startSystem();
    await using cut = await other.gateway({ env });
    const cookie = (await signIn()).cookie();
    expect((await cut.get("/v1/me", { cookie })).status).toBe(200);
    await other.nats.kill();
    await expect.poll(async () => (await cut.get("/v1/me", { cookie })).status).toBe(503);
    const out = await cut.post("/auth/logout", {}, { cookie, origin: gateway.url });
    expect([out.status, await codeIn(out), out.headers.getSetCookie()]).toEqual([503, "unavailable", []]);
    await other.nats.restart();
    await expect.poll(async () => (await cut.get("/v1/me", { cookie })).status).toBe(200);
  });
});

describe("requests of other sites", () => {
  it("change nothing with a session, and open no WebSocket", async () => {
    const cookie = (await signIn()).cookie();
    const before = await system.stored();
    const send = (headers: Record<string, string>) =>
      gateway.post("/v1/plans", TWO_STEPS, { cookie, ...headers });
    for (const origin of [
      "https://evil.example",
      "null",
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
    ]) {
      const refused = await send({ origin });
      expect([origin, refused.status, await codeIn(refused)]).toEqual([origin, 403, "foreign_origin"]);
    }
    // Browsers name the origin of every change; a request without one is not from the page.
    expect(await codeIn(await send({}))).toBe("foreign_origin");
    await expect(
      connectSocket(gateway.url, { headers: { cookie, origin: "https://evil.example" } }),
    ).rejects.toThrow();
    await expect(connectSocket(gateway.url, { headers: { cookie } })).rejects.toThrow();
    expect(await system.stored()).toBe(before);
    expect((await send({ origin: gateway.url })).status).toBe(202);
    await using socket = await connectSocket(gateway.url, { headers: { cookie, origin: gateway.url } });
    socket.say({ id: 1, type: "unwatch", planId: "p1" });
    expect(await socket.hear(({ id }) => id === 1)).toMatchObject({ type: "ok" });
  });

  it("cannot complete a sign-in that this browser did not begin", async () => {
    provider.user = ANN;
    const attacker = openTestBrowser(gateway.url);
    const isCallback = (next: string) => next.startsWith(`${gateway.url}/auth/callback`);
    const { url: callback } = await attacker.follow(`${gateway.url}/auth/login`, isCallback);
    const victim = openTestBrowser(gateway.url);
    for (const url of [
      callback,
      callback.replace(/state=[^&]+/, "state=forged"),
      `${gateway.url}/auth/callback`,
    ]) {
      const response = await victim.ask(url);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain("this browser did not start this sign-in");
    }
    // Started by the victim, with the attacker's code: PKCE and the nonce do not match.
    const { url: own } = await victim.follow(`${gateway.url}/auth/login`, isCallback);
    const code = new URL(callback).searchParams.get("code") ?? "";
    const swapped = own.replace(/code=[^&]+/, `code=${code}`);
    expect((await victim.ask(swapped)).status).toBe(403);
    expect(victim.cookie()).not.toContain("planwright_session");
  });

  it("cannot use a code twice, or another issuer's response", async () => {
    provider.user = ANN;
    const browser = openTestBrowser(gateway.url);
    const isCallback = (next: string) => next.startsWith(`${gateway.url}/auth/callback`);
    const first = await browser.follow(`${gateway.url}/auth/login`, isCallback);
    const mixed = first.url.replace(/iss=[^&]+/, `iss=${encodeURIComponent("https://evil.example")}`);
    expect((await browser.ask(mixed)).status).toBe(403);
    expect((await browser.ask(first.url)).status).toBe(403);
  });
});

describe("the page", () => {
  it("is given the ways to sign in", async () => {
    const options = SignInOptions.parse(await (await gateway.get("/auth/options")).json());
    expect(options).toEqual({ keys: true, oidc: { issuer: provider.issuer, path: "/auth/login" } });
    await using open = await system.gateway({ folder: "open" });
    expect(await (await open.get("/auth/options")).json()).toEqual({ keys: false });
    expect(await (await open.get("/v1/me")).json()).toMatchObject({ role: "admin", credential: "none" });
    expect((await open.get("/auth/login")).headers.get("location")).toBeNull();
  });

  it("is notified that the provider is down, while sessions and keys continue to work", async () => {
    const browser = await signIn();
    await using down = await startIdentityProvider({ redirectUris: ["http://127.0.0.1:1/auth/callback"] });
    await down.stop();
    await using cut = await system.gateway({ env: { ...env, OIDC_ISSUER: down.issuer }, folder: "cut" });
    const program = await cut.get("/auth/login");
    expect([program.status, await codeIn(program)]).toEqual([503, "unavailable"]);
    const page = await cut.get("/auth/login?return=/plans/p1", { accept: "text/html" });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain("/auth/login?return=%2Fplans%2Fp1");
    expect((await cut.get("/v1/me", { cookie: browser.cookie() })).status).toBe(200);
    expect((await cut.get("/v1/me", { authorization: "Bearer boss-key" })).status).toBe(200);
    const out = await cut.post("/auth/logout", {}, { cookie: browser.cookie(), origin: gateway.url });
    expect([out.status, await out.json()]).toEqual([200, {}]);
  });
});

describe("the start", () => {
  const start = (changed: Record<string, string>) =>
    system.gateway({ env: { ...env, ...changed }, folder: "refused" });

  it.each([
    [{ OIDC_SESSION_SECRET: "" }, /OIDC_CLIENT_ID needs OIDC_SESSION_SECRET/],
    [{ OIDC_SESSION_SECRET: "short" }, /OIDC_SESSION_SECRET.*32 characters.*not shown/],
    [{ PLANWRIGHT_PUBLIC_URL: "" }, /OIDC_CLIENT_ID needs PLANWRIGHT_PUBLIC_URL/],
    [{ PLANWRIGHT_PUBLIC_URL: "https://a.example/path" }, /without a path/],
    [{ OIDC_ISSUER: "" }, /OIDC_CLIENT_ID is set without OIDC_ISSUER/],
    [{ OIDC_ISSUER: "http://id.example.com" }, /OIDC_ISSUER.*https/],
    [{ OIDC_CLIENT_ID: "" }, /OIDC_ISSUER alone lets no user in/],
    [{ OIDC_ROLES: "leads=boss" }, /OIDC_ROLES.*group=role/],
    [{ OIDC_SCOPES: "profile" }, /OIDC_SCOPES.*openid/],
  ])("is refused with %j", async (changed, reason) => {
    await expect(start(changed)).rejects.toThrow(reason);
  });
});
