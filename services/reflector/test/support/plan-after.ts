import { BARE_GOAL } from "@planwright/plan/testing";
import { evolve, GoalSubmitted, type KnownPlan, noPlan, type Plan, PlanEvent } from "@planwright/plan";

const at = "2026-01-01T00:00:00Z";
const planId = "p1";

/** A submitted plan, with `more` in its submission. Default: one step, `s1`. */
export function submittedPlan(more: object = {}): Plan {
  const submitted = GoalSubmitted.parse({
    id: "0",
    type: "goal.submitted",
    planId,
    at,
    data: {
      ...BARE_GOAL,
      goal: "what does A cost?",
      tenant: "t",
      trace: { traceId: "1".repeat(32), spanId: "2".repeat(16), sampled: false },
      plan: { steps: [{ id: "s1", description: "look", tool: "docs.search" }] },
      grants: { "docs.search": { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 } },
      ...more,
    },
  });
  return evolve(noPlan, submitted);
}

/** A plan of one step, `s1`, with its output or its error. */
export function planAfter(outcome: object, more: object = {}): KnownPlan {
  const data = { stepId: "s1", item: 0, attempt: 1, workerId: "w", startedAt: at, durationMs: 1, ...outcome };
  const type = "output" in outcome ? "step.succeeded" : "step.failed";
  const plan = evolve(submittedPlan(more), PlanEvent.parse({ id: "1", type, planId, at, data }));
  if (plan.status === "absent") throw new Error("wanted a plan");
  return plan;
}
