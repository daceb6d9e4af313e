// Drafting against a real nats-server and a scripted model: what stands in the plan's log, and when.
import { planPieces, planText } from "@planwright/testkit";
import { expect, it } from "vitest";
import { abandonmentIn, plannedIds, startDraftBench } from "./support/draft-bench.ts";

const echo = (id: string, value: unknown = id, rest: object = {}) => ({
  id,
  tool: "flow.echo",
  args: { value },
  ...rest,
});

it("records each step while the model is still writing the next", async () => {
  const steps = [echo("s1"), echo("s2"), echo("s3", { $ref: "s1.output" })];
  await using bench = await startDraftBench({
    plan: (call) =>
      planPieces({ steps, answerFrom: "s3" }, (id) => (id === "s3" ? call.hold("last") : undefined)),
  });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1", "s2"]);
  await bench.model.reached("last");
  expect((await bench.plan(planId)).steps.get("s2" as never)?.state.status).toBe("running");
  bench.model.release("last");
  const end = await bench.ended(planId);
  expect(end).toMatchObject({ type: "plan.sealed", data: { draft: 1, steps: 3, answerFrom: "s3" } });
  expect(plannedIds(await bench.events(planId))).toEqual(["s1", "s2", "s3"]);
  expect((await bench.plan(planId)).usage).toMatchObject({ modelCalls: 1 });
});

it("plans a step that stands before what it needs as soon as that is there", async () => {
  const steps = [echo("last", { $ref: "mid.output" }), echo("mid", "{{first.output}}"), echo("first")];
  await using bench = await startDraftBench({ plan: planText({ steps }) });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  expect((await bench.ended(planId)).type).toBe("plan.sealed");
  expect(plannedIds(await bench.events(planId))).toEqual(["first", "mid", "last"]);
});

it("asks again once with the issues when the draft has faults, then gives up", async () => {
  const bad = {
    steps: [
      echo("s1"),
      { id: "s2", tool: "docs.search", args: { query: 5 } },
      echo("s3", { $ref: "s9.output" }),
    ],
  };
  await using bench = await startDraftBench({ plan: [planText(bad), planText(bad)] });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  const first = abandonmentIn(await bench.ended(planId, 1));
  expect(first).toMatchObject({ cause: "invalid", retryable: true });
  expect(first.issues.map(({ stepId, field }) => [stepId, field])).toEqual([
    ["s2", "args.query"],
    ["s3", "args.value"],
  ]);
  expect(plannedIds(await bench.events(planId))).toEqual(["s1"]);

  await bench.dispatch(planId);
  const second = abandonmentIn(await bench.ended(planId, 2));
  expect(second.cause).toBe("invalid");
  expect(bench.model.count("plan")).toBe(2);
  const [, repeated] = bench.model.calls("plan");
  expect(JSON.stringify(repeated?.request)).toContain("<issues>");
  expect(JSON.stringify(repeated?.request)).toContain("s9.output");
  const plan = await bench.plan(planId);
  expect(plan.conclusion).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("docs.search"),
  });
});

it("keeps what an abandoned draft has finished and never uses an id for two contents", async () => {
  await using bench = await startDraftBench({
    plan: [
      (call) =>
        planPieces({ steps: [echo("s1"), echo("s2"), { id: "s3", tool: "no.tool" }] }, (id) =>
          id === "s3" ? call.hold("bad") : undefined,
        ),
      planText({ steps: [echo("s1", "other"), echo("s2"), echo("s3", { $ref: "s2.output" })] }),
    ],
  });
  await using _planner = await bench.planner();
  const planId = await bench.submit("p1");
  await bench.dispatch(planId);
  await expect.poll(async () => plannedIds(await bench.events(planId))).toEqual(["s1", "s2"]);
  await bench.succeed(planId, "s2", "two");
  bench.model.release("bad");
  await bench.ended(planId, 1);
  await bench.dispatch(planId);
  expect((await bench.ended(planId, 2)).type).toBe("plan.sealed");
  expect(plannedIds(await bench.events(planId), 2)).toEqual(["s1-d2", "s3"]);
  const { steps } = await bench.plan(planId);
  const status = (id: string) => steps.get(id as never)?.state.status;
  expect([status("s1"), status("s1-d2"), status("s2"), status("s3")]).toEqual([
    "cancelled",
    "running",
    "succeeded",
    "running",
  ]);
  const [, second] = bench.model.calls("plan");
  expect(JSON.stringify(second?.request)).toContain("<results>");
});
