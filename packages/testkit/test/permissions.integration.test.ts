// What each user of NATS can and cannot publish, subscribe to and call in the JetStream API, tested with a real nats-server
// and the users that `npm start` generates. Every end-to-end test shows that the lists suffice, since its system is locked.
import { BARE_GOAL } from "@planwright/plan/testing";
import { stat } from "node:fs/promises";
import path from "node:path";
import { errors, headers as createHeaders, type NatsConnection } from "@nats-io/transport-node";
import { connectNats, natsAccess, natsConfig } from "@planwright/shared/access";
import { connectBus, createPublish, factSubject, provision, readPlan, STREAMS } from "@planwright/shared/bus";
import { readConfig } from "@planwright/shared/service";
import { PlanEvent, PlanId } from "@planwright/plan";
import { startNats, type TestNats } from "@planwright/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const USERS = ["gateway", "planner", "reflector", "worker", "stranger's pool"] as const;
type User = (typeof USERS)[number];

let nats: TestNats;
const connections = new Map<User, NatsConnection>();
/** The subjects that each user was refused. */
const refusals = new Map<User, string[]>();

async function noteRefusals(user: User, connection: NatsConnection): Promise<void> {
  const refused: string[] = [];
  connections.set(user, connection);
  refusals.set(user, refused);
  for await (const { ...status } of connection.status()) {
    if (status.type !== "error" || !(status.error instanceof errors.PermissionViolationError)) continue;
    refused.push(status.error.subject);
  }
}

beforeAll(async () => {
  nats = await startNats({ locked: true });
  {
    await using bus = await connectBus({ url: nats.url, name: "test" });
    await provision(bus, { pools: ["default", "gpu"] });
  }
  const connect = async (settings: Promise<Readonly<Record<string, string>>>) =>
    connectNats(natsAccess(readConfig(z.object(natsConfig), await settings)), { name: "test" });
  void noteRefusals("gateway", await connect(nats.settingsFor("gateway")));
  void noteRefusals("planner", await connect(nats.settingsFor("planner")));
  void noteRefusals("reflector", await connect(nats.settingsFor("reflector")));
  void noteRefusals("worker", await connect(nats.settingsFor("executor", ["default"])));
  void noteRefusals("stranger's pool", await connect(nats.settingsFor("executor", ["gpu"])));
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await nats[Symbol.asyncDispose]();
});

/** Whether the server permits it; after a round trip, every refusal has been received. */
async function isPermitted(user: User, what: "publish" | "subscribe", subject: string): Promise<boolean> {
  const connection = connections.get(user);
  if (connection === undefined) throw new Error(`no connection of ${user}`);
  const refused = refusals.get(user) ?? [];
  // No stream must store the probe: its expectation about the last message does not hold.
  const headers = createHeaders();
  headers.set("Nats-Expected-Last-Sequence", "999999999");
  refused.length = 0;
  if (what === "publish") connection.publish(subject, "{}", { headers });
  else connection.subscribe(subject, { callback: () => undefined }).unsubscribe();
  await connection.flush();
  await connection.flush();
  return !refused.includes(subject);
}

const PLAN = "plan.3.p1";
const API = "$JS.API";
const ALL: readonly User[] = USERS;
const WORKERS: readonly User[] = ["worker", "stranger's pool"];

/** Description, subject, and the users that can publish there; no other user can. */
const PUBLISH: readonly (readonly [string, string, readonly User[]])[] = [
  ["submit a goal", `${PLAN}.control.submitted`, ["gateway", "planner"]],
  ["decide an approval", `${PLAN}.control.approval.risk-a-0`, ["gateway"]],
  ["cancel a plan", `${PLAN}.control.flow.cancelled`, ["gateway", "planner"]],
  ["pause a plan", `${PLAN}.control.flow.paused.1`, ["gateway", "planner"]],
  ["report a damaged log", `${PLAN}.control.flow.damaged`, ["planner"]],
  ["give feedback", `${PLAN}.control.feedback.1`, ["gateway"]],
  ["ask for a plan to be deleted", `${PLAN}.control.delete`, ["gateway"]],
  ["retry a dead letter", `${PLAN}.redrive.a.0.1`, ["gateway"]],
  ["end a plan", `${PLAN}.d.plan-ended`, ["planner"]],
  ["request an approval", `${PLAN}.d.approval-requested`, ["planner"]],
  ["begin a step of the pool default", `${PLAN}.w.default.a.0.1.started`, ["worker"]],
  ["report a result of the pool default", `${PLAN}.w.default.a.0.1.done`, ["worker"]],
  ["report a result of the pool gpu", `${PLAN}.w.gpu.a.0.1.done`, ["stranger's pool"]],
  ["report how a sub-plan ended", `${PLAN}.r.a.0.1.done`, ["planner"]],
  ["begin a step as workers did before", `${PLAN}.r.a.0.1.started`, []],
  ["write a draft", `${PLAN}.r.~draft.1.started`, ["planner"]],
  ["plan a step", `${PLAN}.r.~draft.1.step.0`, ["planner"]],
  ["seal a draft", `${PLAN}.r.~draft.1.ended`, ["planner"]],
  ["answer", `${PLAN}.r.~join.1.done`, ["reflector"]],
  ["review a step", `${PLAN}.r.a.0.1.reviewed.1`, ["reflector"]],
  ["review a draft", `${PLAN}.r.~draft.1.reviewed.1`, ["reflector"]],
  ["review an answer", `${PLAN}.r.~answer.1.reviewed.1`, ["reflector"]],
  ["record facts", `${PLAN}.r.a.0.1.facts`, ["reflector"]],
  ["fire a timer", `${PLAN}.t.retry-a-0-2`, []],
  ["schedule a timer", "timer.3.p1.retry-a-0-2", ["planner"]],
  ["find out whether the log takes writes", "timer.~.probe.gateway", ["gateway", "planner"]],
  ["send a step to the pool default", "work.step.default.p1.a.0.1.0", ["planner", "worker"]],
  ["send a step to the pool gpu", "work.step.gpu.p1.a.0.1.0", ["planner", "stranger's pool"]],
  ["ask for a draft", "work.plan.p1.1", ["planner"]],
  ["ask for a judgement", "work.reflect.p1.1", ["planner", "reflector"]],
  ["bury work of the pool default", "dead.work.step.default.p1.a.0.1.0", ["worker"]],
  ["bury drafts", "dead.work.plan.p1.1", ["planner"]],
  ["store a file of a plan", "artifact.p1.YQ", ALL],
  ["archive a plan", "archive.3.p1.head", ["planner"]],
  ["announce a tool", "$KV.TOOLS.a", WORKERS],
  ["register a data source", "$KV.SOURCES.a", ["gateway", ...WORKERS]],
  ["create or revoke a key", "$KV.API_KEYS.a", ["gateway"]],
  ["end a session", "$KV.ENDED_SESSIONS.a", ["gateway"]],
  ["read the hashes of keys", `${API}.DIRECT.GET.KV_API_KEYS.$KV.API_KEYS.a`, ["gateway"]],
  ["write an audit log", "audit.YWNtZQ", ["gateway"]],
  ["read an audit log", `${API}.DIRECT.GET.AUDIT.audit.YWNtZQ`, ["gateway"]],
  ["delete an entry of an audit log", `${API}.STREAM.MSG.DELETE.AUDIT`, []],
  ["purge an audit log", `${API}.STREAM.PURGE.AUDIT`, []],
  ["take a lease", "$KV.LEASES.a", ["planner"]],
  ["stop work", "hint.stop.p1", ["planner"]],
  ["report a worker", "beat.worker", WORKERS],
  ["report what is held for workers", "beat.demand", ["planner"]],
  ["preview a plan", "rpc.plan.preview", ["gateway"]],
  ["speak to the server's system account", "$SYS.REQ.SERVER.PING", []],
  ["answer in somebody's place", "_INBOX.somebody.1", []],
  ["create a stream", `${API}.STREAM.CREATE.X`, []],
  ["change a stream", `${API}.STREAM.UPDATE.PLANS`, []],
  ["delete a stream", `${API}.STREAM.DELETE.PLANS`, []],
  ["delete a message of the log", `${API}.STREAM.MSG.DELETE.PLANS`, []],
  ["purge the log", `${API}.STREAM.PURGE.PLANS`, ["planner"]],
  ["remove files of data sources", `${API}.STREAM.PURGE.ARTIFACTS`, ["gateway", "planner"]],
  ["purge dead letters of a deleted plan", `${API}.STREAM.PURGE.DEAD`, ["planner"]],
  ["purge work of a deleted plan", `${API}.STREAM.PURGE.WORK`, ["planner"]],
  ["discard a dead letter", `${API}.STREAM.MSG.DELETE.DEAD`, ["gateway"]],
  ["look at the log", `${API}.STREAM.INFO.PLANS`, ALL],
  ["read the log", `${API}.DIRECT.GET.PLANS.plan.3.p1.control.submitted`, ALL],
  ["follow the log", `${API}.CONSUMER.CREATE.PLANS.x.plan.>`, ["gateway", "planner"]],
  ["create a consumer of work", `${API}.CONSUMER.CREATE.WORK.pool-default.work.step.default.>`, []],
  ["create a durable consumer", `${API}.CONSUMER.DURABLE.CREATE.WORK.x`, []],
  ["delete a queue", `${API}.CONSUMER.DELETE.WORK.pool-default`, []],
  ["pause a queue", `${API}.CONSUMER.PAUSE.WORK.pool-default`, []],
  ["take steps of the pool default", `${API}.CONSUMER.MSG.NEXT.WORK.pool-default`, ["worker"]],
  ["take steps of the pool gpu", `${API}.CONSUMER.MSG.NEXT.WORK.pool-gpu`, ["stranger's pool"]],
  ["take drafts", `${API}.CONSUMER.MSG.NEXT.WORK.planner`, ["planner"]],
  ["take judgements", `${API}.CONSUMER.MSG.NEXT.WORK.reflector`, ["reflector"]],
  ["acknowledge steps of the pool default", "$JS.ACK.WORK.pool-default.1.1.1.1.0", ["worker"]],
  ["acknowledge drafts", "$JS.ACK.WORK.planner.1.1.1.1.0", ["planner"]],
];

const SUBSCRIBE: readonly (readonly [string, string, readonly User[]])[] = [
  ["everything", ">", []],
  ["the log as it is written", "plan.>", []],
  ["work as it is sent", "work.>", []],
  ["everybody's replies", "_INBOX.>", []],
  ["calls of the JetStream API", "$JS.API.>", []],
  ["advisories of the server", "$JS.EVENT.>", []],
  ["stop hints", "hint.stop.*", ["planner", "reflector", ...WORKERS]],
  ["reports of workers", "beat.worker", ["gateway", "planner"]],
  ["reports of what is held for workers", "beat.demand", ["gateway", "planner"]],
  ["reports of model calls", "beat.model", ["gateway"]],
  ["requests for previews", "rpc.plan.preview", ["planner"]],
  ["announced tools", "$KV.TOOLS.>", ["gateway", "planner", ...WORKERS]],
  ["leases", "$KV.LEASES.>", []],
];

describe("the users that npm start generates", () => {
  // PERMISSION-1, PERMISSION-2, PERMISSION-3
  it.each(PUBLISH)("are allowed to %s only if listed: %s", async (_what, subject, who) => {
    const permitted: User[] = [];
    for (const user of USERS) if (await isPermitted(user, "publish", subject)) permitted.push(user);
    expect(permitted.toSorted()).toEqual([...who].toSorted());
  });

  // PERMISSION-4
  it.each(SUBSCRIBE)("are allowed to listen to %s only if listed: %s", async (_what, subject, who) => {
    const permitted: User[] = [];
    for (const user of USERS) if (await isPermitted(user, "subscribe", subject)) permitted.push(user);
    expect(permitted.toSorted()).toEqual([...who].toSorted());
  });

  it("are the only users: a program without credentials is rejected", async () => {
    const { NATS_URL: url = "" } = await nats.settingsFor("gateway");
    const why: string[] = [];
    const givingUp = new AbortController();
    const onTrouble = (_where: string, said: string): void => {
      why.push(said);
      // It tries again meanwhile, without logging the same reason again.
      setTimeout(() => givingUp.abort(), 500);
    };
    const connecting = connectNats({ url }, { name: "stranger", signal: givingUp.signal, onTrouble });
    await expect(connecting).rejects.toThrow();
    expect(why).toEqual([expect.stringMatching(/^it requires a login/)]);
  });

  it("are stored in files that no one else can read", async () => {
    const { NATS_NKEY_SEED: file = "" } = await nats.settingsFor("gateway");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  });
});

describe("a leaked credential of a worker of the pool gpu", () => {
  it("decides no approval on any subject", async () => {
    await using admin = await connectBus({ url: nats.url, name: "test" });
    const settings = readConfig(z.object(natsConfig), await nats.settingsFor("executor", ["gpu"]));
    await using leaked = await connectBus({ ...natsAccess(settings), name: "leaked" });
    const planId = PlanId.parse("leaked");
    const at = "2026-01-01T00:00:00.000Z";
    const event = (type: PlanEvent["type"], data: object): PlanEvent =>
      PlanEvent.parse({ id: `${planId}/${type}`, type, planId, at, data });
    const goal = event("goal.submitted", {
      ...BARE_GOAL,
      goal: "g",
      tenant: "t",
      plan: { steps: [{ id: "pay", tool: "mail.send", args: {} }] },
      grants: { "mail.send": { pool: "default", risk: "high", effect: "once", timeoutMs: 1_000 } },
      approval: { risk: "high", expiresAfterMs: 60_000 },
      maxReplans: 0,
    });
    await createPublish(admin)(factSubject(goal), goal, { id: goal.id });
    const decided = event("approval.decided", {
      approvalId: "risk-pay-0",
      decision: "approve",
      by: "mallory",
    });
    const own = factSubject(
      event("step.started", { stepId: "pay", item: 0, attempt: 1, pool: "gpu", workerId: "mallory" }),
    );
    // On the right subject the server rejects it; on the subjects where it can write, readers do.
    const answer = leaked.connection.request(factSubject(decided), JSON.stringify(decided), {
      timeout: 60_000,
    });
    await expect(answer).rejects.toThrow(/permissions violation/i);
    await createPublish(leaked)(own, decided, { id: "forged" });
    const { state } = await admin.manager.streams.info(STREAMS.plans);
    expect(state.last_seq).toBe(2);
    const plan = await readPlan(admin, planId);
    expect([plan?.seq, [...(plan?.steps.values() ?? [])][0]?.state.status]).toEqual([1, "awaiting-approval"]);
  });
});
