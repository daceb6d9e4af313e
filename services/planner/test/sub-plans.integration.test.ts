// Sub-plans with a real nats-server: a parent in one partition, its child in another, planners that die in between.
import {
  decide,
  PlanEvent,
  type PlanId,
  partitionOf,
  PlanId as Id,
  StepId,
  subPlanId,
} from "@planwright/plan";
import { factSubject, readPlan } from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { tellSubPlan } from "../src/dispatch/tell-sub-plan.ts";
import { dispatchDeps, startDispatchBench } from "./support/dispatch-bench.ts";

type Bench = Awaited<ReturnType<typeof startDispatchBench>>;

const runs = (id: string, args: object, more: object = {}) => ({ id, tool: "plan.run", args, ...more });
const childOf = (planId: PlanId, stepId: string, attempt = 1) =>
  subPlanId(planId, { stepId: StepId.parse(stepId), item: 0, attempt });
const inner = { steps: [echo("x", { value: 6 }), echo("y", { value: { $ref: "x.output" } })] };

/** Answers each step with its value; steps named `slow` once the gate is open. */
async function workWithGate(t: Bench) {
  const gate = Promise.withResolvers<void>();
  const ran: string[] = [];
  await t.worker(async ({ planId, stepId, args }) => {
    ran.push(`${planId}/${stepId}`);
    if (stepId === "slow") await gate.promise;
    return args["value"] ?? null;
  });
  return { ran, open: () => gate.resolve(), [Symbol.dispose]: () => gate.resolve() };
}

/** A parent id whose child belongs to another partition. */
function idBesides(stepId: string): string {
  for (let number = 0; ; number++) {
    const planId = Id.parse(`parent-${number}`);
    if (partitionOf(planId) !== partitionOf(childOf(planId, stepId))) return planId;
  }
}

async function cancel(t: Bench, planId: PlanId): Promise<void> {
  const event = PlanEvent.parse({
    id: `${planId}/cancel.requested`,
    type: "cancel.requested",
    planId,
    at: new Date().toISOString(),
    data: { reason: "not needed", by: "ann" },
  });
  await t.publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } });
}

describe("a sub-plan", () => {
  it("returns its answer to the step that requested it, across up to three levels", async () => {
    await using t = await startDispatchBench();
    using _work = await workWithGate(t);
    await using _one = await t.dispatcher();
    await using _other = await t.dispatcher();
    const third = { steps: [echo("deep", { value: "found" })] };
    const second = { steps: [runs("c", { plan: third })] };
    const first = { steps: [runs("b", { plan: second })] };
    const planId = await t.submit(idBesides("a"), [
      runs("a", { plan: first }),
      echo("last", { value: "{{a.output.text}}!" }),
    ]);
    const plan = await t.ended(planId);
    expect(plan).toMatchObject({ status: "succeeded", conclusion: { answer: { text: "found!" } } });
    const child = await t.ended(childOf(planId, "a"));
    expect(child.goal.parent).toEqual({ planId, stepId: "a", item: 0, attempt: 1, depth: 1 });
    const grandchild = await t.ended(childOf(childOf(child.planId, "b"), "c"));
    expect(grandchild.goal.parent?.depth).toBe(3);
    expect(grandchild.goal.trace.traceId).toBe(plan.goal.trace.traceId);
    expect((await t.types(planId)).filter((type) => type === "step.started")).toHaveLength(1);
  });

  it("without a valid plan fails its step with a specific reason", async () => {
    await using t = await startDispatchBench();
    using _work = await workWithGate(t);
    await using _dispatcher = await t.dispatcher();
    const planId = await t.submit("p1", [
      echo("made", { value: { steps: [{ id: "x", tool: "none" }] } }),
      runs("a", { plan: { $ref: "made.output" } }),
    ]);
    const stateOf = async () => (await readPlan(t.bus, planId))?.steps.get(StepId.parse("a"))?.state;
    await expect.poll(stateOf).toMatchObject({
      status: "failed",
      error: { code: "invalid_sub_plan", message: expect.stringContaining("there is no tool") },
    });
  });

  it("whose answer is too large for an event has it stored among its parent's artifacts", async () => {
    await using t = await startDispatchBench();
    await t.worker(async ({ stepId, args }) =>
      stepId === "big" ? "x".repeat(60_000) : (args["value"] ?? null),
    );
    await using _dispatcher = await t.dispatcher();
    const big = {
      steps: [echo("big", { value: 1 }), echo("all", { value: "{{big.output}}{{big.output}}" })],
    };
    const planId = await t.submit("p1", [runs("a", { plan: big })]);
    await t.ended(planId);
    const state = (await readPlan(t.bus, planId))?.steps.get(StepId.parse("a"))?.state;
    expect(state).toMatchObject({
      status: "succeeded",
      output: { artifact: { name: "outputs/a-0-1.json" } },
    });
  });

  it("whose answer is too large for an event still lets a step run for each item of a list in it", async () => {
    await using t = await startDispatchBench();
    await t.worker(async ({ stepId, args }) =>
      stepId === "big" ? { rows: [1, 2, 3], rest: "x".repeat(80_000) } : (args["value"] ?? null),
    );
    await using _dispatcher = await t.dispatcher();
    const big = { steps: [echo("big", { value: 1 })], answerFrom: "big" };
    const planId = await t.submit("p1", [
      runs("a", { plan: big }),
      { ...echo("each", { value: "{{item}}" }), dependsOn: ["a"], forEach: { $ref: "a.output.data.rows" } },
    ]);
    const stateOf = async (id: string) => (await readPlan(t.bus, planId))?.steps.get(StepId.parse(id))?.state;
    await expect
      .poll(async () => ["succeeded", "failed"].includes((await stateOf("each"))?.status ?? ""))
      .toBe(true);
    expect(await stateOf("a")).toMatchObject({ output: { lists: { "data.rows": 3 } } });
    expect(await stateOf("each")).toMatchObject({ status: "succeeded" });
  });

  it("is submitted by the planner that takes over its parent, if the previous planner died before", async () => {
    await using t = await startDispatchBench();
    using work = await workWithGate(t);
    const planId = await t.submit(idBesides("a"), [runs("a", { plan: inner })]);
    // The log names the sub-plan, but it was never submitted.
    const child = childOf(planId, "a");
    const started = PlanEvent.parse({
      id: `${planId}/a/0/1/started`,
      type: "step.started",
      planId,
      at: new Date().toISOString(),
      data: { stepId: "a", item: 0, attempt: 1, workerId: "planner", subPlan: child },
    });
    await t.publish(factSubject(started), started, { id: started.id });
    await using _dispatcher = await t.dispatcher();
    expect(await t.ended(planId)).toMatchObject({
      status: "succeeded",
      conclusion: { answer: { text: "6" } },
    });
    expect(work.ran).toEqual([`${child}/x`, `${child}/y`]);
  });

  it("continues while planners are killed, and runs once", async () => {
    await using t = await startDispatchBench();
    using work = await workWithGate(t);
    const doomed = await t.planner();
    const planId = await t.submit(idBesides("a"), [
      runs("a", { plan: { steps: [echo("slow", { value: 7 })] } }),
      echo("b", { value: { $ref: "a.output.data" } }),
    ]);
    const child = childOf(planId, "a");
    await expect.poll(() => work.ran).toEqual([`${child}/slow`]);
    await doomed.kill();
    await using _next = await t.dispatcher();
    work.open();
    expect(await t.ended(planId)).toMatchObject({
      status: "succeeded",
      conclusion: { answer: { text: "7" } },
    });
    expect(work.ran).toEqual([`${child}/slow`, `${planId}/b`]);
  });

  it("knows which parts of its goal another step has inserted", async () => {
    await using t = await startDispatchBench();
    using _work = await workWithGate(t);
    await using _dispatcher = await t.dispatcher();
    const goal = " Report on {{x.output}} ";
    const planId = await t.submit("p1", [echo("x", { value: "figures" }), runs("a", { goal })]);
    const stated = async () => (await readPlan(t.bus, childOf(planId, "a")))?.goal;
    await expect.poll(stated).toMatchObject({
      goal: "Report on figures",
      goalTemplate: "Report on {{x.output}}",
    });
  });

  it("that is handed over while its parent is paused is paused with it, and resumes with it", async () => {
    await using t = await startDispatchBench();
    const planId = await t.submit(idBesides("a"), [runs("a", { plan: inner })]);
    const child = childOf(planId, "a");
    const tell = async (type: string, of: PlanId, data: Readonly<Record<string, unknown>>): Promise<void> => {
      const number = JSON.stringify(data["pause"] ?? 0);
      const event = { id: `${of}/${type}/${number}`, type, planId: of, at: new Date().toISOString(), data };
      const fact = PlanEvent.parse(event);
      await t.publish(factSubject(fact), fact, { id: fact.id });
    };
    await tell("step.started", planId, {
      stepId: "a",
      item: 0,
      attempt: 1,
      workerId: "planner",
      subPlan: child,
    });
    const parent = await readPlan(t.bus, planId);
    const [handOver] = parent === undefined ? [] : decide(parent);
    if (handOver?.kind !== "sub-plan") throw new Error("there is nothing to hand over");
    const paused = async () => (await readPlan(t.bus, child))?.pause?.by;

    // Decided before the pause, stored after it.
    await tell("pause.requested", planId, { pause: 1, reason: "wait", by: "ann" });
    await tellSubPlan(dispatchDeps(t.bus), handOver);
    expect(await paused()).toBe(`plan.run of ${planId}`);
    await tell("resume.requested", planId, { pause: 1, by: "ann" });
    await tellSubPlan(dispatchDeps(t.bus), handOver);
    expect(await paused()).toBeUndefined();

    // A plan paused by a user stays paused.
    await tell("pause.requested", child, { pause: 2, reason: "let me look", by: "bob" });
    await tellSubPlan(dispatchDeps(t.bus), handOver);
    expect(await paused()).toBe("bob");
  });

  it("is cancelled with its parent, which ends after it", async () => {
    await using t = await startDispatchBench();
    using work = await workWithGate(t);
    await using _dispatcher = await t.dispatcher();
    const planId = await t.submit(idBesides("a"), [
      runs("a", { plan: { steps: [runs("b", { plan: { steps: [echo("slow", { value: 1 })] } })] } }),
    ]);
    const child = childOf(planId, "a");
    const grandchild = childOf(child, "b");
    await expect.poll(() => work.ran).toEqual([`${grandchild}/slow`]);
    await cancel(t, planId);
    expect((await t.ended(planId)).status).toBe("cancelled");
    // No need to wait: both have already ended.
    expect((await readPlan(t.bus, child))?.endedAt).toBeDefined();
    expect((await readPlan(t.bus, grandchild))?.status).toBe("cancelled");
  });

  it("is cancelled by the planner that takes over its parent, if the previous planner died during the cancellation", async () => {
    await using t = await startDispatchBench();
    using work = await workWithGate(t);
    const first = await t.dispatcher();
    const planId = await t.submit(idBesides("a"), [
      runs("a", { plan: { steps: [echo("slow", { value: 1 })] } }),
    ]);
    await expect.poll(() => work.ran).toHaveLength(1);
    await first[Symbol.asyncDispose]();
    await cancel(t, planId);
    await using _next = await t.dispatcher();
    expect((await t.ended(planId)).status).toBe("cancelled");
    expect((await readPlan(t.bus, childOf(planId, "a")))?.status).toBe("cancelled");
  });

  it("is stopped even if its submission can no longer be read", async () => {
    await using t = await startDispatchBench();
    using work = await workWithGate(t);
    const first = await t.dispatcher();
    const planId = await t.submit(idBesides("a"), [
      runs("a", { plan: { steps: [echo("slow", { value: 1 })] } }),
    ]);
    await expect.poll(() => work.ran).toHaveLength(1);
    await first[Symbol.asyncDispose]();
    await cancel(t, planId);
    const parent = await readPlan(t.bus, planId);
    const told = (parent === undefined ? [] : decide(parent)).find(({ kind }) => kind === "sub-plan");
    if (told?.kind !== "sub-plan" || told.control === undefined) throw new Error("it is not told to stop");
    const fault = { code: "unresolved_reference", message: "x has no output" };
    await tellSubPlan(dispatchDeps(t.bus), { ...told, submission: { ...told.submission, args: {}, fault } });
    expect(await t.types(childOf(planId, "a"))).toContain("cancel.requested");
  });
});
