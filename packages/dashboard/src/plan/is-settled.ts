import type { StepView } from "../api/api-types.ts";

const SETTLED: ReadonlySet<StepView["status"]> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

export function isSettled(step: StepView): boolean {
  return SETTLED.has(step.status);
}
