// Several light steps in one message: their outcomes are stored together, and steps that do not run are returned.
import { BARE_GOAL } from "@planwright/plan/testing";
import {
  evolve,
  GoalSubmitted,
  type KnownPlan,
  noPlan,
  type PlanEvent,
  StepSucceeded,
  ToolSpec,
  UnitId,
  type UnitWork,
  workOfUnit,
} from "@planwright/plan";
import {
  appendEvent,
  BUCKETS,
  type Bus,
  createPublish,
  openRegistry,
  readPlan,
  readPlanEvents,
  STREAMS,
  stopSubject,
  unitSubject,
  unitSubjects,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool, type Tool } from "../src/tools/define-tool.ts";
import { flowEcho } from "../src/tools/flow-echo.ts";
import { type ExecutorBench, PLAN_ID, startExecutorBench } from "./support/executor-bench.ts";

const TRACE = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false };
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 60_000, light: true };
const HEAD = { planId: PLAN_ID, at: new Date("2026-01-01T00:00:00Z") };
const ref = (id: string) => ({ value: { $ref: `${id}.output` } });
const CHAIN = [
  { id: "a", args: { value: 1 } },
  { id: "b", args: ref("a") },
  { id: "c", args: ref("b") },
];

/** Submits a plan; returns the one unit that contains all of its steps. */
async function storePlan(bus: Bus, steps: readonly object[], tool = "flow.echo"): Promise<UnitWork> {
  const goal = GoalSubmitted.parse({
    ...HEAD,
    id: "goal",
    type: "goal.submitted",
    at: HEAD.at.toISOString(),
    data: {
      ...BARE_GOAL,
      trace: TRACE,
      goal: "one unit",
      tenant: "local",
      strategy: "parallel",
      plan: { steps: steps.map((step) => ({ tool, ...step })) },
      grants: { "flow.echo": GRANT, "test.wait": GRANT },
      maxReplans: 0,
    },
  });
  await appendEvent(createPublish(bus), goal);
  const plan = evolve(noPlan, goal);
  const work = plan.status === "absent" ? undefined : workOfUnit(plan, UnitId.parse("a"));
  if (work === undefined) throw new Error("wanted a unit");
  return work;
}

/**
 * @param earlier - How often other workers had it.
 * @param id - The message's id: with another one, the unit is sent again.
 */
async function send(bus: Bus, work: UnitWork, earlier = 0, id = "unit"): Promise<void> {
  const headers = { "Planwright-Earlier-Deliveries": String(earlier) };
  await createPublish(bus)(unitSubject(work), work, { id, ...(earlier === 0 ? {} : { headers }) });
}

/** Resolves once the message is acknowledged. */
async function untilDone({ bus }: ExecutorBench): Promise<KnownPlan> {
  const waiting = async () =>
    Object.keys(
      (await bus.manager.streams.info(STREAMS.work, { subjects_filter: ">" })).state.subjects ?? {},
    );
  await expect.poll(waiting).toEqual([]);
  const plan = await readPlan(bus, PLAN_ID);
  if (plan === undefined) throw new Error("wanted a plan");
  return plan;
}

async function eventsOf(bus: Bus): Promise<PlanEvent[]> {
  const events: PlanEvent[] = [];
  for await (const { event } of readPlanEvents(bus, PLAN_ID)) events.push(event);
  return events;
}

/** An executor whose units have enough time even on a busy machine. */
const unhurried = (tools: readonly Tool[]) =>
  startExecutorBench(tools, () => Promise.resolve(), { unitMs: 60_000 });

const statuses = ({ steps }: KnownPlan): string[] => [...steps.values()].map(({ state }) => state.status);

/** The steps' tool: it reports that it is called, and waits until it can continue. */
function waiting(): { tool: Tool; calls: string[]; called: Promise<void>; goOn: () => void } {
  const calls: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "test.wait",
    description: "Waits.",
    input: z.strictObject({ value: AnyJson }),
    output: AnyJson,
    risk: "low",
    effect: "read",
    light: true,
    timeoutMs: 60_000,
    run: async ({ value }) => {
      calls.push(JSON.stringify(value));
      called.resolve();
      await promise;
      return value;
    },
  });
  return { tool, calls, called: called.promise, goOn: resolve };
}

it("runs a unit as a graph, and stores all outcomes in one message (RUNUNIT-1)", async () => {
  await using bench = await unhurried([flowEcho()]);
  const steps = [...CHAIN, { id: "d", args: { value: [{ $ref: "a.output" }, { $ref: "c.output" }] } }];
  const work = await storePlan(bench.bus, steps);
  await send(bench.bus, work);
  const plan = await untilDone(bench);
  expect(plan.steps.map(({ state }) => state).toArray()).toMatchObject(
    steps.map(({ id }) => [id, { status: "succeeded", output: { value: id === "d" ? [1, 1] : 1 } }]),
  );
  const { state } = await bench.bus.manager.streams.info(STREAMS.plans, {
    subjects_filter: unitSubjects(work),
  });
  expect(Object.values(state.subjects ?? {})).toEqual([1]);
});

it("runs everything except the dependents of a failed step", async () => {
  await using bench = await unhurried([flowEcho()]);
  const steps = [
    { id: "a", args: { wrong: 1 } },
    { id: "b", args: ref("a") },
    { id: "c", args: { value: 3 } },
  ];
  await send(bench.bus, await storePlan(bench.bus, steps));
  const plan = await untilDone(bench);
  expect(statuses(plan)).toEqual(["failed", "waiting", "succeeded"]);
  expect(plan.units.size).toBe(0);
});

it("returns a step whose arguments cannot be resolved, and the dispatcher records why", async () => {
  await using bench = await unhurried([flowEcho()]);
  const steps = [
    { id: "a", args: { value: 1 } },
    { id: "b", args: { value: { $ref: "a.output.price" } } },
  ];
  await send(bench.bus, await storePlan(bench.bus, steps));
  const plan = await untilDone(bench);
  expect(plan.steps.toArray().map(([, { state }]) => state)).toMatchObject([
    { status: "succeeded" },
    { status: "running" },
  ]);
  expect(plan.units.size).toBe(0);
});

it("returns steps that have not begun when its time is up, and finishes the others (RUNUNIT-3)", async () => {
  const { tool, calls, goOn } = waiting();
  await using bench = await startExecutorBench([tool]);
  await send(bench.bus, await storePlan(bench.bus, CHAIN, "test.wait"));
  await expect
    .poll(async () => (await eventsOf(bench.bus)).find(({ type }) => type === "unit.closed")?.data)
    .toMatchObject({ because: "time", kept: ["a"] });
  goOn();
  expect(statuses(await untilDone(bench))).toEqual(["succeeded", "running", "waiting"]);
  expect(calls).toEqual(["1"]);
});

it("returns steps that have not begun when the plan may have stopped (RUNUNIT-3)", async () => {
  const { tool, called, goOn } = waiting();
  await using bench = await unhurried([tool]);
  await send(bench.bus, await storePlan(bench.bus, CHAIN, "test.wait"));
  await called;
  bench.bus.connection.publish(stopSubject(PLAN_ID));
  await expect
    .poll(async () => (await eventsOf(bench.bus)).some(({ type }) => type === "unit.closed"))
    .toBe(true);
  goOn();
  expect(statuses(await untilDone(bench))).toEqual(["succeeded", "running", "waiting"]);
});

function doneBefore({ unit }: UnitWork, stepId: string, workerId: string): PlanEvent {
  const run = { stepId, item: 0, attempt: 1, unit, pool: "default" };
  const ended = { workerId, startedAt: "2026-01-01T00:00:00.000Z", durationMs: 1 };
  return StepSucceeded.create(HEAD, {
    ...run,
    ...ended,
    output: { value: workerId },
    artifacts: [],
  });
}

it("runs the steps that an earlier worker left, and no step twice", async () => {
  await using bench = await unhurried([flowEcho()]);
  const work = await storePlan(bench.bus, CHAIN);
  await appendEvent(createPublish(bench.bus), doneBefore(work, "a", "w0"));
  await send(bench.bus, work, 1);
  const plan = await untilDone(bench);
  expect(plan.steps.toArray().map(([, { state }]) => state)).toMatchObject(
    CHAIN.map(() => ({ status: "succeeded", output: { value: "w0" } })),
  );
  expect((await eventsOf(bench.bus)).length).toBe(4);
});

it("is taken apart at its third delivery, so that the plan sends each step alone", async () => {
  const { tool, calls } = waiting();
  await using bench = await startExecutorBench([tool]);
  await send(bench.bus, await storePlan(bench.bus, CHAIN, "test.wait"), 2);
  const plan = await untilDone(bench);
  expect((await eventsOf(bench.bus)).at(-1)?.data).toMatchObject({ because: "lost", kept: [] });
  expect(plan.units.size).toBe(0);
  expect([...plan.steps.values()].every(({ returned }) => returned?.alone)).toBe(true);
  expect(calls).toEqual([]);
});

it("adds nothing once another worker has written about the unit (RUNUNIT-2)", async () => {
  const { tool, called, goOn } = waiting();
  await using bench = await unhurried([tool]);
  const steps = [
    { id: "a", args: { value: 1 } },
    { id: "b", args: { value: 2 } },
  ];
  const work = await storePlan(bench.bus, steps, "test.wait");
  await send(bench.bus, work);
  await called;
  await appendEvent(createPublish(bench.bus), doneBefore(work, "a", "other"));
  goOn();
  const plan = await untilDone(bench);
  expect(statuses(plan)).toEqual(["succeeded", "succeeded"]);
  const ends = (await eventsOf(bench.bus)).filter(({ type }) => type === "step.succeeded");
  expect(ends.map(({ data }) => "workerId" in data && data.workerId)).toEqual(["other", "w1"]);
});

it.each([
  ["both for the first time", 0],
  ["one of them after the other seemed to have died", 1],
])(
  "stores each outcome once and loses no step when two workers have the unit, %s (RUNUNIT-2)",
  async (_, earlier) => {
    const { tool, calls, goOn } = waiting();
    await using bench = await unhurried([tool]);
    await bench.startWorker("w2");
    const steps = [
      { id: "a", args: { value: 1 } },
      { id: "b", args: { value: 2 } },
      { id: "c", args: ref("a") },
      { id: "d", args: { value: [{ $ref: "b.output" }, { $ref: "c.output" }] } },
    ];
    const work = await storePlan(bench.bus, steps, "test.wait");
    await send(bench.bus, work);
    await send(bench.bus, work, earlier, "unit again");
    await expect.poll(() => calls.toSorted()).toEqual(["1", "1", "2", "2"]);
    goOn();
    const plan = await untilDone(bench);
    expect(statuses(plan)).toEqual(steps.map(() => "succeeded"));
    expect(plan.units.size).toBe(0);
    const ends = (await eventsOf(bench.bus)).flatMap((event) =>
      event.type === "step.succeeded" ? [String(event.data.stepId)] : [],
    );
    expect(ends.toSorted()).toEqual(["a", "b", "c", "d"]);
  },
);

it("is returned when its message cannot be parsed", async () => {
  await using bench = await unhurried([flowEcho()]);
  const work = await storePlan(bench.bus, CHAIN);
  await createPublish(bench.bus)(unitSubject(work), { unit: 7 }, { id: "unit" });
  const plan = await untilDone(bench);
  expect(plan.units.size).toBe(0);
  expect((await eventsOf(bench.bus)).at(-1)?.data).toMatchObject({ because: "lost" });
});

it("announces a tool whose step takes too long as not light, whatever other workers announce (RUNUNIT-4, LIGHT-1)", async () => {
  const { tool, goOn } = waiting();
  await using bench = await startExecutorBench([tool, flowEcho()]);
  const log = createLogger({ name: "test", level: "silent" });
  await using tools = await openRegistry(bench.bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log });
  const isLight = (name: string) => tools.entries().get(name)?.light === true;
  expect([isLight("test.wait"), isLight("flow.echo")]).toEqual([true, true]);
  await send(bench.bus, await storePlan(bench.bus, CHAIN, "test.wait"));
  await expect.poll(() => isLight("test.wait")).toBe(false);
  goOn();
  expect(statuses(await untilDone(bench))).toEqual(["succeeded", "running", "waiting"]);

  await tools.put("test.wait", { ...tool.spec, description: "Of another worker." });
  await expect
    .poll(() => tools.entries().get("test.wait"))
    .toEqual({ ...tool.spec, description: "Of another worker.", light: undefined });
  expect(isLight("flow.echo")).toBe(true);
});
