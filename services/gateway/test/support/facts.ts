/** Events as the other services write them, so that a test can play these services. */
import { PlanEvent, PlanId, type StepId } from "@planwright/plan";
import { type Bus, createPublish, decisionSubject, factSubject } from "@planwright/shared/bus";

const AT = "2026-01-01T00:00:00.000Z";

export function fact(
  planId: string,
  type: PlanEvent["type"],
  data: object,
  id = `${planId}/${type}`,
): PlanEvent {
  return PlanEvent.parse({ id, type, planId: PlanId.parse(planId), at: AT, data });
}

export function started(planId: string, stepId: string): PlanEvent {
  const data = { stepId, item: 0, attempt: 1, workerId: "w1" };
  return fact(planId, "step.started", data, `${planId}/${stepId}/started`);
}

export function succeeded(planId: string, stepId: string, value: unknown = stepId): PlanEvent {
  const data = {
    stepId,
    item: 0,
    attempt: 1,
    workerId: "w1",
    startedAt: AT,
    durationMs: 5,
    output: { value },
  };
  return fact(planId, "step.succeeded", data, `${planId}/${stepId}/done`);
}

export function answered(planId: string, text = "done"): PlanEvent {
  return fact(planId, "answer.given", { answer: { text, status: "success", sources: [], artifacts: [] } });
}

export function ended(planId: string, outcome = "succeeded"): PlanEvent {
  return fact(planId, "plan.ended", { outcome, reason: "the plan named its answer" });
}

/** Stores events one after the other, each where its writer would. */
export async function store(bus: Bus, facts: readonly PlanEvent[]): Promise<void> {
  const publish = createPublish(bus);
  for (const event of facts) {
    const isDecision = event.type === "plan.ended" || event.type === "step.skipped";
    await publish(isDecision ? decisionSubject(event) : factSubject(event), event, { id: event.id });
  }
}

/** Runs a submitted plan to its end: every step starts and succeeds, and the last one's output is the answer. */
export function wholeRun(planId: string, steps: readonly (string | StepId)[]): PlanEvent[] {
  return [
    ...steps.flatMap((stepId) => [started(planId, stepId), succeeded(planId, stepId)]),
    answered(planId),
    ended(planId),
  ];
}
