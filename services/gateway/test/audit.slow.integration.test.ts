// Who did what, to what, when, from where, and with which outcome: in one chain per tenant, whichever gateway writes it.
import { AuditEntry, AuditLine, verifyAudit } from "@planwright/plan/audit";
import { auditSubject, createPublish, type Publish, STREAMS } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { echo, startTcpProxy } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openAuditLog } from "../src/audit/audit-log.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { connectSocket } from "./support/connect-socket.ts";
import { store, wholeRun } from "./support/facts.ts";
import { ownPlan } from "./support/own-plan.ts";
import { log, startSystem, type TestGateway, type TestSystem, TWO_STEPS } from "./support/start-gateway.ts";

const KEYS = {
  PLANWRIGHT_API_KEYS: [
    "acme/boss@admin:boss-key",
    "acme/ann:ann-key",
    "acme/eve@viewer:eve-key",
    "other@admin:other-key",
    "third@admin:third-key",
    "broken@admin:broken-key",
  ].join(","),
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const [BOSS, ANN, EVE, OTHER, THIRD] = ["boss", "ann", "eve", "other", "third"].map((name) =>
  bearer(`${name}-key`),
) as [Headers_, Headers_, Headers_, Headers_, Headers_];
type Headers_ = { authorization: string };

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

async function exported(headers = BOSS, query = ""): Promise<AuditEntry[]> {
  const response = await gateway.get(`/v1/audit${query}`, headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => AuditEntry.parse(JSON.parse(line)));
}

const about = async (planId: string) => {
  const entries = await exported();
  return entries
    .filter(({ on }) => on["planId"] === planId)
    .map(({ by, action, via, outcome }) => [by, action, via, outcome].join(" "));
};

async function waiting(headers = ANN): Promise<string> {
  const plan = { steps: [echo("a")] };
  const { planId } = await gateway.submit({ goal: "a secret goal", plan, approval: { plan: true } }, headers);
  await ownPlan(system.bus, planId);
  return planId;
}

describe("an entry", () => {
  it("records who did what to which object, when, from where and with which outcome, and no content", async () => {
    const before = Date.now();
    const planId = await waiting();
    const body = { decision: "approve", reason: "a secret reason" };
    const response = await gateway.post(`/v1/plans/${planId}/approvals/plan-0`, body, BOSS);
    expect(response.status).toBe(200);
    const entries = (await exported()).filter(({ on }) => on["planId"] === planId);
    expect(entries).toMatchObject([
      {
        by: "acme/ann",
        role: "operator",
        action: "submitPlan",
        via: "http",
        on: { planId },
        outcome: "done",
      },
      {
        by: "acme/boss",
        role: "admin",
        action: "decideApproval",
        on: { planId, approvalId: "plan-0", decision: "approve" },
        from: "127.0.0.1",
        tenant: "acme",
        outcome: "done",
      },
    ]);
    for (const { at } of entries) expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect(JSON.stringify(entries)).not.toContain("secret");
  });

  it("is stored before the response, for each change", async () => {
    const planId = await waiting();
    for (const path of ["pause", "resume", "cancel"])
      await gateway.post(`/v1/plans/${planId}/${path}`, {}, ANN);
    expect(await about(planId)).toEqual([
      "acme/ann submitPlan http done",
      "acme/ann pausePlan http done",
      "acme/ann resumePlan http done",
      "acme/ann cancelPlan http done",
    ]);
  });

  it("is written for refusals too, once a minute for the same one", async () => {
    const planId = await waiting();
    for (const _ of [1, 2, 3]) await gateway.post(`/v1/plans/${planId}/cancel`, {}, EVE);
    await gateway.delete(`/v1/plans/${planId}`, ANN);
    expect((await about(planId)).slice(1)).toEqual([
      "acme/eve cancelPlan http role_required",
      "acme/ann deletePlan http plan_not_ended",
    ]);
  });

  it("is written for deletions, and for attempts on other tenants' plans in the log of the one who tried", async () => {
    const { planId } = await gateway.submit(TWO_STEPS, ANN);
    await store(system.bus, wholeRun(planId, ["a", "b"]));
    await expect.poll(async () => (await gateway.delete(`/v1/plans/${planId}`, ANN)).status).toBe(202);
    expect(await about(planId)).toContain("acme/ann deletePlan http done");
    await gateway.post(`/v1/plans/${planId}/cancel`, {}, OTHER);
    const others = await exported(OTHER);
    expect(others.find(({ on }) => on["planId"] === planId)).toMatchObject({
      by: "other",
      action: "cancelPlan",
      outcome: expect.stringMatching(/^plan_/),
    });
    expect((await exported()).map(({ by }) => by)).not.toContain("other");
  });

  it("is written for reading a plan, once an hour for each reader, also as a stream", async () => {
    const planId = await waiting();
    for (const _ of [1, 2]) await gateway.get(`/v1/plans/${planId}`, EVE);
    await gateway.get("/v1/plans", EVE);
    const stream = await gateway.get(`/v1/plans/${planId}/events`, { ...EVE, accept: "text/event-stream" });
    await stream.body?.cancel();
    await expect
      .poll(async () => (await about(planId)).slice(1))
      .toEqual(["acme/eve getPlan http done", "acme/eve getEvents http done"]);
  });

  it("is written for messages of the WebSocket", async () => {
    await using ann = await connectSocket(gateway.url, { headers: ANN });
    ann.say({ id: 1, type: "submit", body: { goal: "g", plan: { steps: [echo("a")] } } });
    const { planId } = z.object({ planId: z.string() }).parse(await ann.hear(({ id }) => id === 1));
    await using eve = await connectSocket(gateway.url, { headers: EVE });
    eve.say({ id: 2, type: "watch", planId });
    eve.say({ id: 3, type: "cancel", planId });
    await eve.hear(({ id }) => id === 3);
    ann.say({ id: 4, type: "cancel", planId });
    await ann.hear(({ id }) => id === 4);
    const written = async () => (await about(planId)).toSorted();
    await expect
      .poll(written)
      .toEqual([
        "acme/ann cancelPlan websocket done",
        "acme/ann submitPlan websocket done",
        "acme/eve cancelPlan websocket role_required",
        "acme/eve getEvents websocket done",
      ]);
  });

  it("is written for tools of MCP clients", async () => {
    await using mcp = await connectMcp(gateway.url, "ann-key");
    const { planId } = await mcp.call("plan_submit", { goal: "g", plan: { steps: [echo("a")] } });
    await mcp.call("plan_cancel", { planId });
    await using eve = await connectMcp(gateway.url, "eve-key");
    await expect(eve.call("plan_cancel", { planId })).rejects.toThrow(/role_required/);
    expect(await about(String(planId))).toEqual([
      "acme/ann submitPlan mcp done",
      "acme/ann cancelPlan mcp done",
      "acme/eve cancelPlan mcp role_required",
    ]);
  });

  it("is written for keys that are created and revoked, and for exports of this log", async () => {
    const made = await gateway.post("/v1/keys", { name: "bot", role: "viewer" }, THIRD);
    const { id } = z.object({ id: z.string() }).parse(await made.json());
    await gateway.delete(`/v1/keys/${id}`, THIRD);
    await exported(THIRD);
    await expect
      .poll(async () => (await exported(THIRD)).map(({ action }) => action))
      .toEqual(["createKey", "revokeKey", "exportAudit"]);
    expect((await exported(THIRD))[0]?.on).toEqual({ name: "bot", role: "viewer", id });
  });
});

describe("the log of a tenant", () => {
  it("is one chain, whichever of several gateways writes it, and nothing is lost", async () => {
    const before = await exported(OTHER);
    const planIds = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const one = at % 2 === 0 ? gateway : replica;
        return (await one.submit({ goal: `g${at}`, plan: { steps: [echo("a")] } }, OTHER)).planId;
      }),
    );
    const after = await exported(OTHER, `?after=${before.length}`);
    expect(after[0]?.number).toBe(before.length + 1);
    const submitted = after
      .filter(({ action }) => action === "submitPlan")
      .map(({ on }) => on["planId"] ?? "");
    expect(submitted.toSorted()).toEqual(planIds.toSorted());
    const all = await exported(OTHER);
    expect(verifyAudit(all)).toMatchObject({ entries: all.at(-1)?.number, first: 1, faults: [] });
  });

  it("cannot be deleted from, and shows a message that bypassed the gateways", async () => {
    const { streams } = system.bus.manager;
    const entries = await exported(OTHER);
    await expect(streams.purge(STREAMS.audit)).rejects.toThrow(/purge/);
    await expect(streams.deleteMessage(STREAMS.audit, 1)).rejects.toThrow(/delet/);
    const last = entries.at(-1);
    await system.bus.js.publish(auditSubject("other"), JSON.stringify([{ ...last, by: "other/somebody" }]));
    const { faults } = verifyAudit(await exported(OTHER));
    expect(faults.map(({ number }) => number)).toContain(last?.number);
  });

  it("is written, read and verified around messages that are not entries, which it shows", async () => {
    const broken = { authorization: "Bearer broken-key" };
    const lines = async (query = "") =>
      (await (await gateway.get(`/v1/audit${query}`, broken)).text())
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => AuditLine.parse(JSON.parse(line)));
    const submit = () => gateway.submit({ goal: "g", plan: { steps: [echo("a")] } }, broken);
    const garbage = ["no JSON", "[]", JSON.stringify([{ number: 1 }]), '{"a":1}'];
    await submit();
    for (const text of garbage) {
      await system.bus.js.publish(auditSubject("broken"), text);
      // Also for a gateway that has not read the log yet.
      await using fresh = openAuditLog({ bus: system.bus, publish: createPublish(system.bus), log });
      const at = new Date().toISOString();
      const who = { tenant: "broken", by: "broken", role: "admin", from: "::1" } as const;
      await fresh.append({ ...who, at, action: "cancelPlan", via: "http", on: {}, outcome: "done" });
      await submit();
    }
    const all = await lines();
    expect(all.flatMap((line) => ("unreadable" in line ? [line.unreadable.bytes] : []))).toEqual(
      garbage.map((text) => text.length),
    );
    const report = verifyAudit(all);
    // The export itself may be the last entry.
    expect(report.entries).toBeGreaterThanOrEqual(1 + 2 * garbage.length);
    expect(report.faults.map(({ number }) => number)).toEqual([1, 3, 5, 7]);
    expect(verifyAudit(await lines("?after=6")).faults.map(({ number }) => number)).toEqual([7]);
  });

  it("contains the calls made while NATS was away, once it is back", async () => {
    await using proxy = await startTcpProxy(system.nats.url);
    await using cut = await system.gateway({ env: { ...KEYS, NATS_URL: proxy.url }, folder: "cut" });
    proxy.cut();
    const refused = await cut.post("/v1/plans", { goal: "g" }, EVE);
    expect(await refused.json()).toMatchObject({ code: "role_required" });
    proxy.heal();
    const refusals = async () =>
      (await exported()).filter(({ by, action }) => by === "acme/eve" && action === "submitPlan");
    await expect.poll(refusals, { timeout: 20_000 }).toMatchObject([{ outcome: "role_required" }]);
    expect(verifyAudit(await exported()).faults).toEqual([]);
  });

  it("has an entry once although the store's response was lost, and those added in the meantime", async () => {
    const publish = createPublish(system.bus);
    let lost = 0;
    const losing: Publish = async (...message) => {
      const stored = await publish(...message);
      lost += 1;
      if (lost === 1) throw new TransientError("the answer was lost");
      return stored;
    };
    await using audit = openAuditLog({ bus: system.bus, publish: losing, log });
    const action = (planId: string) => ({
      at: new Date().toISOString(),
      tenant: "lossy",
      by: "lossy",
      role: "operator" as const,
      action: "cancelPlan",
      via: "http" as const,
      on: { planId },
      from: "::1",
      outcome: "done",
    });
    const all = async () => {
      const found: AuditLine[] = [];
      for await (const entry of audit.read("lossy", 0)) found.push(entry);
      return found;
    };
    const first = audit.append(action("p1"));
    await expect.poll(() => lost).toBe(1);
    await Promise.all([first, ...["p2", "p3"].map((planId) => audit.append(action(planId)))]);
    const entries = await all();
    expect(entries.map((line) => ("on" in line ? line.on["planId"] : undefined))).toEqual(["p1", "p2", "p3"]);
    // Each is written, whenever it is added.
    for (let at = 4; at < 40; at++) await audit.append(action(`p${at}`));
    expect(verifyAudit(await all())).toMatchObject({
      entries: 39,
      faults: [],
    });
  });

  it("is for admins, and does not exist where no keys are set", async () => {
    expect(await (await gateway.get("/v1/audit", ANN)).json()).toMatchObject({ code: "role_required" });
    await using open = await system.gateway({ folder: "open" });
    await open.submit({ goal: "g", plan: { steps: [echo("a")] } });
    expect(await (await open.get("/v1/audit")).json()).toMatchObject({ code: "keys_not_set" });
    const query = { last_by_subj: auditSubject("default") };
    expect(await system.bus.manager.direct.getMessage(STREAMS.audit, query)).toBeNull();
  });
});
