import type { PlanEvent } from "@planwright/plan";
import { ConflictError, factSubject } from "@planwright/shared/bus";
import { renderTraceParent, type Span, TRACEPARENT } from "@planwright/shared/telemetry";
import type { ReflectorDeps } from "../start-reflector.ts";

export type RecordDeps = Pick<ReflectorDeps, "publish" | "now"> & { readonly span?: Span };

/** Stores a review, unless there is one: the first one counts. */
export async function recordJudgement({ publish, span }: RecordDeps, event: PlanEvent): Promise<void> {
  const headers = span === undefined ? {} : { [TRACEPARENT]: renderTraceParent(span.ids) };
  try {
    await publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 }, headers });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
}
