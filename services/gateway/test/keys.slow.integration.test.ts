// Keys that admins create: shown once, stored as hashes, and refused by every gateway once revoked.
import { CreatedKey, KeyList } from "@planwright/api";
import { BUCKETS, openBucket } from "@planwright/shared/bus";
import { startTcpProxy } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KeyRecord } from "../src/keys/key-record.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { startSystem, type TestGateway, type TestSystem, TWO_STEPS } from "./support/start-gateway.ts";

const KEYS = { PLANWRIGHT_API_KEYS: "acme/boss@admin:boss-key,other@admin:other-key,acme/old:old-key" };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const BOSS = bearer("boss-key");

let system: TestSystem;
let gateway: TestGateway;
/** Another replica. */
let replica: TestGateway;

beforeAll(async () => {
  system = await startSystem();
  gateway = await system.gateway({ env: KEYS });
  replica = await system.gateway({ env: KEYS, folder: "replica" });
});
afterAll(async () => {
  for (const part of [replica, gateway, system]) await part?.[Symbol.asyncDispose]();
});

async function create(body: object = {}, headers = BOSS): Promise<CreatedKey> {
  const response = await gateway.post("/v1/keys", { name: "ann", role: "operator", ...body }, headers);
  expect(response.status, await response.clone().text()).toBe(201);
  return CreatedKey.parse(await response.json());
}

/** Creates a key and waits until the replica knows it too. */
async function createEverywhere(body: object = {}): Promise<CreatedKey> {
  const created = await create(body);
  await expect.poll(() => statusOf(replica, created.key)).toBe(200);
  return created;
}

const list = async (headers = BOSS, at = gateway) =>
  KeyList.parse(await (await at.get("/v1/keys", headers)).json());
const revoke = (id: string, headers = BOSS, at = gateway) => at.delete(`/v1/keys/${id}`, headers);
const statusOf = async (at: TestGateway, key: string) => (await at.get("/v1/plans", bearer(key))).status;
const codeOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { code: string }).code;

describe("a managed key", () => {
  it("permits what its role permits, in its tenant, on every gateway", async () => {
    const { key, ...info } = await createEverywhere({ name: "reader", role: "viewer" });
    expect(info).toMatchObject({ identity: "acme/reader", role: "viewer", createdBy: "acme/boss" });
    expect(await codeOf(replica.post("/v1/plans", { goal: "g" }, bearer(key)))).toBe("role_required");
    const { planId } = await gateway.submit(TWO_STEPS, bearer("old-key"));
    expect((await gateway.get(`/v1/plans/${planId}`, bearer(key))).status).toBe(200);
    const stranger = await create({ name: "reader", role: "operator" }, bearer("other-key"));
    expect(await codeOf(gateway.get(`/v1/plans/${planId}`, bearer(stranger.key)))).toBe("plan_not_found");
  });

  it("is shown once, and stored as a hash", async () => {
    const { key, id } = await create();
    const secret = key.slice(`pw_${id}_`.length);
    expect(secret).toHaveLength(43);
    const bucket = await openBucket(system.bus, BUCKETS.keys);
    const stored = (await bucket.get(id))?.value ?? "";
    expect(KeyRecord.parse(JSON.parse(stored)).hash).toMatch(/^[0-9a-f]{64}$/);
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(await list())).not.toContain(secret);
  });

  it("is not accepted with another secret, or after its entry was copied to another id", async () => {
    const { key, id } = await create();
    expect(await statusOf(gateway, `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`)).toBe(401);
    const bucket = await openBucket(system.bus, BUCKETS.keys);
    const stored = (await bucket.get(id))?.value ?? "";
    await bucket.write("aaaaaaaaaaaa", stored);
    await expect.poll(async () => (await list()).keys.length).toBeGreaterThan(1);
    expect(await statusOf(gateway, key.replace(id, "aaaaaaaaaaaa"))).toBe(401);
    await bucket.remove("aaaaaaaaaaaa");
  });

  it("is listed for the admins of its tenant, with its last use to the hour", async () => {
    const { id, key } = await create({ name: "listed" });
    expect((await list()).keys.find((one) => one.id === id)?.lastUsedAt).toBeUndefined();
    expect(await statusOf(gateway, key)).toBe(200);
    const usedAt = async () => (await list()).keys.find((one) => one.id === id)?.lastUsedAt;
    await expect.poll(usedAt).toMatch(/T\d\d:00:00\.000Z$/);
    const { keys, configured } = await list(bearer("other-key"));
    expect(keys.map((one) => one.id)).not.toContain(id);
    expect(configured).toEqual([{ identity: "other", role: "admin" }]);
  });

  it("is refused once it has expired, and open connections that use it end", async () => {
    const { planId } = await gateway.submit(TWO_STEPS, BOSS);
    const { key } = await create({ expiresAt: new Date(Date.now() + 3_000).toISOString() });
    await using socket = await connectSocket(gateway.url, { headers: bearer(key) });
    const stream = await gateway.get(`/v1/plans/${planId}/events`, {
      ...bearer(key),
      accept: "text/event-stream",
    });
    expect(stream.status).toBe(200);
    expect(await socket.closed()).toBe(1008);
    expect(await stream.text()).toContain("goal.submitted");
    expect(await statusOf(gateway, key)).toBe(401);
  });
});

describe("a revoked key", () => {
  it("is refused by every gateway, and only its own tenant can revoke it (KEYS-1)", async () => {
    const { id, key } = await createEverywhere();
    expect(await codeOf(revoke(id, bearer("other-key")))).toBe("key_not_found");
    expect(await statusOf(gateway, key)).toBe(200);
    expect((await revoke(id)).status).toBe(204);
    expect(await statusOf(gateway, key)).toBe(401);
    await expect.poll(() => statusOf(replica, key)).toBe(401);
    expect(await codeOf(revoke(id))).toBe("key_not_found");
    expect((await list()).keys.map((one) => one.id)).not.toContain(id);
  });

  it("ends its WebSockets, streams and waiting requests, also on the other gateway (KEYS-2)", async () => {
    const { planId } = await gateway.submit(TWO_STEPS, BOSS);
    await expect.poll(async () => (await replica.get(`/v1/plans/${planId}`, BOSS)).status).toBe(200);
    const { id, key } = await createEverywhere();
    await using here = await connectSocket(gateway.url, { headers: bearer(key) });
    await using there = await connectSocket(replica.url, { headers: bearer(key) });
    await using kept = await connectSocket(replica.url, { headers: BOSS });
    there.say({ id: 1, type: "watch", planId });
    await there.hear(({ type }) => type === "event");
    const stream = await replica.get(`/v1/plans/${planId}/events`, {
      ...bearer(key),
      accept: "text/event-stream",
    });
    const waiting = replica.get(`/v1/plans/${planId}?wait=60`, bearer(key));
    await using mcp = await connectMcp(replica.url, key);
    const asking = mcp.call("plan_wait", { planId, timeoutSeconds: 60 }).then(
      () => "answered",
      (error: Error) => error.message,
    );
    expect((await revoke(id)).status).toBe(204);
    const reason = "this key was revoked or has expired";
    expect(await here.closedWith()).toEqual({ code: 1008, reason });
    expect(await there.closedWith()).toEqual({ code: 1008, reason });
    expect(await stream.text()).toContain("goal.submitted");
    expect((await waiting).status).toBe(401);
    expect(await asking).toContain("unauthorized");
    kept.say({ id: 2, type: "watch", planId });
    expect(await kept.hear(({ id: answered }) => answered === 2)).toMatchObject({ type: "ok" });
  });

  it("is not restored by a late record of its use (KEYS-3)", async () => {
    const { id, key } = await createEverywhere();
    const bucket = await openBucket(system.bus, BUCKETS.keys);
    const before = await bucket.get(id);
    expect((await revoke(id)).status).toBe(204);
    // Written by another gateway that read the record before the revocation.
    const note = await bucket.write(id, before?.value ?? "", { expect: before?.revision ?? -1 });
    expect(note).toBeUndefined();
    await system.bus.connection.flush();
    for (const at of [gateway, replica]) expect(await statusOf(at, key)).toBe(401);
  });
});

it("a gateway that is cut off from NATS refuses managed keys, and lets configured ones read (KEYS-1)", async () => {
  await using proxy = await startTcpProxy(system.nats.url);
  await using cut = await system.gateway({ env: { ...KEYS, NATS_URL: proxy.url }, folder: "cut" });
  const { id, key } = await create();
  await expect.poll(() => statusOf(cut, key)).toBe(200);
  proxy.cut();
  await expect.poll(() => codeOf(cut.get("/v1/plans", bearer(key)))).toBe("unavailable");
  expect(await statusOf(cut, "old-key")).toBe(200);
  await revoke(id);
  proxy.heal();
  await expect.poll(() => statusOf(cut, key), { timeout: 20_000 }).toBe(401);
});

describe("the routes of keys", () => {
  it("are for admins", async () => {
    const { key } = await create({ role: "operator" });
    for (const one of [key, "old-key"]) {
      expect(await codeOf(gateway.post("/v1/keys", { name: "x", role: "admin" }, bearer(one)))).toBe(
        "role_required",
      );
    }
  });

  it("refuse invalid roles and names, and times in the past", async () => {
    for (const body of [{ role: "boss" }, { name: "a/b" }, { expiresAt: "2020-01-01T00:00:00Z" }]) {
      const sent = { name: "ann", role: "viewer", ...body };
      expect([body, await codeOf(gateway.post("/v1/keys", sent, BOSS))]).toEqual([body, "invalid_request"]);
    }
  });

  it("report that there is nothing to manage where no keys are set", async () => {
    await using open = await system.gateway({ folder: "open" });
    expect(await codeOf(open.post("/v1/keys", { name: "ann", role: "viewer" }))).toBe("keys_not_set");
    expect(await codeOf(open.get("/v1/keys"))).toBe("keys_not_set");
    const { key } = await create();
    expect(await statusOf(open, key)).toBe(200);
    expect(await statusOf(open, "anything")).toBe(200);
  });

  it("refuse more than a hundred keys per tenant", async () => {
    const tenant = bearer("other-key");
    const left = 100 - (await list(tenant)).keys.length;
    for (let made = 0; made < left; made++) await create({ name: "many", role: "viewer" }, tenant);
    expect(await codeOf(gateway.post("/v1/keys", { name: "one", role: "viewer" }, tenant))).toBe(
      "key_limit_reached",
    );
  });
});
