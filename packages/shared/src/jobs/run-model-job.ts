/**
 * Runs a model's work for a plan: checks that the work is still wanted, makes the call, records the result, ends the work.
 *
 * Invariants:
 *   JOB-1. Work that its plan no longer waits for is not started; work that becomes unwanted is aborted and records nothing.
 *   JOB-2. The result of wanted work is always recorded, with its usage, or the work is delivered again.
 *   JOB-3. Work with an allowance is never done twice with the same allowance: when its worker dies or has to stop, the work
 *          is recorded as interrupted, and the plan requests it again.
 */
import {
  type Allowance,
  isWorkWanted,
  MODEL_UNAVAILABLE,
  NO_USAGE,
  wholeOf,
  ModelFailed,
  type ModelTries,
  type ModelWork,
  type StepWork,
} from "@planwright/plan";
import { readPlan, readPlanLog } from "../bus/log/read-plan.ts";
import { describeError, PermanentError } from "../errors.ts";
import { ModelPatience, ModelUnavailableError } from "../model/call/model-patience.ts";
import { SpendingMeter } from "../model/spending/spending-meter.ts";
import type { WorkContext } from "../queue/consume-work.ts";
import { processSpan, withSpan } from "../telemetry/index.ts";
import {
  type Asking,
  type JobDeps,
  JobFailedError,
  type JobFailure,
  type JobResult,
  type JobWork,
  LostWorkError,
  type ModelJob,
  type Traced,
  UnwantedError,
} from "./model-job.ts";
import type { Logger } from "pino";
import { appendEvent } from "../bus/log/append-event.ts";
import type { Publish } from "../bus/publisher.ts";

const MESSAGE_CHARS_MAX = 2_000;

/**
 * Adapts a job to a work queue: its messages are read as tasks.
 *
 * `giveUp` records that the work will never be done, so that no plan waits for it; it can run more than once.
 */
export function modelJob<Work extends JobWork, Outcome>(deps: JobDeps, job: ModelJob<Work, Outcome>) {
  const giveUp = (work: Work, cause: string) => giveUpJob(deps, job, { work, cause });
  return {
    giveUp,
    Task: job.Schema.transform((work) => ({
      run: (context: WorkContext) => runModelJob(deps, job, { work, context }),
      giveUp: (cause: string) => giveUp(work, cause),
    })),
  };
}

type Task = {
  readonly run: (context: WorkContext) => Promise<void>;
  readonly giveUp: (cause: string) => Promise<void>;
};

/** How a queue handles its tasks. */
export const HANDLE_TASKS = {
  handle: (task: Task, context: WorkContext) => task.run(context),
  giveUp: (task: Task, cause: string) => task.giveUp(cause),
} as const;

/**
 * Does one piece of work, if its plan still waits for it.
 *
 * @throws The signal's reason when the worker stops, and any error after which the work has to be delivered again.
 */
export async function runModelJob<Work extends JobWork, Outcome>(
  deps: JobDeps,
  job: ModelJob<Work, Outcome>,
  { work, context }: { readonly work: Work & Traced; readonly context: WorkContext },
): Promise<void> {
  const { planId } = work;
  const received = processSpan(deps.telemetry, context.trace ?? work.trace, {
    destination: job.destination,
    subject: context.subject,
    consumer: job.consumer,
    deliveries: context.deliveries,
    attributes: { "plan.id": planId, ...job.attributes(work), "worker.id": deps.workerId },
  });
  await withSpan(received, async () => {
    const { plan, stepSpans } = await readPlanLog(deps.bus, planId);
    if (plan === undefined || !isWorkWanted(plan, work)) return;
    const begun = { work, plan, context };
    if (job.span === undefined) return doJob(deps, job, { ...begun, span: received });
    const { name, ...options } = job.span(work, plan, stepSpans);
    const span = deps.telemetry.spanFrom(received.ids, name, options);
    await withSpan(span, () => doJob(deps, job, { ...begun, span }));
  });
}

async function doJob<Work extends JobWork, Outcome>(
  deps: JobDeps,
  job: ModelJob<Work, Outcome>,
  { span, ...begun }: Pick<Asking<Work>, "work" | "plan" | "context" | "span">,
): Promise<void> {
  const { work, plan, context } = begun;
  const { allowance, planId } = work;
  const unwanted = new AbortController();
  using _watch = deps.stops.watch(work, () =>
    unwanted.abort(new DOMException("the work is no longer needed", "AbortError")),
  );
  const onFailure = job.modelWork && reportTries(deps, work, job.modelWork(work));
  const patience = new ModelPatience({
    deliveries: context.deliveries,
    ...job.tried?.(plan, work),
    ...(onFailure === undefined ? {} : { onFailure }),
  });
  const meter = new SpendingMeter(deps.model, { allowance, patience });
  const record = async (came: { outcome?: Outcome; failure?: JobFailure }, used?: Used): Promise<void> => {
    meter.close();
    const { outcome, failure } = came;
    const counted = { used: used ?? meter.report(), isSpent: meter.isSpent, trace: span.ids };
    span.setAttributes(await job.record({ work, plan, outcome, failure, ...counted }));
  };
  try {
    // The previous worker's usage of the allowance was not counted.
    if (job.claims !== true && allowance !== undefined && context.deliveries > 1) throw new LostWorkError();
    const signal = AbortSignal.any([context.signal, unwanted.signal]);
    await record({
      outcome: await job.ask({ ...begun, model: meter.model, span, trace: span.ids, signal }),
    });
  } catch (error) {
    if (unwanted.signal.aborted || error instanceof UnwantedError) {
      span.setAttributes({ "plan.work.outcome": "unwanted" });
      deps.log.info({ planId, subject: context.subject }, "work no longer needed");
      return;
    }
    const failure = failureOf(error, { job, isSpent: meter.isSpent, context, allowance });
    if (failure === undefined) throw error;
    await record({ failure }, error instanceof LostWorkError ? unknownUse(allowance) : undefined);
  }
}

type Used = JobResult<JobWork, unknown>["used"];

/** The maximum usage of a worker that has not reported its own. */
function unknownUse(allowance: Allowance | undefined): Used {
  return { usage: NO_USAGE, ...(allowance === undefined ? {} : { forfeited: wholeOf(allowance) }) };
}

/** Undefined when the work has to be delivered again. */
function failureOf(
  error: unknown,
  {
    job,
    isSpent,
    context,
    allowance,
  }: {
    readonly job: { readonly interrupted: string };
    readonly isSpent: boolean;
    readonly context: WorkContext;
    readonly allowance: Allowance | undefined;
  },
): JobFailure | undefined {
  const message = describeError(error).slice(0, MESSAGE_CHARS_MAX);
  if (error instanceof LostWorkError) return { cause: "interrupted", message: job.interrupted };
  if (error instanceof ModelUnavailableError) {
    const { retryAfterMs } = error;
    return { cause: MODEL_UNAVAILABLE, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  if (error instanceof JobFailedError) return { cause: isSpent ? "allowance_spent" : error.why, message };
  if (allowance === undefined || error instanceof PermanentError) return undefined;
  // A worker that retried with this allowance could not know how much of it is left.
  return { cause: "interrupted", message: context.signal.aborted ? job.interrupted : message };
}

async function giveUpJob<Work extends JobWork, Outcome>(
  { bus }: Pick<JobDeps, "bus">,
  job: Pick<ModelJob<Work, Outcome>, "record">,
  { work, cause }: { readonly work: Work; readonly cause: string },
): Promise<void> {
  const plan = await readPlan(bus, work.planId);
  if (plan === undefined || !isWorkWanted(plan, work)) return;
  const failure = { cause: "dead_lettered", message: cause.slice(0, MESSAGE_CHARS_MAX) } as const;
  await job.record({
    work,
    plan,
    outcome: undefined,
    failure,
    used: unknownUse(work.allowance),
    isSpent: false,
  });
}

/**
 * Records each failed model call of a piece of work in its plan's log, so that viewers see why the plan waits and the
 * next worker knows how many calls were made. If a record is lost, that call is not counted.
 */
export function reportTries(
  { publish, now, log }: { readonly publish: Publish; readonly now: () => Date; readonly log: Logger },
  { planId, after }: Pick<StepWork, "planId" | "after">,
  work: ModelWork,
): (tries: ModelTries) => void {
  return (tries) => {
    const event = ModelFailed.create({ planId, after, at: now() }, { work, tries });
    // A later delivery counts from the start, and finds its reports in the log.
    appendEvent(publish, event).catch((error: unknown) => {
      log.warn({ planId, err: error }, "could not record failed model call");
    });
  };
}
