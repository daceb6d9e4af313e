import { type PlanId, partitionOf, type StepId } from "@planwright/plan";

/** Where the attempts of a step, or of one item of its list, say that they begin. */
export function startSubjects(run: {
  readonly planId: PlanId;
  readonly stepId: StepId;
  readonly item: number;
  readonly pool: string;
}): string {
  const { planId, stepId, item, pool } = run;
  return `plan.${partitionOf(planId)}.${planId}.w.${pool}.${stepId}.${item}.*.started`;
}
