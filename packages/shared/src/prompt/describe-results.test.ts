import { BARE_GOAL } from "@planwright/plan/testing";
import {
  evolve,
  GoalSubmitted,
  type KnownPlan,
  noPlan,
  type Plan,
  PlanEvent,
  StepId,
} from "@planwright/plan";
import { expect, it } from "vitest";
import { describeResults } from "./describe-results.ts";

const at = "2026-01-01T00:00:00Z";
const planId = "p1";
const head = {
  ...BARE_GOAL,
  goal: "g",
  tenant: "t",
};
const worker = { item: 0, attempt: 1, workerId: "w", startedAt: at, durationMs: 1 };
const grant = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };

/** A plan of echo steps, each with its outcome. */
function planWith(
  outcomes: Record<string, { output: unknown } | { fails: string; fallback?: string }>,
): KnownPlan {
  const steps = Object.entries(outcomes).map(([id, outcome]) => ({
    id,
    description: `about ${id}`,
    tool: "flow.echo",
    ...("fallback" in outcome ? { fallback: outcome.fallback } : {}),
  }));
  const data = { ...head, plan: { steps }, grants: { "flow.echo": grant } };
  let plan: Plan = evolve(noPlan, GoalSubmitted.parse({ id: "0", type: "goal.submitted", planId, at, data }));
  for (const [stepId, outcome] of Object.entries(outcomes)) {
    const event =
      "output" in outcome
        ? { type: "step.succeeded", data: { ...worker, stepId, output: outcome.output } }
        : {
            type: "step.failed",
            data: { ...worker, stepId, error: { code: "broken", message: outcome.fails }, retryable: false },
          };
    plan = evolve(plan, PlanEvent.parse({ id: stepId, planId, at, ...event }));
  }
  if (plan.status === "absent") throw new Error("wanted a plan");
  return plan;
}

it("reports the outcome of each step, in the order of planning", () => {
  const plan = planWith({ b: { output: { value: { n: 1 } } }, a: { fails: "no such page" } });
  expect(describeResults(plan.steps.values(), { charsMax: 1_000 }).results).toEqual([
    { id: "b", description: "about b", tool: "flow.echo", status: "succeeded", output: { n: 1 } },
    { id: "a", description: "about a", tool: "flow.echo", status: "failed", error: "broken: no such page" },
  ]);
});

it("gives large outputs the space that small ones leave, within the total", () => {
  const large = Array.from({ length: 400 }, (_, index) => index);
  const plan = planWith({
    a: { output: { value: large } },
    b: { output: { value: "small" } },
    c: { output: { value: large } },
  });
  const [a, b, c] = describeResults(plan.steps.values(), { charsMax: 1_000 }).results;
  expect(b).toMatchObject({ output: "small" });
  expect(b).not.toHaveProperty("note");
  for (const cut of [a, c]) {
    expect(cut?.output).toEqual(large.slice(0, 100));
    expect(cut?.note).toContain("cut to 100 entries");
  }
});

it("shows the preview of an artifact, or its content if that was loaded", () => {
  const artifact = { name: "out.json", contentType: "application/json", bytes: 70_000 };
  const plan = planWith({ a: { output: { artifact, preview: "[1,2" } } });
  const [preview] = describeResults(plan.steps.values(), { charsMax: 1_000 }).results;
  expect(preview).toMatchObject({ output: "[1,2", note: expect.stringContaining("out.json") });
  const loaded = new Map([["out.json", [1, 2, 3]]]);
  const [whole] = describeResults(plan.steps.values(), { charsMax: 1_000, loaded }).results;
  expect(whole).toMatchObject({ output: [1, 2, 3] });
  expect(whole).not.toHaveProperty("note");
});

it("names the fallback step that delivered for a failed one", () => {
  const plan = planWith({ a: { fails: "no such page", fallback: "b" }, b: { output: { value: 1 } } });
  expect(describeResults(plan.steps.values(), { charsMax: 1_000 }).results).toMatchObject([
    { id: "a", status: "failed", deliveredBy: "b" },
    { id: "b", output: 1 },
  ]);
});

it("shows only failed steps and those with unused results when there are very many", () => {
  const plan = planWith({
    a: { output: { value: "used" } },
    b: { fails: "no such page" },
    c: { output: { value: "the end" } },
    d: { output: { value: "an end too" } },
  });
  const entries = Array.from(plan.steps.values(), (entry) =>
    entry.step.id === "a" ? { ...entry, dependents: [StepId.parse("c")] } : entry,
  );
  const { results, left } = describeResults(entries, { charsMax: 1_000, resultsMax: 3 });
  expect(results.map(({ id }) => id)).toEqual(["b", "c", "d"]);
  expect(left).toBe(1);
});
