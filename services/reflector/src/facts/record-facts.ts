import { FactRecorded, type FactsWork } from "@planwright/plan";
import { appendEvent, type Publish } from "@planwright/shared/bus";
import { renderTraceParent, TRACEPARENT, type TraceParent } from "@planwright/shared/telemetry";
import type { z } from "zod";

type Found = Omit<z.input<typeof FactRecorded>["data"], "stepId" | "item" | "attempt">;

/** Records what a look at an output found, unless that has been recorded before. */
export async function recordFacts(
  { publish, now, trace }: { publish: Publish; now: () => Date; trace?: TraceParent },
  { planId, stepId, item, attempt }: Pick<FactsWork, "planId" | "stepId" | "item" | "attempt">,
  found: Found,
): Promise<void> {
  const event = FactRecorded.create({ planId, at: now() }, { stepId, item, attempt, ...found });
  const headers = trace === undefined ? {} : { [TRACEPARENT]: renderTraceParent(trace) };
  await appendEvent(publish, event, { headers });
}
