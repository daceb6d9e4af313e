// Deleted plans leave nothing but their tombstone, whatever dies or writes in between; with a real nats-server.
import { LIMITS, PlanEvent, PlanId, StepId, subPlanId } from "@planwright/plan";
import { archivePlan, createArchiveStore } from "@planwright/shared/archive";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  deadLetterSubject,
  decisionSubject,
  draftSubject,
  factSubject,
  planSubjects,
  type Publish,
  stepSubject,
  timerSubject,
} from "@planwright/shared/bus";
import { echo, finishedPlan, openPlanLog } from "@planwright/testkit";
import { expect, it } from "vitest";
import { erasePlan } from "../src/retention/erase-plan.ts";
import { dispatchDeps, startDispatchBench } from "./support/dispatch-bench.ts";

type Bench = Awaited<ReturnType<typeof startDispatchBench>>;

const SECRET = "kzqxv-secret";
const TRACE = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false };
const AT = "2026-01-01T00:00:00.000Z";

function eraseDeps(bus: Bus) {
  return { ...dispatchDeps(bus), archives: createArchiveStore(bus) };
}

/** An ended plan with data in every stream. */
async function storeEverything(t: Bench, id: string, { archived }: { archived: boolean }): Promise<PlanId> {
  const planId = PlanId.parse(id);
  const planLog = openPlanLog(t.bus);
  for (const event of finishedPlan(id, { goal: SECRET, metadata: { SECRET }, steps: 2 }))
    await planLog.put(event);
  const artifacts = createArtifactStore(t.bus);
  const text = (letter: string, times: number) => Buffer.from(`${letter}${SECRET} `.repeat(times));
  await artifacts.put(planId, "small.txt", text("s", 1), "text/plain");
  await artifacts.put(planId, "large.txt", text("a", 100_000), "text/plain");
  // No artifact refers to the first content any more.
  await artifacts.put(planId, "large.txt", text("b", 100_000), "text/plain");
  const at = new Date(Date.now() + 86_400_000);
  const target = `${planSubjects(planId).slice(0, -1)}t.retry`;
  await t.publish(timerSubject(planId, "retry"), { SECRET }, { id: `${id}-timer`, schedule: { at, target } });
  const step = { planId, stepId: "s1", item: 0, attempt: 1, sentAfter: 0, pool: "default" };
  for (const subject of [stepSubject(step), draftSubject({ planId, draft: 1 })]) {
    await t.publish(subject, { SECRET }, { id: `${subject}-work` });
    await t.publish(deadLetterSubject(subject), { SECRET }, { id: `${subject}-dead` });
  }
  if (archived) await archivePlan(eraseDeps(t.bus), planId);
  return planId;
}

function requestOf(planId: PlanId): PlanEvent {
  const data = { by: "default", trace: TRACE };
  return PlanEvent.parse({
    id: `${planId}/delete.requested`,
    type: "delete.requested",
    planId,
    at: AT,
    data,
  });
}

async function request(t: Bench, planId: PlanId): Promise<void> {
  const event = requestOf(planId);
  await t.publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } });
}

/** The subjects of all messages, in all streams and buckets, whose subject, headers or body contain a text. */
async function findEverywhere(bus: Bus, text: string): Promise<string[]> {
  const found: string[] = [];
  let looked = 0;
  for await (const { config, state } of bus.manager.streams.list()) {
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await bus.manager.streams.getMessage(config.name, { seq }).catch(() => null);
      if (message === null) continue;
      looked += 1;
      const headers = [...message.header].flatMap(([name, values]) => [name, ...values]).join(" ");
      const name = Buffer.from(message.subject.split(".").at(-1) ?? "", "base64url").toString();
      const whole = `${message.subject} ${name} ${headers} ${Buffer.from(message.data).toString()}`;
      if (whole.includes(text)) found.push(`${config.name} ${message.subject}`);
    }
  }
  expect(looked).toBeGreaterThan(0);
  return found;
}

function tombstoneSubject(planId: PlanId): string {
  return `PLANS ${planSubjects(planId).slice(0, -1)}control.submitted`;
}

it.each([{ archived: false }, { archived: true }])(
  "leaves nothing of a plan in any stream, bucket or object, archived: $archived",
  async ({ archived }) => {
    await using t = await startDispatchBench();
    const planId = await storeEverything(t, "doomed", { archived });
    const kept = await storeEverything(t, "kept", { archived });
    const others = (await findEverywhere(t.bus, "kept")).length;
    expect((await findEverywhere(t.bus, SECRET)).length).toBeGreaterThan(14);
    await using _planner = await t.dispatcher();
    await request(t, planId);
    await expect.poll(() => t.types(planId)).toEqual(["plan.deleted"]);
    expect(await findEverywhere(t.bus, planId)).toEqual([tombstoneSubject(planId)]);
    expect((await findEverywhere(t.bus, "kept")).length).toBe(others);
    const [tombstone] = await openPlanLog(t.bus).events(planId);
    expect(tombstone?.data).toEqual({ tenant: "default", trace: TRACE });

    // A secret that only this plan contained is gone everywhere.
    await request(t, kept);
    await expect.poll(() => t.types(kept)).toEqual(["plan.deleted"]);
    expect(await findEverywhere(t.bus, SECRET)).toEqual([]);
  },
);

/** A bus that fails at the call with this number: before the call is made, or after it. */
function breaking(bus: Bus, publish: Publish, { at, after }: { at: number; after: boolean }) {
  let calls = 0;
  const counted = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    calls += 1;
    if (calls === at && !after) throw new Error("killed");
    const result = await call();
    if (calls === at) throw new Error("killed");
    return result;
  };
  const purge: Bus["manager"]["streams"]["purge"] = (stream, options) =>
    counted(() => bus.manager.streams.purge(stream, options));
  const streams = Object.assign(Object.create(bus.manager.streams), { purge });
  const manager = Object.assign(Object.create(bus.manager), { streams });
  const broken: Publish = (...args) => counted(() => publish(...args));
  return { deps: { ...eraseDeps({ ...bus, manager }), publish: broken }, calls: () => calls };
}

it("finishes a deletion interrupted at any point, and finds it at the next start (ERASE-1, ERASE-3)", async () => {
  await using t = await startDispatchBench();
  for (const after of [false, true]) {
    for (let at = 1, isOver = false; !isOver; at++) {
      const planId = await storeEverything(t, `broken-${at}-${after}`, { archived: at % 2 === 0 });
      await request(t, planId);
      const { deps, calls } = breaking(t.bus, t.publish, { at, after });
      isOver = await erasePlan(deps, planId).then(
        () => true,
        () => false,
      );
      expect(calls()).toBeGreaterThan(0);
      // Either it can be found again, or it is complete.
      const types = await t.types(planId);
      const isRequested = types.includes("delete.requested");
      expect([planId, isRequested || types.join() === "plan.deleted"]).toEqual([planId, true]);
    }
  }
  await using _planner = await t.dispatcher();
  await expect.poll(() => findEverywhere(t.bus, SECRET), { timeout: 30_000 }).toEqual([]);
}, 120_000);

it("deletes sub-plans with their parent, but not plans that only another log calls its sub-plans (ERASE-2, ERASE-4)", async () => {
  await using t = await startDispatchBench();
  await t.worker(async ({ args }) => args["value"] ?? null);
  await using _planner = await t.dispatcher();
  const runs = (id: string, plan: object) => ({ id, tool: "plan.run", args: { plan } });
  const childOf = (planId: PlanId, stepId: string) =>
    subPlanId(planId, { stepId: StepId.parse(stepId), item: 0, attempt: 1 });
  const inner = { steps: [runs("b", { steps: [echo("deep", { value: SECRET })] })] };
  const parent = await t.submit("parent", [runs("a", inner)]);
  await t.ended(parent);
  const child = childOf(parent, "a");
  const victim = PlanId.parse("victim");
  const planLog = openPlanLog(t.bus);
  for (const event of finishedPlan(victim)) await planLog.put(event);
  const data = {
    stepId: "z",
    item: 0,
    attempt: 1,
    workerId: "w",
    delivery: 1,
    subPlan: victim,
    pool: "default",
  };
  await planLog.put(PlanEvent.parse({ id: "forged", type: "step.started", planId: parent, at: AT, data }));

  await request(t, parent);
  for (const planId of [parent, child, childOf(child, "b")]) {
    await expect.poll(() => t.types(planId)).toEqual(["plan.deleted"]);
  }
  expect(await findEverywhere(t.bus, SECRET)).toEqual([]);
  expect(await t.types(victim)).toContain("plan.ended");
  expect(LIMITS.subPlanDepthMax).toBeGreaterThan(1);
});

it("waits for a sub-plan that has not ended, and deletes nothing before it has (ERASE-2)", async () => {
  await using t = await startDispatchBench();
  const parent = PlanId.parse("hasty");
  const subPlan = PlanId.parse("open-child");
  const planLog = openPlanLog(t.bus);
  const [submitted, ...rest] = finishedPlan(parent);
  const data = { stepId: "s1", item: 0, attempt: 1, workerId: "planner", delivery: 1, subPlan };
  const begun = PlanEvent.parse({ id: "begun", type: "step.started", planId: parent, at: AT, data });
  if (submitted !== undefined) await planLog.put(submitted);
  await t.publish(decisionSubject(begun), begun, { id: begun.id });
  for (const event of rest) await planLog.put(event);
  const events = finishedPlan(subPlan).map((event) =>
    event.type === "goal.submitted"
      ? {
          ...event,
          data: {
            ...event.data,
            parent: { planId: parent, stepId: StepId.parse("s1"), item: 0, attempt: 1, depth: 1 },
          },
        }
      : event,
  );
  const [end] = events.splice(-1);
  for (const event of events) await planLog.put(event);
  await request(t, parent);
  await expect(erasePlan(eraseDeps(t.bus), parent)).rejects.toThrow(
    "open-child cannot be deleted: it has not ended",
  );
  expect(await t.types(parent)).toContain("goal.submitted");
  if (end !== undefined) await planLog.put(end);
  await erasePlan(eraseDeps(t.bus), parent);
  expect([await t.types(parent), await t.types(subPlan)]).toEqual([["plan.deleted"], ["plan.deleted"]]);
});

it("erases late events of a deleted plan, which restore nothing", async () => {
  await using t = await startDispatchBench();
  await using _planner = await t.dispatcher();
  const planId = await storeEverything(t, "late", { archived: false });
  await request(t, planId);
  await expect.poll(() => t.types(planId)).toEqual(["plan.deleted"]);
  await createArtifactStore(t.bus).put(planId, "late.txt", Buffer.from(SECRET), "text/plain");
  const run = {
    stepId: "s1",
    item: 0,
    attempt: 2,
    workerId: "slept",
    startedAt: AT,
    durationMs: 1,
    pool: "default",
  };
  const data = { ...run, output: { value: SECRET } };
  const late = PlanEvent.parse({ id: "late-result", type: "step.succeeded", planId, at: AT, data });
  await t.publish(factSubject(late), late, { id: late.id });
  await expect.poll(() => findEverywhere(t.bus, SECRET)).toEqual([]);
  expect(await t.types(planId)).toEqual(["plan.deleted"]);
});

it("leaves no archive behind when the plan is deleted while it is being archived", async () => {
  await using t = await startDispatchBench();
  const planId = await storeEverything(t, "raced", { archived: false });
  const deps = eraseDeps(t.bus);
  let isDeleted = false;
  const publish: Publish = async (...args) => {
    // Before the archiver's tombstone: the archive has already been stored.
    if (!isDeleted) {
      isDeleted = true;
      await request(t, planId);
      await erasePlan(deps, planId);
    }
    return t.publish(...args);
  };
  await archivePlan({ ...deps, publish }, planId);
  expect(isDeleted).toBe(true);
  expect(await t.types(planId)).toEqual(["plan.deleted"]);
  expect(await findEverywhere(t.bus, SECRET)).toEqual([]);

  // A plan whose deletion is only requested is left to that deletion.
  const pending = await storeEverything(t, "pending", { archived: false });
  await request(t, pending);
  await archivePlan(deps, pending);
  expect(await t.types(pending)).toContain("delete.requested");
  expect(await deps.archives.head(pending)).toBeUndefined();
});
