import type { StepView } from "../api/api-types.ts";
import { Elapsed } from "../clock/ticking.tsx";
import { formatDuration } from "../ui/format.ts";

/** The duration of a step or item, or its running time so far; nothing before a worker has started it. */
export function StepTime({ step }: { step: Pick<StepView, "status" | "startedAt" | "durationMs"> }) {
  const { status, startedAt, durationMs } = step;
  if (status === "running" && startedAt !== undefined) return <Elapsed since={startedAt} />;
  return durationMs === undefined ? null : <>{formatDuration(durationMs)}</>;
}
