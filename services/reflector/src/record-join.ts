import {
  AnswerDrafted,
  AnswerGiven,
  type EventHead,
  JoinAbandoned,
  type JoinWork,
  NodesValued,
  type PlanEvent,
  RevisionRequested,
} from "@planwright/plan";
import { appendEvent, type Publish } from "@planwright/shared/bus";
import { renderTraceParent, TRACEPARENT, type TraceParent } from "@planwright/shared/telemetry";

type Found<Event extends { readonly data: { readonly join?: number | undefined } }> = Omit<
  Event["data"],
  "join"
>;

/** What a join came to. */
export type JoinOutcome =
  /** `draft`: it is judged before it is given. */
  | ({ readonly decision: "answer" | "draft" } & Found<AnswerDrafted>)
  /** There is not enough of a budget to tell, or its usage is unknown. */
  | ({ readonly decision: "abandon" } & Found<JoinAbandoned>)
  /** The actions of a tree search's round are valued. */
  | ({ readonly decision: "value" } & Found<NodesValued>)
  /** With the best that can be said so far. */
  | ({ readonly decision: "revise" } & Found<RevisionRequested>);

/** Records what a join came to, unless that has been recorded before: the first outcome of a join stands. */
export async function recordJoin(
  { publish, now, trace }: { publish: Publish; now: () => Date; trace?: TraceParent },
  { planId, join }: Pick<JoinWork, "planId" | "join">,
  outcome: JoinOutcome,
): Promise<void> {
  const headers = trace === undefined ? {} : { [TRACEPARENT]: renderTraceParent(trace) };
  await appendEvent(publish, joinEvent({ planId, at: now() }, join, outcome), { headers });
}

function joinEvent(head: EventHead, join: number, outcome: JoinOutcome): PlanEvent {
  switch (outcome.decision) {
    case "answer":
      return AnswerGiven.create(head, { join, ...outcome });
    case "draft":
      return AnswerDrafted.create(head, { join, ...outcome });
    case "abandon":
      return JoinAbandoned.create(head, { join, ...outcome });
    case "value":
      return NodesValued.create(head, { join, ...outcome });
    case "revise":
      return RevisionRequested.create(head, { join, ...outcome });
    default:
      outcome satisfies never;
      return outcome;
  }
}
