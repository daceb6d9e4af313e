// Several steps in one message: each reports for itself, and what comes again is taken apart.
import { BARE_GOAL } from "@planwright/plan/testing";
import { GoalSubmitted, StepId, StepWork } from "@planwright/plan";
import { type Bus, createPublish, factSubject, stepSubject, STREAMS } from "@planwright/shared/bus";
import { expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool, type Tool } from "../src/tools/define-tool.ts";
import { flowEcho } from "../src/tools/flow-echo.ts";
import { type ExecutorBench, PLAN_ID, startExecutorBench } from "./support/executor-bench.ts";

const IDS = ["a", "b", "c", "d"];
const TRACE = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false };
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 60_000, light: true };

function bundle(tool: string): StepWork {
  const [first, ...others] = IDS.map((stepId) => ({
    stepId,
    tool,
    args: { value: stepId },
    timeoutMs: 60_000,
  }));
  const shared = {
    planId: PLAN_ID,
    tenant: "local",
    item: 0,
    attempt: 1,
    sentAfter: 0,
    pool: "default",
    effect: "read",
    trace: TRACE,
  };
  return StepWork.parse({ ...shared, ...first, others });
}

/** The log of a plan whose steps stand side by side. */
async function storePlan(bus: Bus, tool: string): Promise<void> {
  const goal = GoalSubmitted.parse({
    id: "goal",
    type: "goal.submitted",
    planId: PLAN_ID,
    at: "2026-01-01T00:00:00Z",
    data: {
      ...BARE_GOAL,
      trace: TRACE,
      goal: "side by side",
      tenant: "local",
      strategy: "parallel",
      plan: { steps: IDS.map((id) => ({ id, tool, args: { value: id } })) },
      grants: { [tool]: GRANT },
      maxReplans: 0,
    },
  });
  await createPublish(bus)(factSubject(goal), goal, { id: goal.id });
}

/** Everyone waits until all are there. */
function meeting(): { tool: Tool; calls: string[] } {
  const calls: string[] = [];
  const all = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "test.meet",
    description: "Waits for the others.",
    input: z.strictObject({ value: z.string() }),
    output: AnyJson,
    risk: "low",
    effect: "read",
    light: true,
    timeoutMs: 60_000,
    run: async ({ value }) => {
      calls.push(value);
      if (calls.length === IDS.length) all.resolve();
      await all.promise;
      return value;
    },
  });
  return { tool, calls };
}

it("runs the steps of one message at the same time, and stores an outcome for each", async () => {
  const { tool, calls } = meeting();
  await using bench = await startExecutorBench([tool]);
  const work = bundle("test.meet");
  await createPublish(bench.bus)(stepSubject(work), work, { id: "bundle" });
  await expect.poll(() => bench.outcomes().size).toBe(IDS.length);
  const outputs = IDS.map((id) => bench.outcomes().get(id)?.data);
  expect(outputs).toMatchObject(IDS.map((id) => ({ stepId: id, attempt: 1, output: { value: id } })));
  await expect.poll(() => waiting(bench)).toEqual([]);
  expect(calls.toSorted()).toEqual(IDS);
});

it("splits a redelivered bundle, and runs only steps without an outcome", async () => {
  await using bench = await startExecutorBench([flowEcho()]);
  await storePlan(bench.bus, "flow.echo");
  await bench.run("b", "flow.echo", { value: "before" });
  const work = bundle("flow.echo");
  // As a worker has it that was told to stop.
  const headers = { "Planwright-Earlier-Deliveries": "1" };
  await createPublish(bench.bus)(stepSubject(work), work, { id: "bundle", headers });
  await expect.poll(() => bench.outcomes().size).toBe(IDS.length);
  await expect.poll(() => waiting(bench)).toEqual([]);
  const outputs = [...bench.outcomes().values()].flatMap(({ data }) =>
    "output" in data && "value" in data.output ? [data.output.value] : [],
  );
  expect(outputs).toEqual(["before", "a", "c", "d"]);
  // One message for the bundle, and one each for the two that it was taken apart into, after that of `b`.
  expect((await bench.bus.manager.streams.info(STREAMS.work)).state.last_seq).toBe(4);
});

it("fails only the first step of a dead-lettered bundle, and sends the others alone", async () => {
  const work = bundle("flow.echo");
  await using bench = await startExecutorBench([flowEcho()], async (bus) => {
    await storePlan(bus, "flow.echo");
    await createPublish(bus)(stepSubject(work), work, { id: "bundle" });
    const pulled = await bus.js.consumers.get(STREAMS.work, "pool-default");
    for (let delivery = 1; delivery <= 25; delivery++) (await pulled.next())?.nak();
  });
  await expect.poll(() => bench.outcomes().size, { timeout: 30_000 }).toBe(IDS.length);
  const types = IDS.map((id) => bench.outcomes().get(StepId.parse(id))?.type);
  expect(types).toEqual(["step.failed", ...["b", "c", "d"].map(() => "step.succeeded")]);
});

async function waiting({ bus }: ExecutorBench): Promise<string[]> {
  const { state } = await bus.manager.streams.info(STREAMS.work, { subjects_filter: ">" });
  return Object.keys(state.subjects ?? {});
}
