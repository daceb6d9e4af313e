/**
 * One attempt of one step, from its work message to its outcome.
 *
 * Invariants:
 *   S1. The first outcome of an attempt that is stored is its outcome; a repeated attempt changes nothing.
 *   S2. A step that changes something begins only after its start is stored. Its start is refused when the
 *       plan was paused, resumed or cancelled since its sender looked; the log then says whether it may begin.
 *   S3. What a tool throws is an outcome of the step; only faults of our own machinery are thrown.
 */
import { followUpWork, isAttemptWanted, type StepWork } from "@planwright/plan";
import { ConflictError, FLOW_HEADER, readPlanAndFlow } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import type { WorkContext } from "@planwright/shared/queue";
import { processSpan } from "@planwright/shared/telemetry";
import { type Outcome, reportOutcome, reportStart } from "./report.ts";
import { runTool } from "./run-tool.ts";
import type { StepDeps } from "./step-deps.ts";

/** A step that only reads is shown as started when it takes longer than this; most are over by then. */
const SHOW_START_MS = 30;
/** How often people may pause, resume or cancel between two looks at the log. */
const START_TRIES_MAX = 5;

/** @returns What this worker goes on with, because the outcome that it has stored says so. */
export async function runStep(
  deps: StepDeps,
  work: StepWork,
  context: WorkContext,
): Promise<StepWork | undefined> {
  const { planId, stepId, attempt } = work;
  const span = processSpan(deps.telemetry, context.trace, {
    destination: "work.step",
    subject: context.subject,
    deliveries: context.deliveries,
    attributes: { "plan.id": planId, "step.id": stepId, "step.attempt": attempt, "worker.id": deps.workerId },
  });
  const startedAt = deps.now();
  try {
    if (!(await begin(deps, work, context))) return undefined;
    const outcome = await attemptStep(deps, work, context, span.ids);
    if (outcome === undefined) return undefined;
    if (outcome.kind === "failed") span.fail(new Error(outcome.error.message));
    const goesOn = outcome.kind === "succeeded" && !context.signal.aborted && deps.stops.mayGoOn(planId);
    const next = goesOn ? followUpWork(work, outcome.output) : undefined;
    const isFirst = await reportOutcome(deps, work, {
      outcome,
      startedAt,
      trace: span.ids,
      next: next?.stepId,
    });
    return isFirst ? next : undefined;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Whether the attempt may go on: false when it is not wanted any more, or will be sent again. */
async function begin(deps: StepDeps, work: StepWork, context: WorkContext): Promise<boolean> {
  if (work.effect === "read") return deps.stops.mayBegin(work);
  const { deliveries: delivery } = context;
  let expectFlow = Number(context.header(FLOW_HEADER) || 0);
  // Somebody else may have had it before: what became of that stands in the log.
  let isSure = delivery === 1;
  for (let tries = 0; tries < START_TRIES_MAX; tries++) {
    if (!isSure) {
      const { plan, flow } = await readPlanAndFlow(deps.bus, work.planId);
      if (!isAttemptWanted(plan, work)) return false;
      expectFlow = flow;
    }
    try {
      await reportStart(deps, work, { delivery, expectFlow });
      return true;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      isSure = false;
    }
  }
  throw new TransientError(`the plan's course changed ${START_TRIES_MAX} times while the step was to start`);
}

/** Undefined when the attempt is no longer wanted: nobody waits for its outcome. */
async function attemptStep(
  deps: StepDeps,
  work: StepWork,
  context: WorkContext,
  trace: Parameters<typeof runTool>[2]["trace"],
): Promise<Outcome | undefined> {
  if (work.effect === "once" && context.deliveries > 1) {
    const message = "an earlier worker ended in the middle of this step; whether it took effect is not known";
    return { kind: "failed", error: { code: "outcome_unknown", message }, retryable: false };
  }
  using stop = deps.stops.watch(work);
  const deadline = AbortSignal.timeout(work.timeoutMs);
  const signal = AbortSignal.any([deadline, stop.signal, context.signal]);
  const showStart = setTimeout(() => {
    if (work.effect !== "read") return;
    reportStart(deps, work, { delivery: context.deliveries }).catch((err: unknown) =>
      deps.log.debug({ err }, "start not shown"),
    );
  }, SHOW_START_MS);
  try {
    const outcome = await runTool(deps, work, { signal, trace, deadline });
    // A worker that is told to end hands the step back instead of calling it failed.
    if (outcome.kind === "failed") context.signal.throwIfAborted();
    return stop.signal.aborted ? undefined : outcome;
  } finally {
    clearTimeout(showStart);
  }
}
