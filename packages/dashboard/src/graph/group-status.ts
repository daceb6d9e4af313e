import type { StepStatus, StepView } from "../api/api-types.ts";

/** A group has the first of these statuses that any of its steps has. */
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

/** One status for many steps: running while one runs, failed when one has failed and none remains to run. */
export function groupStatus(steps: readonly StepView[]): StepStatus {
  const present = new Set(steps.map((step) => step.status));
  return ORDER.find((status) => present.has(status)) ?? "succeeded";
}

/** The start of the group's first step; undefined while none has started. */
export function beginOf(steps: readonly Pick<StepView, "startedAt">[]): string | undefined {
  let first: string | undefined;
  for (const { startedAt } of steps) {
    // All are server times in one format, so text order is time order.
    if (startedAt !== undefined && (first === undefined || startedAt < first)) first = startedAt;
  }
  return first;
}
