import type { PlanEvent } from "@planwright/plan";
import { spill } from "@planwright/shared/artifacts";
import { storeOnce, type SubPlanDeps } from "./tell-sub-plan.ts";

/**
 * Stores in a parent's log how its sub-plan has ended, unless that stands there. An answer that is too large for an
 * event is kept among the parent's artifacts first.
 */
export async function tellParent(deps: SubPlanDeps, end: PlanEvent): Promise<void> {
  if (end.type !== "step.succeeded" || !("value" in end.data.output))
    return void (await storeOnce(deps, end));
  const { planId, data } = end;
  const name = `outputs/${data.stepId}-${data.item}-${data.attempt}.json`;
  const output = await spill(deps.artifacts, end.data.output.value, { planId, name });
  await storeOnce(deps, { ...end, data: { ...data, output } });
}
