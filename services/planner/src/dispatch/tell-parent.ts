import { OUTPUT_INLINE_BYTES_MAX, type PlanEvent } from "@planwright/plan";
import { storeOnce, type SubPlanDeps } from "./tell-sub-plan.ts";

const PREVIEW_CHARS_MAX = 1_000;

/**
 * Stores in a parent's log how its sub-plan has ended, unless that stands there. An answer that is too large for a
 * event is kept among the parent's artifacts first.
 */
export async function tellParent(deps: SubPlanDeps, end: PlanEvent): Promise<void> {
  await storeOnce(deps, end.type === "step.succeeded" ? await withRoom(deps, end) : end);
}

async function withRoom(
  { artifacts }: SubPlanDeps,
  end: Extract<PlanEvent, { type: "step.succeeded" }>,
): Promise<PlanEvent> {
  const { planId, data } = end;
  if (!("value" in data.output)) return end;
  const text = JSON.stringify(data.output.value);
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= OUTPUT_INLINE_BYTES_MAX) return end;
  const name = `outputs/${data.stepId}-${data.item}-${data.attempt}.json`;
  const artifact = await artifacts.put(planId, name, bytes, "application/json");
  const preview = text.slice(0, PREVIEW_CHARS_MAX).toWellFormed();
  return { ...end, data: { ...data, output: { artifact, preview } } };
}
