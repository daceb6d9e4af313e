import type { StepView } from "../api/api-types.ts";

const SETTLED: ReadonlySet<StepView["status"]> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

export function isSettled(step: Pick<StepView, "status">): boolean {
  return SETTLED.has(step.status);
}
