import { PlanEvent, type StepWork } from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import type { JobDeps } from "@planwright/shared/jobs";
import type { TraceParent } from "@planwright/shared/telemetry";

export type RecordDeps = Pick<JobDeps, "publish" | "now">;

/** Stores a result under its id, unless there is one: the first one counts. */
export async function recordResult(
  { publish, now }: RecordDeps,
  { planId, after }: Pick<StepWork, "planId" | "after">,
  {
    name,
    trace,
    ...event
  }: {
    /** Names the result within its plan. */
    readonly name: string;
    readonly type: PlanEvent["type"];
    readonly data: object;
    readonly trace: TraceParent | undefined;
  },
): Promise<void> {
  const parsed = PlanEvent.parse({
    ...event,
    id: `${planId}/${name}`,
    planId,
    after,
    at: now().toISOString(),
  });
  await appendEvent(publish, parsed, { trace });
}
