/**
 * One attempt of one step, from its work message to its outcome.
 *
 * Invariants:
 *   S1. The first outcome of an attempt that is stored is its outcome; a repeated attempt changes nothing.
 *   S2. A step that changes something begins only after its start is stored, and its start is refused
 *       when people have asked for something since the work was sent.
 *   S3. What a tool throws is an outcome of the step; only faults of our own machinery are thrown.
 */
import { followUpWork, type StepWork } from "@planwright/plan";
import { CONTROL_HEADER, ConflictError } from "@planwright/shared/bus";
import type { WorkContext } from "@planwright/shared/queue";
import { processSpan } from "@planwright/shared/telemetry";
import { type Outcome, reportOutcome, reportStart } from "./report.ts";
import { runTool } from "./run-tool.ts";
import type { StepDeps } from "./step-deps.ts";

/** A step that only reads is shown as started when it takes longer than this; most are over by then. */
const SHOW_START_MS = 30;

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
    const goesOn = outcome.kind === "succeeded" && !context.signal.aborted;
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

/** Whether the attempt may go on: false when the plan was cancelled or paused since it was sent. */
async function begin(deps: StepDeps, work: StepWork, context: WorkContext): Promise<boolean> {
  if (work.effect === "read") return true;
  try {
    await reportStart(deps, work, { expectControl: context.header(CONTROL_HEADER) });
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
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
    reportStart(deps, work, {}).catch((err: unknown) => deps.log.debug({ err }, "start not shown"));
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
