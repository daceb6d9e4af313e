// Events that a planner decides or reads together are one message of the log, under the same fence as a single event.
import { ApprovalDecided, LogDamaged, type PlanId, readRecords } from "@planwright/plan";
import {
  appendEvent,
  ConflictError,
  createPublish,
  planSubjects,
  readPlan,
  readPlanMessages,
  STREAMS,
} from "@planwright/shared/bus";
import { echo, planText } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDispatcher } from "../src/dispatch/start-dispatcher.ts";
import { dispatchDeps, log, startDispatchBench } from "./support/dispatch-bench.ts";
import { plannedIds, startDraftBench } from "./support/draft-bench.ts";

type Bench = Pick<Awaited<ReturnType<typeof startDispatchBench>>, "bus" | "publish">;

/** The types of a plan's events, by message. */
async function messages({ bus }: Bench, planId: PlanId): Promise<string[][]> {
  const found: string[][] = [];
  for await (const message of readPlanMessages(bus, planId)) {
    const records = readRecords(message.json());
    found.push(records.map((record) => ("event" in record ? record.event.type : "unknown")));
  }
  return found;
}

const pays = { pool: "default", risk: "high", effect: "once", timeoutMs: 5_000 };
const THREE = ["a", "b", "c"].map((id) => echo(id, { value: id }));
const ASKING = {
  grants: { "flow.echo": pays },
  approval: { risk: "high", expiresAfterMs: 60_000 },
};

async function decideEach({ publish }: Bench, planId: PlanId, approvalIds: readonly string[]) {
  for (const approvalId of approvalIds) {
    const head = { planId, at: new Date() };
    const data = { approvalId, decision: "approve", by: "ann" } as const;
    await appendEvent(publish, ApprovalDecided.create(head, data, "test"));
  }
}

it("stores the questions of one turn in one message, and the answer together with the plan's end", async () => {
  await using t = await startDispatchBench();
  await t.worker(async ({ args }) => args["value"] ?? null);
  await using _dispatcher = await t.dispatcher();
  const asking = await t.submit("asking", THREE, {}, ASKING);
  const plain = await t.submit("plain", THREE, { answerFrom: "c" });
  await expect
    .poll(() => messages(t, asking))
    .toEqual([["goal.submitted"], ["approval.requested", "approval.requested", "approval.requested"]]);
  await t.ended(plain);
  expect((await messages(t, plain)).at(-1)).toEqual(["answer.given", "plan.ended"]);
  const { state } = await t.bus.manager.streams.info(STREAMS.plans, {
    subjects_filter: `${planSubjects(plain).slice(0, -1)}d.>`,
  });
  expect(Object.keys(state.subjects ?? {})).toEqual([expect.stringMatching(/\.d\.plan-ended$/)]);
});

it("takes a plan over from a log with batches, and stores nothing of them again", async () => {
  await using t = await startDispatchBench();
  await t.worker(async ({ args }) => args["value"] ?? null);
  const first = await t.dispatcher();
  const planId = await t.submit("p1", THREE, { answerFrom: "c" }, ASKING);
  await expect.poll(async () => (await messages(t, planId)).length).toBe(2);
  await first[Symbol.asyncDispose]();
  await using _second = await t.dispatcher();
  const [, asked] = await Array.fromAsync(readPlanMessages(t.bus, planId));
  const waiting = await readPlan(t.bus, planId);
  expect(waiting?.approvals.size).toBe(3);
  await decideEach(t, planId, [...(waiting?.approvals.keys() ?? [])]);
  const plan = await t.ended(planId);
  expect([plan.status, plan.damage]).toEqual(["succeeded", undefined]);
  const types = (await messages(t, planId)).flat();
  expect(types.filter((type) => type === "approval.requested").length).toBe(3);
  expect(types.filter((type) => type === "plan.ended").length).toBe(1);
  expect(asked?.subject).toMatch(/\.d\.approval-requested$/);
});

it("stores the end separately when another event arrived before the answer, and decides it from that", async () => {
  await using t = await startDispatchBench();
  await t.worker(async ({ args }) => args["value"] ?? null);
  const bus = await t.connect();
  const store = createPublish(bus);
  let times = 0;
  const publish: typeof store = async (subject, body, options) => {
    // Another service is faster than the dispatcher, which has not read its event yet.
    if (options.events?.length === 2 && subject.endsWith(".d.plan-ended") && times++ === 0) {
      const [, , planId = ""] = subject.split(".");
      const head = { planId: planId as PlanId, at: new Date() };
      await appendEvent(store, LogDamaged.create(head, { reason: "a test", by: "ann" }));
    }
    return store(subject, body, options);
  };
  const deps = { ...dispatchDeps(bus), publish, plannerId: "planner-x", log };
  await using _dispatcher = await startDispatcher(deps);
  const planId = await t.submit("p1", THREE, { answerFrom: "c" });
  expect(await t.ended(planId)).toMatchObject({ status: "succeeded", damage: "a test" });
  expect((await messages(t, planId)).slice(-3)).toEqual([["log.damaged"], ["answer.given"], ["plan.ended"]]);
});

it("repeats decisions that were made while an earlier decision was being refused", async () => {
  await using t = await startDispatchBench();
  await t.worker(async ({ args }) => args["value"] ?? null);
  const bus = await t.connect();
  const store = createPublish(bus);
  const refusal = Promise.withResolvers<void>();
  let decisions = 0;
  const publish: typeof store = async (subject, body, options) => {
    if (subject.includes(".d.") && decisions++ === 0) {
      await refusal.promise;
      throw new ConflictError("another planner was first");
    }
    return store(subject, body, options);
  };
  const deps = { ...dispatchDeps(bus), publish, plannerId: "planner-x", log };
  await using _dispatcher = await startDispatcher(deps);
  const planId = await t.submit("p1", [
    { id: "first", tool: "human.ask", args: { question: "?" } },
    echo("a", { value: 1 }),
    { id: "second", tool: "human.ask", args: { question: "?" }, dependsOn: ["a"] },
  ]);
  await expect.poll(() => t.types(planId)).toContain("step.succeeded");
  // Once its own later plan has run, the dispatcher has read that event and decided.
  await t.ended(await t.submit("p2", [echo("a", { value: 1 })]));
  refusal.resolve();
  const asked = async () => (await t.types(planId)).filter((type) => type === "approval.requested");
  await expect.poll(asked).toHaveLength(2);
});

it("stores steps of a draft together when they arrive together", async () => {
  const steps = [echo("s1"), echo("s2"), echo("s3", { value: { $ref: "s1.output" } })];
  await using bench = await startDraftBench({ plan: planText({ steps, answerFrom: "s3" }) });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  expect(await bench.ended(planId)).toMatchObject({ type: "plan.sealed", data: { steps: 3 } });
  expect(plannedIds(await bench.events(planId))).toEqual(["s1", "s2", "s3"]);
  const [, started, ...rest] = await messages(bench, planId);
  expect(started).toEqual(["draft.started"]);
  expect(rest.flat()).toEqual(["step.planned", "step.planned", "step.planned", "plan.sealed"]);
  expect(rest.length).toBeLessThanOrEqual(2);
});
