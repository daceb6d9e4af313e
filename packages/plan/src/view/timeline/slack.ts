import type { Segment, StepTimes, Timeline } from "./timeline.ts";

/**
 * How much longer each step could have taken without the plan's last step ending later, in milliseconds, by what
 * needs what and by the times that the steps took from ready to settled (the critical path method's total float:
 * Kelley and Walker, 1959).
 *
 * Only of what has settled: while anything is open, all that is known is what it needs. Linear in steps and
 * dependencies.
 */
export function slackOf({ steps }: Pick<Timeline, "steps">): ReadonlyMap<string, number> {
  const lastMs = Math.max(0, ...steps.map(({ endMs = 0 }) => endMs));
  const latest = new Map<string, number>();
  const known = new Map(steps.map((step) => [step.stepId, step]));
  // What needs a step was ready after it had settled, so that the order of ends is an order of needs.
  const byEnd = steps
    .filter(({ status }) => status === "succeeded" || status === "failed")
    .toSorted((left, right) => (right.endMs ?? 0) - (left.endMs ?? 0) || readyMs(right) - readyMs(left));
  for (const step of byEnd) {
    const endMs = latest.get(step.stepId) ?? lastMs;
    const startMs = endMs - ((step.endMs ?? 0) - readyMs(step));
    for (const id of step.needs) {
      if (known.has(id)) latest.set(id, Math.min(latest.get(id) ?? lastMs, startMs));
    }
  }
  return new Map(
    byEnd.map(({ stepId, endMs = 0 }) => [stepId, Math.max(0, (latest.get(stepId) ?? lastMs) - endMs)]),
  );
}

/** When what it needs was there. */
function readyMs({ segments, endMs = 0 }: StepTimes): number {
  const isForNeeds = ({ why }: Segment): boolean => why === "dependencies" || why === "primary";
  return segments.find((segment) => !isForNeeds(segment))?.startMs ?? endMs;
}
