import {
  AnswerGiven,
  type Answer,
  type JoinWork,
  type PlanEvent,
  RevisionRequested,
  type Usage,
} from "@planwright/plan";
import { ConflictError, factSubject, type Publish } from "@planwright/shared/bus";
import { renderTraceParent, TRACEPARENT, type TraceParent } from "@planwright/shared/telemetry";

/** What a join came to. */
export type JoinOutcome =
  | { readonly decision: "answer"; readonly answer: Answer; readonly usage?: Usage }
  | {
      readonly decision: "revise";
      readonly reason: string;
      /** The best that can be said so far. */
      readonly answer: Answer;
      readonly usage: Usage;
    };

/** Records what a join came to, unless that has been recorded before: the first outcome of a join stands. */
export async function recordJoin(
  { publish, now, trace }: { publish: Publish; now: () => Date; trace?: TraceParent },
  { planId, join }: Pick<JoinWork, "planId" | "join">,
  { decision, ...data }: JoinOutcome,
): Promise<void> {
  const head = {
    id: `${planId}/join/${join}/done`,
    planId,
    at: now().toISOString(),
    data: { join, ...data },
  };
  const event: PlanEvent =
    decision === "answer"
      ? AnswerGiven.parse({ ...head, type: "answer.given" })
      : RevisionRequested.parse({ ...head, type: "revision.requested" });
  const headers = trace === undefined ? {} : { [TRACEPARENT]: renderTraceParent(trace) };
  try {
    await publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 }, headers });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
}
