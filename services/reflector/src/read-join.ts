import {
  evolve,
  isEnded,
  type JoinWork,
  type KnownPlan,
  noPlan,
  type Plan,
  type StepId,
} from "@planwright/plan";
import { type Bus, readPlanEvents } from "@planwright/shared/bus";
import type { TraceParent } from "@planwright/shared/telemetry";

/** A plan that waits for its results to be judged. */
export type Join = {
  readonly plan: KnownPlan;
  /** The spans that ran its steps, as far as they are known. */
  readonly stepSpans: readonly TraceParent[];
};

/** Reads the plan that a join is for; undefined when the plan does not wait for this join any more. */
export async function readJoin(
  bus: Bus,
  { planId, join }: Pick<JoinWork, "planId" | "join">,
): Promise<Join | undefined> {
  let plan: Plan = noPlan;
  const spans = new Map<StepId, TraceParent>();
  for await (const { event, trace } of readPlanEvents(bus, planId)) {
    plan = evolve(plan, event);
    const isOutcome = event.type === "step.succeeded" || event.type === "step.failed";
    if (isOutcome && trace !== undefined) spans.set(event.data.stepId, trace);
  }
  if (plan.status === "absent" || isEnded(plan) || plan.conclusion !== undefined) return undefined;
  const { number, phase } = plan.joining;
  return number === join && phase === "requested" ? { plan, stepSpans: [...spans.values()] } : undefined;
}
