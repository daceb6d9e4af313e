/** The executor's reports about an attempt to a plan's log. */
import {
  type ArtifactRef,
  type AskedCall,
  attemptId,
  eventOf,
  compensationId,
  type FactClaim,
  type Forfeit,
  type PlanEvent,
  type StepError,
  type StepId,
  type StepOutput,
  type StepWork,
  type Usage,
} from "@planwright/plan";
import { appendEvent, factSubject, flowSubjects } from "@planwright/shared/bus";
import type { WorkContext } from "@planwright/shared/queue";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { StepDeps } from "./step-deps.ts";

export type Outcome =
  | {
      readonly kind: "succeeded";
      readonly output: StepOutput;
      readonly artifacts: readonly ArtifactRef[];
      /** The tool has found out that the plan has to change. */
      readonly replan?: { readonly reason: string };
      /** What the tool found out on the way. */
      readonly facts?: readonly FactClaim[];
      /** It is the output of an equal call. */
      readonly reused?: true;
      /** It ends early, because a model reached its length limit. */
      readonly truncated?: true;
      readonly usage?: Usage;
      readonly forfeited?: Forfeit;
    }
  | {
      readonly kind: "failed";
      readonly error: StepError;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      /** It may have acted all the same. */
      readonly uncertain?: boolean;
      readonly usage?: Usage;
      readonly forfeited?: Forfeit;
    }
  | {
      /** A loop wants to make a call that needs a person's approval. */
      readonly kind: "asked";
      readonly call: AskedCall;
      readonly usage?: Usage;
      readonly forfeited?: Forfeit;
    };

/** The message that says so. */
export type Started = { readonly id: string; readonly subject: string };

type ReportDeps = Pick<StepDeps, "publish" | "workerId" | "now">;

/**
 * Records that a worker has begun the attempt.
 *
 * @param options.context - Of the attempt's message: each of its deliveries is a separate start.
 * @param options.expectFlow - The last sequence on the plan's flow subjects that is known; any when absent.
 * @param options.claim - Told apart from every other claim: only the first to begin the attempt may.
 * @returns `lost` when there has been another one since, or the attempt was begun before.
 */
export async function reportStart(
  { publish, workerId, now }: ReportDeps,
  work: StepWork,
  options: {
    readonly context: Pick<WorkContext, "deliveries" | "sequence">;
    readonly expectFlow?: number;
    readonly claim?: string;
  },
): Promise<Started | "lost"> {
  const { context, expectFlow, claim } = options;
  const { deliveries: delivery, sequence: message } = context;
  const moment = `started/${claim ?? `${workerId}/${message}/${delivery}`}`;
  const event = makeEvent(work, now(), "step.started", moment, { workerId, delivery, message });
  const started = { id: event.id, subject: factSubject(event) };
  if (claim === undefined && expectFlow === undefined) {
    await publish(started.subject, event, { id: event.id });
    return started;
  }
  const fence =
    expectFlow === undefined ? {} : { fence: { sequence: expectFlow, subject: flowSubjects(work.planId) } };
  const { status } = await appendEvent(publish, event, fence);
  return status === "lost" ? "lost" : started;
}

export type OutcomeReport = {
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly trace?: TraceParent;
  /** The follow-up step that this worker continues with. */
  readonly next?: StepId | undefined;
};

/** What names an attempt in the log. */
export type AttemptOf = Pick<
  StepWork,
  "planId" | "stepId" | "item" | "undo" | "attempt" | "via" | "pool" | "after"
>;

/** Records the attempt's outcome, unless it has one already. @returns Whether it is this one that stands. */
export async function reportOutcome(
  { publish, workerId, now }: ReportDeps,
  work: AttemptOf,
  { outcome, startedAt, trace, next }: OutcomeReport,
): Promise<boolean> {
  const { kind, ...data } = outcome;
  const endedAt = now();
  const event = makeEvent(work, endedAt, `step.${kind}`, "done", {
    workerId,
    startedAt: startedAt.toISOString(),
    durationMs: endedAt.getTime() - startedAt.getTime(),
    ...data,
    ...(next === undefined ? {} : { next }),
  });
  // If another worker had the same attempt and was first, its outcome stands.
  const { status } = await appendEvent(publish, event, { trace });
  return status !== "lost";
}

/** Records that it is unknown whether the attempt took effect, unless that was recorded before. */
export async function reportInterrupted(
  { publish, workerId, now }: ReportDeps,
  work: AttemptOf,
  message: string,
): Promise<void> {
  const event = makeEvent(work, now(), "step.interrupted", "interrupted", { workerId, message });
  await appendEvent(publish, event);
}

function makeEvent(
  { planId, stepId, item, undo, attempt, via, pool, after }: AttemptOf,
  at: Date,
  type: PlanEvent["type"],
  moment: string,
  data: object,
): PlanEvent {
  const name =
    undo === true
      ? compensationId({ planId }, stepId, attempt)
      : attemptId({ planId }, { stepId, item, attempt, via });
  const id = `${name}/${moment}`;
  const run = {
    stepId,
    item,
    attempt,
    ...(undo === true ? { undo } : {}),
    ...(via === undefined ? {} : { via }),
    pool,
  };
  return eventOf({ id, type, planId, after, at: at.toISOString(), data: { ...run, ...data } });
}
