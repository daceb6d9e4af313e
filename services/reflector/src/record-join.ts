import {
  type ActionValue,
  type Answer,
  type Forfeit,
  type JoinAbandoned,
  type JoinWork,
  PlanEvent,
  type Usage,
} from "@planwright/plan";
import { appendEvent, type Publish } from "@planwright/shared/bus";
import { renderTraceParent, TRACEPARENT, type TraceParent } from "@planwright/shared/telemetry";

/** What a join came to. */
export type JoinOutcome =
  | {
      /** `draft`: it is judged before it is given. */
      readonly decision: "answer" | "draft";
      readonly answer: Answer;
      readonly usage?: Usage;
      readonly forfeited?: Forfeit;
    }
  /** There is not enough of a budget to tell, or its usage is unknown. */
  | {
      readonly decision: "abandon";
      readonly cause: JoinAbandoned["data"]["cause"];
      readonly message: string;
      readonly retryAfterMs?: number;
      readonly usage: Usage;
      readonly forfeited?: Forfeit;
    }
  /** The actions of a tree search's round are valued. */
  | {
      readonly decision: "value";
      readonly values: ActionValue[];
      readonly cause?: string;
      readonly usage: Usage;
      readonly forfeited?: Forfeit;
    }
  | {
      readonly decision: "revise";
      readonly reason: string;
      /** The best that can be said so far. */
      readonly answer: Answer;
      readonly usage: Usage;
      readonly forfeited?: Forfeit;
    };

const TYPES = {
  answer: "answer.given",
  draft: "answer.drafted",
  revise: "revision.requested",
  abandon: "join.abandoned",
  value: "nodes.valued",
} as const satisfies Record<JoinOutcome["decision"], PlanEvent["type"]>;

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
  const event = PlanEvent.parse({ ...head, type: TYPES[decision] });
  const headers = trace === undefined ? {} : { [TRACEPARENT]: renderTraceParent(trace) };
  await appendEvent(publish, event, { headers });
}
