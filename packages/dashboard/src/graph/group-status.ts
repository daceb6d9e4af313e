import type { StepStatus, StepView } from "../api/api-types.ts";

/** The first of these that a step of the group has is the group's. */
const ORDER: readonly StepStatus[] = [
  "running",
  "reviewing",
  "awaiting-approval",
  "queued",
  "waiting",
  "failed",
  "skipped",
  "cancelled",
];

/** One status for many steps: running while one runs, failed when one failed and none is left to run. */
export function groupStatus(steps: readonly StepView[]): StepStatus {
  const present = new Set(steps.map((step) => step.status));
  return ORDER.find((status) => present.has(status)) ?? "succeeded";
}

/** When the first step of the group began; undefined while none has. */
export function beginOf(steps: readonly Pick<StepView, "startedAt">[]): string | undefined {
  let first: string | undefined;
  for (const { startedAt } of steps) {
    // All of them are the server's, in one form: their order is that of the texts.
    if (startedAt !== undefined && (first === undefined || startedAt < first)) first = startedAt;
  }
  return first;
}
