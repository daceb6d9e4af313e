// How the dispatcher handles logs that contain fewer or more events than expected.
import type { PlanId } from "@planwright/plan";
import { planSubjects, readPlanEvents, STREAMS } from "@planwright/shared/bus";
import { echo, newerFacts } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDispatchBench } from "./support/dispatch-bench.ts";

type Bench = Awaited<ReturnType<typeof startDispatchBench>>;

const CHAIN = [
  echo("a", { value: 1 }),
  echo("b", { value: { $ref: "a.output" } }),
  echo("c", { value: { $ref: "b.output" } }),
];

/** A worker that finishes `step` only when it is released. */
async function holdUp(bench: Bench, step: string) {
  const runs: string[] = [];
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  await bench.worker(async ({ stepId, args }) => {
    runs.push(stepId);
    if (stepId === step) await gate;
    return args["value"] ?? null;
  });
  return { runs, letGo };
}

async function remove({ bus }: Bench, planId: PlanId, type: string): Promise<void> {
  for await (const { event, sequence } of readPlanEvents(bus, planId)) {
    if (event.type === type) return void (await bus.manager.streams.deleteMessage(STREAMS.plans, sequence));
  }
  throw new Error(`there is no ${type}`);
}

it("stops a plan from whose log an outcome has vanished, and re-runs none of it", async () => {
  await using t = await startDispatchBench();
  const { runs, letGo } = await holdUp(t, "b");
  const first = await t.dispatcher();
  const planId = await t.submit("p1", CHAIN);
  await expect.poll(() => runs).toEqual(["a", "b"]);
  await first[Symbol.asyncDispose]();
  await remove(t, planId, "step.succeeded");
  letGo();
  await expect.poll(() => t.types(planId)).toEqual(["goal.submitted", "step.succeeded"]);
  await using _second = await t.dispatcher();
  expect(await t.ended(planId)).toMatchObject({
    status: "failed",
    damage: "an event before p1/b/0/1/done is missing",
    conclusion: { reason: expect.stringContaining("log is damaged") },
  });
  expect(runs).toEqual(["a", "b"]);
});

it("stops a plan when an event has vanished from the end of its log, even if nothing follows it", async () => {
  await using t = await startDispatchBench();
  const { runs, letGo } = await holdUp(t, "b");
  await using _dispatcher = await t.dispatcher();
  const planId = await t.submit("p1", CHAIN);
  const whole = await t.submit("p2", CHAIN);
  await expect.poll(() => runs.toSorted()).toEqual(["a", "a", "b", "b"]);
  await remove(t, planId, "step.succeeded");
  expect(await t.ended(planId)).toMatchObject({
    status: "failed",
    damage: "the end of its log is missing",
    conclusion: { reason: expect.stringContaining("log is damaged") },
  });
  letGo();
  const other = await t.ended(whole);
  expect([other.status, other.damage]).toEqual(["succeeded", undefined]);
});

it("marks a plan whose decisions vanished while it was running", async () => {
  await using t = await startDispatchBench();
  const { runs, letGo } = await holdUp(t, "slow");
  await using _dispatcher = await t.dispatcher();
  const lost = [
    echo("a", { value: 1 }),
    echo("bad", { value: { $ref: "a.output.nowhere" } }),
    echo("c", { value: 1, dependsOn: ["bad"] }),
  ];
  const planId = await t.submit("p1", [...lost, echo("slow", { value: 1 })], { answerFrom: "slow" });
  await expect.poll(() => t.types(planId)).toContain("step.skipped");
  await expect.poll(() => runs).toContain("slow");
  // An event follows it, so that it is missing in the middle.
  await t.publish(`${planSubjects(planId).slice(0, -1)}r.slow.0.1.noted`, { planId }, { id: "noted" });
  await remove(t, planId, "step.skipped");
  letGo();
  // Its owner still knows the vanished events, and had all it needed for the answer.
  expect(await t.ended(planId)).toMatchObject({
    status: "partial",
    damage: expect.stringMatching(/\d+ of \d+ events is missing/),
  });
});

it("stops the open plans of a log that was emptied, and keeps working with new ones", async () => {
  await using t = await startDispatchBench();
  const { runs, letGo } = await holdUp(t, "b");
  await using _dispatcher = await t.dispatcher();
  const planId = await t.submit("p1", CHAIN);
  await expect.poll(() => runs).toEqual(["a", "b"]);
  await t.bus.manager.streams.purge(STREAMS.plans);
  await expect.poll(() => t.types(planId)).toEqual(["log.damaged", "answer.given", "plan.ended"]);
  letGo();
  const next = await t.submit("p2", CHAIN);
  expect(await t.ended(next)).toMatchObject({ status: "succeeded" });
});

it("keeps events of newer versions, including decisions, and continues the plan", async () => {
  await using t = await startDispatchBench();
  const { runs, letGo } = await holdUp(t, "b");
  const first = await t.dispatcher();
  const planId = await t.submit("p1", CHAIN);
  await expect.poll(() => runs).toEqual(["a", "b"]);
  const newer = newerFacts(t.bus, planId);
  await newer.store("while it runs");
  await first[Symbol.asyncDispose]();
  await newer.store("while nobody looks");
  letGo();
  await using _second = await t.dispatcher();
  const plan = await t.ended(planId);
  expect([plan.status, plan.damage, plan.seq]).toEqual(["succeeded", undefined, 6]);
  expect(await newer.kept()).toBe(10);
});
