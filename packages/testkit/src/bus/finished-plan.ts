import { BARE_GOAL } from "@planwright/plan/testing";
import { type Outcome, PlanEvent, PlanId } from "@planwright/plan";

const AT = "2026-01-01T00:00:00.000Z";
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };

export type FinishedPlanOptions = {
  /** Number of steps, each depending on the one before. Default 1. */
  readonly steps?: number;
  readonly goal?: string;
  readonly metadata?: object;
  readonly tenant?: string;
  readonly outcome?: Outcome;
};

/** Every event of a submitted plan that ran to its end, as the services would have written them. */
export function finishedPlan(id: string, options: FinishedPlanOptions = {}): PlanEvent[] {
  const {
    steps = 1,
    goal = `goal of ${id}`,
    metadata = {},
    tenant = "default",
    outcome = "succeeded",
  } = options;
  const planId = PlanId.parse(id);
  const fact = (type: PlanEvent["type"], name: string, data: object): PlanEvent =>
    PlanEvent.parse({ id: `${id}/${name}`, type, planId, at: AT, data });
  const stepIds = Array.from({ length: steps }, (_, index) => `s${index + 1}`);
  const plan = {
    steps: stepIds.map((stepId, index) => ({
      id: stepId,
      tool: "flow.echo",
      args: { value: index === 0 ? 1 : { $ref: `s${index}.output` } },
    })),
  };
  const submitted = fact("goal.submitted", "goal.submitted", {
    ...BARE_GOAL,
    goal,
    tenant,
    plan,
    grants: { "flow.echo": GRANT },
    maxReplans: 0,
    metadata,
  });
  const done = stepIds.map((stepId) => {
    const run = { stepId, item: 0, attempt: 1, workerId: "w1", startedAt: AT, durationMs: 5 };
    return fact("step.succeeded", `${stepId}/0/1/done`, { ...run, output: { value: 1 } });
  });
  const answer = { text: "1", status: "success", sources: [], artifacts: [] };
  return [
    submitted,
    ...done,
    fact("answer.given", "answer", { answer }),
    fact("plan.ended", "end", { outcome, reason: "the plan named its answer" }),
  ];
}
