import { kindKey, kindOf, PlanDocument } from "@planwright/plan";
import { wait } from "@planwright/plan/testing";
import { expect, it } from "vitest";
import { describePlan } from "./preview-plan.ts";

const write = (id: string, dependsOn: string[] = []) => ({
  id,
  tool: "model.write",
  args: { prompt: "x" },
  dependsOn,
});
const planOf = (...steps: object[]) => PlanDocument.parse({ steps });
const noTimes = { tools: new Map(), past: new Map() };

it("estimates the longest chain, using the durations that waits declare", () => {
  const plan = planOf(
    wait("a", 300),
    wait("b", 100),
    wait("c", 50, { dependsOn: ["b"] }),
    wait("d", 10, { dependsOn: ["a", "c"] }),
  );
  expect(describePlan(plan, noTimes).criticalPath).toEqual({ stepIds: ["a", "d"], durationMs: 310 });
});

it("returns no time, but the chain with the most steps, when a duration is unknown", () => {
  const plan = planOf(wait("a", 300), write("b"), { ...wait("c", 0), args: { ms: { $ref: "b.output" } } });
  expect(describePlan(plan, noTimes).criticalPath).toEqual({ stepIds: ["b", "c"], durationMs: null });
});

it("uses the durations of earlier steps of the same kind", () => {
  const runs = { runs: 3, durationMs: 1_100, inputTokens: 0, outputTokens: 0, costUsd: 0.5 };
  const past = new Map([[kindKey(kindOf({ tool: "model.write" })), runs]]);
  const { criticalPath, running } = describePlan(planOf(write("b")), { tools: new Map(), past });
  expect(criticalPath.durationMs).toBe(1_100);
  expect(running).toMatchObject({ durationMs: 1_100, costUsd: 0.5, runs: 3 });
});

it("counts a call for each step that uses a model, and one for an answer that no step provides", () => {
  expect(describePlan(planOf(write("a"), write("b", ["a"])), noTimes).modelCalls).toBe(2);
  expect(describePlan(planOf(write("a"), write("b")), noTimes).modelCalls).toBe(3);
});
