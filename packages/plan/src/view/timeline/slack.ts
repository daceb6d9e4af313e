import type { Segment, StepTimes, Timeline } from "./timeline.ts";

/**
 * How much longer each step could have taken without delaying the end of the plan's last step, in milliseconds, based on the
 * dependencies and on the times from ready to settled (total float of the critical path method: Kelley and Walker, 1959).
 *
 * Only for settled steps: while a step is open, only its dependencies are known. Linear in steps and dependencies.
 */
export function slackOf({ steps }: Pick<Timeline, "steps">): ReadonlyMap<string, number> {
  const lastMs = Math.max(0, ...steps.map(({ endMs = 0 }) => endMs));
  const latest = new Map<string, number>();
  const known = new Map(steps.map((step) => [step.stepId, step]));
  // A dependent became ready after the step had settled, so the order of ends is a topological order.
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

/** When its dependencies had finished. */
function readyMs({ segments, endMs = 0 }: StepTimes): number {
  const isForNeeds = ({ why }: Segment): boolean => why === "dependencies" || why === "primary";
  return segments.find((segment) => !isForNeeds(segment))?.startMs ?? endMs;
}
