import { BARE_GOAL } from "@planwright/plan/testing";
import {
  evolve,
  type KnownPlan,
  noPlan,
  type Plan,
  PlanEvent,
  PlanId,
  StepId,
  subPlanId,
} from "@planwright/plan";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { SlowTools } from "./slowest-steps.ts";

const AT = "2026-01-01T00:00:00Z";
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };

const CHILD = subPlanId(PlanId.parse("parent"), { stepId: StepId.parse("b"), item: 0, attempt: 1 });
const parent = planOf("parent", "hand over", [
  { type: "step.started", data: { ...run("b"), subPlan: CHILD, delivery: 1 } },
  { type: "step.succeeded", data: { ...run("b"), startedAt: AT, durationMs: 90, output: { value: 1 } } },
]);
const child = planOf(CHILD, "do it", [
  { type: "step.succeeded", data: { ...run("a"), startedAt: AT, durationMs: 80, output: { value: 1 } } },
]);

it("finds the slowest step in a sub-plan that has finished", async () => {
  using database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE plans (id TEXT, sequence INTEGER); INSERT INTO plans VALUES ('parent', 7)");
  const slow = new SlowTools(3);
  // The tools of sub-plans count with their parent.
  slow.add([{ sequence: 7, tool: "flow.echo", longestMs: 80 }]);
  const plans = new Map([parent, child].map((plan) => [plan.planId, plan]));
  expect(await slow.steps(database, async (planId) => plans.get(planId))).toMatchObject([
    { planId: CHILD, goal: "do it", stepId: "a", durationMs: 80, failed: false },
  ]);
});

function planOf(
  planId: string,
  goal: string,
  events: readonly { readonly type: string; readonly data: object }[],
): KnownPlan {
  const steps = [
    { id: "a", tool: "flow.echo" },
    { id: "b", tool: "plan.run", args: { goal: "do it" } },
  ].filter(({ id }) => events.some(({ data }) => "stepId" in data && data.stepId === id));
  const submitted = {
    ...BARE_GOAL,
    goal,
    tenant: "local",
    plan: { steps },
    grants: { "flow.echo": GRANT, "plan.run": { ...GRANT, pool: "owner", effect: "idempotent" } },
    maxReplans: 0,
  };
  const log = [{ type: "goal.submitted", data: submitted }, ...events].map((event, index) =>
    PlanEvent.parse({ ...event, id: `${planId}/${index}`, planId, at: AT }),
  );
  const plan = log.reduce<Plan>(evolve, noPlan);
  if (plan.status === "absent") throw new Error("the plan is absent");
  return plan;
}

function run(stepId: string): object {
  return { stepId, item: 0, attempt: 1, workerId: "w" };
}
