import type { PlanEvent } from "@planwright/plan";
import { appendEvent } from "@planwright/shared/bus";
import { renderTraceParent, type Span, TRACEPARENT } from "@planwright/shared/telemetry";
import type { ReflectorDeps } from "../start-reflector.ts";

export type RecordDeps = Pick<ReflectorDeps, "publish" | "now"> & { readonly span?: Span };

/** Stores a review, unless there is one: the first one counts. */
export async function recordJudgement({ publish, span }: RecordDeps, event: PlanEvent): Promise<void> {
  const headers = span === undefined ? {} : { [TRACEPARENT]: renderTraceParent(span.ids) };
  await appendEvent(publish, event, { headers });
}
