/** The executor's events about an attempt in a plan's log. */
import {
  type EventHead,
  type PlanEvent,
  StepAsked,
  StepFailed,
  StepInterrupted,
  StepStarted,
  StepSucceeded,
  type StepWork,
} from "@planwright/plan";
import { appendEvent, factSubject, flowSubjects } from "@planwright/shared/bus";
import type { WorkContext } from "@planwright/shared/queue";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { StepDeps } from "./step-deps.ts";

/** Fields that identify an attempt, its worker and its time. */
type Attempted =
  | keyof ReturnType<typeof runOf>
  | keyof Pick<StepSucceeded["data"], "workerId" | "startedAt" | "durationMs">;

export type Outcome =
  | ({ readonly kind: "succeeded" } & Omit<StepSucceeded["data"], Attempted>)
  | ({ readonly kind: "failed" } & Omit<StepFailed["data"], Attempted>)
  /** A loop wants to make a call that needs approval. */
  | ({ readonly kind: "asked" } & Omit<StepAsked["data"], Attempted>);

/** The message that reports it. */
export type Started = { readonly id: string; readonly subject: string };

type ReportDeps = Pick<StepDeps, "publish" | "workerId" | "now">;

/**
 * Records that a worker has started the attempt.
 *
 * @param options.context - Context of the attempt's message: each of its deliveries is a separate start.
 * @param options.expectFlow - The last known sequence on the plan's flow subjects; any by default.
 * @param options.claim - Unique per claim: only the first one can start the attempt.
 * @returns `lost` when there has been another flow event since, or the attempt was started before.
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
  const event = startReport({ workerId, now }, work, context, claim);
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

/** The event that reports that a worker has started the attempt. */
export function startReport(
  { workerId, now }: Pick<ReportDeps, "workerId" | "now">,
  work: StepWork,
  { deliveries: delivery, sequence: message }: Pick<WorkContext, "deliveries" | "sequence">,
  claim?: string,
): StepStarted {
  const data = { ...runOf(work), workerId, delivery, message };
  return StepStarted.create(headOf(work, now()), data, claim ?? `${workerId}/${message}/${delivery}`);
}

export type OutcomeReport = {
  readonly outcome: Outcome;
  readonly startedAt: Date;
};

/** The fields that identify an attempt in the log. */
export type AttemptOf = Pick<
  StepWork,
  "planId" | "stepId" | "item" | "undo" | "attempt" | "unit" | "pool" | "after"
>;

/**
 * Records the attempt's outcome. If another worker had the same attempt and reported first, its outcome counts.
 *
 * @returns Whether this outcome is the one that counts.
 */
export async function reportOutcome(
  deps: ReportDeps,
  work: AttemptOf,
  { trace, ...report }: OutcomeReport & { readonly trace?: TraceParent },
): Promise<boolean> {
  const { status } = await appendEvent(deps.publish, outcomeReport(deps, work, report), { trace });
  return status !== "lost";
}

/** The event that reports how the attempt ended. */
export function outcomeReport(
  { workerId, now }: Pick<ReportDeps, "workerId" | "now">,
  work: AttemptOf,
  { outcome, startedAt }: OutcomeReport,
): PlanEvent {
  const endedAt = now();
  const durationMs = endedAt.getTime() - startedAt.getTime();
  const ended = { ...runOf(work), workerId, startedAt: startedAt.toISOString(), durationMs };
  return outcomeEvent(headOf(work, endedAt), outcome, ended);
}

/** Records that it is unknown whether the attempt took effect, unless that has already been recorded. */
export async function reportInterrupted(
  { publish, workerId, now }: ReportDeps,
  work: AttemptOf,
  message: string,
): Promise<void> {
  const data = { ...runOf(work), workerId, message };
  await appendEvent(publish, StepInterrupted.create(headOf(work, now()), data));
}

type Ended = Pick<StepSucceeded["data"], Attempted>;

function outcomeEvent(head: EventHead, outcome: Outcome, ended: Ended): PlanEvent {
  switch (outcome.kind) {
    case "succeeded": {
      const { kind: _kind, ...data } = outcome;
      return StepSucceeded.create(head, { ...ended, ...data });
    }
    case "failed":
      return StepFailed.create(head, { ...ended, ...outcome });
    case "asked":
      return StepAsked.create(head, { ...ended, ...outcome });
    default:
      outcome satisfies never;
      return outcome;
  }
}

function headOf({ planId, after }: AttemptOf, at: Date): EventHead {
  return { planId, after, at };
}

function runOf({ stepId, item, undo, attempt, unit, pool }: AttemptOf) {
  return { stepId, item, undo, attempt, unit, pool };
}
