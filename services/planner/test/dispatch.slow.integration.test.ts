// The dispatcher and an executor with a real nats-server: submitted plans, no model.
import { PARTITIONS, PlanEvent, PlanId } from "@planwright/plan";
import { factSubject } from "@planwright/shared/bus";
import { echo } from "@planwright/testkit";
import { expect, it } from "vitest";
import { startDispatchBench } from "./support/dispatch-bench.ts";

it("runs a chain by its references and ends the plan with its answer", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  await t.worker(async ({ args }) => args["value"] ?? null);
  const planId = await t.submit("p1", [
    echo("a", { value: { n: 7 } }),
    echo("b", { value: { $ref: "a.output.n" } }),
    echo("c", { value: "n is {{b.output}}" }),
  ]);
  const plan = await t.ended(planId);
  expect(plan).toMatchObject({
    status: "succeeded",
    percent: 100,
    conclusion: { answer: { text: "n is 7" } },
  });
  expect(await t.types(planId)).toEqual([
    "goal.submitted",
    "step.succeeded",
    "step.succeeded",
    "step.succeeded",
    "answer.given",
    "plan.ended",
  ]);
});

it("resumes where a dispatcher that died had stopped, and runs nothing twice (DISPATCH-2)", async () => {
  await using t = await startDispatchBench();
  const runs: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  await t.worker(async ({ stepId, args }) => {
    runs.push(stepId);
    if (stepId === "b") await gate;
    return args["value"] ?? null;
  });
  const first = await t.dispatcher();
  const planId = await t.submit("p1", [
    echo("a", { value: 1 }),
    echo("b", { value: { $ref: "a.output" } }),
    echo("c", { value: { $ref: "b.output" } }),
  ]);
  await expect.poll(() => runs).toEqual(["a", "b"]);
  await first[Symbol.asyncDispose]();
  open();
  await using _second = await t.dispatcher();
  expect((await t.ended(planId)).status).toBe("succeeded");
  expect(runs).toEqual(["a", "b", "c"]);
});

it("decides nothing before it has read the log to its end (DISPATCH-1)", async () => {
  await using t = await startDispatchBench();
  const planId = await t.submit("p1", [echo("a", { value: 1 }), echo("b", { value: { $ref: "a.output" } })]);
  const at = new Date().toISOString();
  const run = { stepId: "a", item: 0, attempt: 1, workerId: "w", startedAt: at, durationMs: 1 };
  const data = { ...run, output: { value: 1 } };
  const outcome = PlanEvent.parse({ id: "p1/a/0/1/done", type: "step.succeeded", planId, at, data });
  await t.publish(factSubject(outcome), outcome, { id: outcome.id });
  const runs: string[] = [];
  await t.worker(async ({ stepId }) => runs.push(stepId));
  await using _dispatcher = await t.dispatcher();
  expect((await t.ended(planId)).status).toBe("succeeded");
  expect(runs).toEqual(["b"]);
});

it("owns only partitions that no other dispatcher owns, and none once its lease cannot be renewed (DISPATCH-4, LEASE-1)", async () => {
  await using t = await startDispatchBench();
  await using first = await t.dispatcher();
  await using second = await t.dispatcher();
  /** The number of partitions owned by the first, by the second, by both, or by neither. */
  const shares = (): Record<string, number> => {
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    const byOwners = Object.groupBy(partitions, (one) => `${first.owns(one)} ${second.owns(one)}`);
    return Object.fromEntries(Object.entries(byOwners).map(([owners, own]) => [owners, own?.length ?? 0]));
  };
  await expect.poll(shares).toEqual({ "true false": 8, "false true": 8 });
  await t.nats.kill();
  await expect.poll(shares).toEqual({ "false false": 16 });
  await t.nats.restart();
  await expect.poll(shares, { timeout: 20_000 }).toEqual({ "true false": 8, "false true": 8 });
});

it("runs a step's verification and fallback across the death of its dispatcher, and records each only once", async () => {
  await using t = await startDispatchBench();
  const runs: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  await t.worker(async ({ stepId, args }) => {
    runs.push(stepId);
    if (stepId === "check") await gate;
    return stepId === "check" ? { ok: false, issues: ["too short"] } : (args["value"] ?? null);
  });
  const first = await t.dispatcher();
  const planId = await t.submit("p1", [
    echo("text", { value: "hm", fallback: "other" }),
    echo("check", { value: { $ref: "text.output" }, verifies: "text" }),
    echo("other", { value: "{{check.output.issues[0]}}: hello", fallback: "spare" }),
    echo("spare", { value: "never" }),
    echo("end", { value: { $ref: "text.output" } }),
  ]);
  await expect.poll(() => runs).toEqual(["text", "check"]);
  await first[Symbol.asyncDispose]();
  open();
  await using _second = await t.dispatcher();
  await using _third = await t.dispatcher();
  const plan = await t.ended(planId);
  expect(plan).toMatchObject({
    status: "succeeded",
    percent: 100,
    revision: 0,
    conclusion: { answer: { text: "too short: hello", status: "success" } },
  });
  expect(plan.steps.map(({ state }) => state.status).toJSON()).toEqual({
    text: "failed",
    check: "succeeded",
    other: "succeeded",
    spare: "skipped",
    end: "succeeded",
  });
  expect(runs).toEqual(["text", "check", "other", "end"]);
  expect((await t.types(planId)).filter((type) => type === "step.skipped")).toHaveLength(1);
});

it("lets two dispatchers drive the same plans without doing anything twice", async () => {
  await using t = await startDispatchBench();
  const runs: string[] = [];
  await t.worker(async ({ planId, stepId }) => runs.push(`${planId}/${stepId}`));
  await using _first = await t.dispatcher();
  await using _second = await t.dispatcher();
  const steps = [
    echo("a", { value: 1 }),
    echo("b", { value: { $ref: "a.output" } }),
    echo("c", { value: 2 }),
    echo("d", { value: 3, dependsOn: ["b", "c"] }),
  ];
  const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => t.submit(`p${index}`, steps)));
  for (const planId of ids) expect((await t.ended(planId)).status).toBe("succeeded");
  expect(runs.length).toBe(40);
  expect(new Set(runs).size).toBe(40);
  expect(
    (await t.types(ids[0] ?? PlanId.parse("none"))).filter((type) => type === "plan.ended"),
  ).toHaveLength(1);
});

it("uses the server's clock for the delay before it retries a failed step", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  const attempts: number[] = [];
  await t.worker(async ({ attempt }) => {
    attempts.push(attempt);
    if (attempt === 1) throw new Error("not yet");
    return "done";
  });
  const planId = await t.submit("p1", [echo("a", { value: 1, retry: { backoffMs: 100 } })]);
  expect(await t.ended(planId)).toMatchObject({
    status: "succeeded",
    conclusion: { answer: { text: "done" } },
  });
  expect(attempts).toEqual([1, 2]);
  expect(await t.types(planId)).toContain("timer.fired");
});

it("runs a plan of 1,000 steps", async () => {
  await using t = await startDispatchBench();
  await using _dispatcher = await t.dispatcher();
  await t.worker(async ({ args }) => args["value"] ?? null);
  const ids = Array.from({ length: 999 }, (_, index) => `s${index}`);
  const planId = await t.submit("p1", [
    ...ids.map((id) => echo(id, { value: 1 })),
    echo("join", { value: "all", dependsOn: ids }),
  ]);
  expect(await t.ended(planId)).toMatchObject({ status: "succeeded", done: 1_000 });
});
