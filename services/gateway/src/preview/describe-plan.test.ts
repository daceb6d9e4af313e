import { PlanDocument, PlanEvent, evolve, type KnownPlan, noPlan } from "@planwright/plan";
import { expect, it } from "vitest";
import { describePlan } from "./describe-plan.ts";
import { createToolTimes } from "./tool-times.ts";

const wait = (id: string, ms: unknown, dependsOn: string[] = []) => ({
  id,
  tool: "flow.wait",
  args: { ms },
  dependsOn,
});
const write = (id: string, dependsOn: string[] = []) => ({
  id,
  tool: "model.write",
  args: { prompt: "x" },
  dependsOn,
});
const planOf = (...steps: object[]) => PlanDocument.parse({ steps });
const noTimes = createToolTimes();

it("estimates the longest chain by what waits say of themselves", () => {
  const plan = planOf(wait("a", 300), wait("b", 100), wait("c", 50, ["b"]), wait("d", 10, ["a", "c"]));
  expect(describePlan(plan, noTimes).criticalPath).toEqual({ stepIds: ["a", "d"], durationMs: 310 });
});

it("gives no time, but the chain of most steps, when a time is not known", () => {
  const plan = planOf(wait("a", 300), write("b"), wait("c", { $ref: "b.output" }, ["b"]));
  expect(describePlan(plan, noTimes).criticalPath).toEqual({ stepIds: ["b", "c"], durationMs: null });
});

it("learns how long tools take from the steps that succeeded", () => {
  const times = createToolTimes();
  const begin = PlanEvent.parse({
    id: "x",
    type: "goal.submitted",
    planId: "p",
    at: "2026-01-01T00:00:00Z",
    data: {
      goal: "g",
      tenant: "t",
      strategy: "auto",
      plan: planOf(write("a")),
      constraints: [],
      maxReplans: 3,
      metadata: {},
      bodyHash: "",
      trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
    },
  });
  const plan = evolve(noPlan, begin) as KnownPlan;
  const data = { stepId: "a", item: 0, attempt: 1, workerId: "w", startedAt: begin.at, output: { value: 1 } };
  const succeeded = (durationMs: number) =>
    PlanEvent.parse({ ...begin, type: "step.succeeded", data: { ...data, durationMs } });
  times.note(plan, succeeded(1_000));
  expect(describePlan(planOf(write("b")), times).criticalPath.durationMs).toBe(1_000);
  times.note(plan, succeeded(2_000));
  expect(describePlan(planOf(write("b")), times).criticalPath.durationMs).toBe(1_100);
});

it("counts a call for each step that asks a model, and one for an answer that no step gives", () => {
  expect(describePlan(planOf(write("a"), write("b", ["a"])), noTimes).modelCalls).toBe(2);
  expect(describePlan(planOf(write("a"), write("b")), noTimes).modelCalls).toBe(3);
});
