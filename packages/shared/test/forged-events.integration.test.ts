// Attacks by a client that can write on one pool's subjects, with a real nats-server: what the readers of the log
// accept. Until readers checked the writer, they accepted every one of these.
import { BARE_GOAL } from "@planwright/plan/testing";
import { connect, headers as createHeaders } from "@nats-io/transport-node";
import { evolve, type KnownPlan, PlanEvent, PlanId, partitionOf } from "@planwright/plan";
import {
  type Bus,
  connectBus,
  createPublish,
  factSubject,
  followLog,
  lastMessage,
  type LogEntry,
  provision,
  type Publish,
  readPlan,
  readPlanEvents,
  STREAMS,
} from "@planwright/shared/bus";
import { startNats, type TestNats } from "@planwright/testkit";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archivedMessageOf, eventsIn } from "../src/archive/archived-message.ts";
import { readPlanMessages } from "../src/bus/index.ts";

const log = pino({ level: "silent" });
const at = "2026-01-01T00:00:00.000Z";
const grant = { pool: "default", risk: "high", effect: "once", timeoutMs: 1_000 };

let nats: TestNats;
let bus: Bus;
let publish: Publish;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
  publish = createPublish(bus);
});
afterAll(async () => {
  await bus[Symbol.asyncDispose]();
  await nats[Symbol.asyncDispose]();
});

let count = 0;
/** A plan whose step `pay` waits for an approval, and whose step `a` in the pool `gpu` is running. */
async function waitingPlan() {
  const planId = PlanId.parse(`forged-${(count += 1)}`);
  const event = (type: PlanEvent["type"], data: object, id: string = type): PlanEvent =>
    PlanEvent.parse({ id: `${planId}/${id}`, type, planId, at, data });
  const goal = event("goal.submitted", {
    ...BARE_GOAL,
    goal: "g",
    tenant: "t",
    plan: {
      steps: [
        { id: "pay", tool: "mail.send", args: {} },
        { id: "a", tool: "gpu.run", args: {} },
      ],
    },
    grants: { "mail.send": grant, "gpu.run": { ...grant, pool: "gpu", risk: "low", effect: "read" } },
    approval: { risk: "high", expiresAfterMs: 60_000 },
    maxReplans: 0,
  });
  const asked = event("approval.requested", {
    approvalId: "risk-pay-0",
    kind: "tool-risk",
    question: "?",
    stepId: "pay",
    item: 0,
    expiresAfterMs: 60_000,
  });
  await publish(factSubject(goal), goal, { id: goal.id });
  await publish(factSubject(asked), asked, { id: asked.id });
  const plan = await readPlan(bus, planId);
  if (plan === undefined) throw new Error("the plan is not there");
  expect(statusOf(plan, "pay")).toBe("awaiting-approval");
  const prefix = `plan.${partitionOf(planId)}.${planId}`;
  return { planId, event, plan, prefix };
}

const statusOf = (plan: KnownPlan | undefined, stepId: string) =>
  [...(plan?.steps.values() ?? [])].find(({ step }) => step.id === stepId)?.state.status;

const decision = { approvalId: "risk-pay-0", decision: "approve", by: "mallory" };
const result = (stepId: string, pool: string) => ({
  stepId,
  item: 0,
  attempt: 1,
  pool,
  workerId: "mallory",
  startedAt: at,
  durationMs: 1,
  output: { value: "forged" },
});

/** What every kind of reader accepts from the plan's log. */
async function believed(
  planId: PlanId,
): Promise<{ types: string[]; followed: string[]; archived: string[] }> {
  const types = (await Array.fromAsync(readPlanEvents(bus, planId))).map(({ event }) => event.type);
  const archived: string[] = [];
  for await (const message of readPlanMessages(bus, planId)) {
    archived.push(...eventsIn(archivedMessageOf(message)).map(({ type }) => type));
  }
  const followed: string[] = [];
  const onEntry = ({ event }: LogEntry): void => void (event.planId === planId && followed.push(event.type));
  await using follower = await followLog(bus, { from: 1, onEntry, log });
  await follower.caughtUp;
  return { types, followed, archived };
}

const HONEST = ["goal.submitted", "approval.requested"];

describe("a body on a subject where it does not belong is rejected by every reader", () => {
  it.each([
    { name: "a decided approval", type: "approval.decided", data: decision, on: "w.default.pay.0.1.done" },
    {
      name: "a cancellation",
      type: "cancel.requested",
      data: { reason: "r", by: "m" },
      on: "w.default.a.0.1.done",
    },
    {
      name: "another pool's result",
      type: "step.succeeded",
      data: result("a", "gpu"),
      on: "w.default.a.0.1.done",
    },
    {
      name: "another step's result",
      type: "step.succeeded",
      data: result("a", "default"),
      on: "w.default.b.0.1.done",
    },
    {
      name: "a result of the plan's owner",
      type: "step.succeeded",
      data: { ...result("a", "gpu"), pool: undefined },
      on: "w.default.a.0.1.done",
    },
    {
      name: "the plan's end",
      type: "plan.ended",
      data: { outcome: "succeeded", reason: "" },
      on: "w.default.a.0.1.done",
    },
    { name: "a timer", type: "timer.fired", data: { timer: "retry-a-0-2" }, on: "w.default.a.0.1.done" },
  ] as const)("$name on a worker's subject", async ({ type, data, on }) => {
    const { planId, event, prefix, plan } = await waitingPlan();
    const forged = event(type, data, "forged");
    await publish(`${prefix}.${on}`, forged, { id: forged.id });
    expect(await believed(planId)).toEqual({ types: HONEST, followed: HONEST, archived: HONEST });
    expect((await readPlan(bus, planId))?.seq).toBe(plan.seq);
  });

  it("rejects a result from a worker's own pool for a step of another pool", async () => {
    const { planId, event, plan } = await waitingPlan();
    const forged = event("step.succeeded", result("a", "default"), "forged");
    await publish(factSubject(forged), forged, { id: forged.id });
    const after = await readPlan(bus, planId);
    expect([statusOf(after, "a"), after?.seq]).toEqual(["running", plan.seq]);
    const honest = event("step.succeeded", result("a", "gpu"), "honest");
    await publish(factSubject(honest), honest, { id: honest.id, expect: { sequence: 0 } });
    expect(statusOf(await readPlan(bus, planId), "a")).toBe("succeeded");
  });

  it.each([
    { name: "a decided approval", type: "approval.decided", data: decision },
    { name: "a cancellation", type: "cancel.requested", data: { reason: "r", by: "m" } },
    { name: "another pool's result", type: "step.succeeded", data: result("a", "gpu") },
    { name: "the plan's end", type: "plan.ended", data: { outcome: "succeeded", reason: "" } },
  ] as const)("$name in a batch of a worker's results", async ({ type, data }) => {
    const { planId, event, prefix, plan } = await waitingPlan();
    const forged = event(type, data, "forged");
    const own = event("step.succeeded", result("b", "default"), "own");
    const batch = { batch: 1, events: [forged, own] };
    await publish(`${prefix}.w.default.b.0.1.done`, batch, { id: `${planId}/batch` });
    const seen = [...HONEST, "step.succeeded"];
    expect(await believed(planId)).toEqual({ types: seen, followed: seen, archived: seen });
    expect((await readPlan(bus, planId))?.seq).toBe(plan.seq);
  });

  it("rejects an event of another plan on a subject of this one", async () => {
    const [mine, other] = [await waitingPlan(), await waitingPlan()];
    const forged = other.event("approval.decided", decision, "forged");
    await publish(`${mine.prefix}.control.approval.risk-pay-0`, forged, { id: forged.id });
    for (const { planId } of [mine, other]) expect((await believed(planId)).types).toEqual(HONEST);
    expect(evolve(other.plan, forged)).not.toBe(other.plan);
  });
});

describe("the server's scheduler, which writes for any client that can write anywhere in the stream", () => {
  /** A schedule on a worker's own subject, whose message the server stores on any subject of the stream. */
  async function schedule(
    from: string,
    target: string,
    body: object,
    { more = {}, withinMs = 60_000 }: { more?: Record<string, string>; withinMs?: number } = {},
  ) {
    const { state } = await bus.manager.streams.info(STREAMS.plans);
    const connection = await connect({ servers: nats.url });
    const headers = createHeaders();
    headers.set("Nats-Schedule", `@at ${new Date(Date.now() + 300).toISOString()}`);
    headers.set("Nats-Schedule-Target", target);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    await connection.request(from, JSON.stringify(body), { headers, timeout: 60_000 });
    await connection.close();
    const fired = () => bus.manager.direct.getMessage(STREAMS.plans, { last_by_subj: target });
    await expect
      .poll(async () => (await fired())?.seq ?? 0, { timeout: withinMs })
      .toBeGreaterThan(state.last_seq);
  }

  it("is not believed about an approval", async () => {
    const { planId, event, prefix } = await waitingPlan();
    const forged = event("approval.decided", decision, "forged");
    await schedule(`${prefix}.w.default.pay.0.1.started`, factSubject(forged), forged);
    expect(await believed(planId)).toEqual({ types: HONEST, followed: HONEST, archived: HONEST });
    expect(statusOf(await readPlan(bus, planId), "pay")).toBe("awaiting-approval");
  });

  it("accepts no schedule that names its scheduler", async () => {
    const { planId, event, prefix } = await waitingPlan();
    const forged = event("timer.fired", { timer: "expiry-risk-pay-0" }, "forged");
    const by = { "Nats-Scheduler": `timer.${prefix.slice("plan.".length)}.expiry-risk-pay-0` };
    // Long after it would have been written.
    const options = { more: by, withinMs: 2_000 };
    const from = `${prefix}.w.default.pay.0.1.started`;
    await expect(schedule(from, factSubject(forged), forged, options)).rejects.toThrow();
    expect((await believed(planId)).types).toEqual(HONEST);
  });

  it("does not keep a user from deciding: its forged message is skipped", async () => {
    const { planId, event, prefix } = await waitingPlan();
    const forged = event("approval.decided", { ...decision, decision: "reject" }, "forged");
    const subject = factSubject(forged);
    await schedule(`${prefix}.w.default.pay.0.1.started`, subject, forged);
    const honest = event("approval.decided", { ...decision, by: "ann" }, "honest");
    const { duplicate } = await publish(subject, honest, { id: honest.id, expect: { sequence: 0 } });
    expect(duplicate).toBe(false);
    expect(statusOf(await readPlan(bus, planId), "pay")).toBe("running");
    const late = event("approval.decided", { ...decision, by: "bob" }, "late");
    await expect(publish(subject, late, { id: late.id, expect: { sequence: 0 } })).rejects.toThrow(
      "another writer was first",
    );
  });

  it("is not believed about a timer that the plan's dispatcher has not requested", async () => {
    const { planId, event, prefix } = await waitingPlan();
    const forged = event("timer.fired", { timer: "expiry-risk-pay-0" }, "forged");
    await schedule(`${prefix}.w.default.pay.0.1.started`, factSubject(forged), forged);
    expect((await believed(planId)).types).toEqual(HONEST);
  });

  it("cannot hide a submission: the message that counts is found behind the forged one", async () => {
    const { planId, event, prefix, plan } = await waitingPlan();
    const forged = event("goal.submitted", { ...plan.goal, goal: "forged" }, "forged");
    await schedule(`${prefix}.w.default.pay.0.1.started`, factSubject(forged), forged);
    expect((await readPlan(bus, planId))?.goal.goal).toBe("g");
    const found = (await lastMessage(bus, factSubject(forged)))?.json<{ data: { goal: string } }>();
    expect(found?.data.goal).toBe("g");
  });
});

// See docs/security.md. A stream with schedules cannot refuse roll-ups, and the server has no permission for headers.
it("lets any writer of the log empty it by a roll-up, a risk that the allow-lists do not cover", async () => {
  const { planId, event, prefix } = await waitingPlan();
  const connection = await connect({ servers: nats.url });
  const headers = createHeaders();
  headers.set("Nats-Rollup", "all");
  const started = { stepId: "a", item: 0, attempt: 1, pool: "gpu", workerId: "w" };
  const body = JSON.stringify(event("step.started", started));
  await connection.request(`${prefix}.w.gpu.a.0.1.started`, body, { headers, timeout: 60_000 });
  await connection.close();
  expect((await believed(planId)).types).toEqual(["step.started"]);
});
