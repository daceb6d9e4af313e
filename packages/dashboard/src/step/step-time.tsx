import type { StepView } from "../api/api-types.ts";
import { Elapsed } from "../clock/ticking.tsx";
import { formatDuration } from "../ui/format.ts";

/** How long a step, or an item, took, or has been running so far; nothing before a worker has begun it. */
export function StepTime({ step }: { step: Pick<StepView, "status" | "startedAt" | "durationMs"> }) {
  const { status, startedAt, durationMs } = step;
  if (status === "running" && startedAt !== undefined) return <Elapsed since={startedAt} />;
  return durationMs === undefined ? null : <>{formatDuration(durationMs)}</>;
}
