/**
 * One attempt of one step, from its work message to its outcome.
 *
 * Invariants:
 *   STEP-1. The first stored outcome of an attempt is its outcome; a repeated attempt changes nothing.
 *   STEP-2. A step with an effect begins only after its start is stored. Its start is refused when the plan was paused,
 *       resumed or cancelled since its sender last read the log; the log then decides whether it can begin.
 *   STEP-3. An error of a tool is an outcome of the step; only errors of our own machinery are thrown.
 */
import { type StepWork, wholeOf } from "@planwright/plan";
import type { WorkContext } from "@planwright/shared/queue";
import { processSpan, type TraceParent, withSpan } from "@planwright/shared/telemetry";
import { actOnce } from "./act-once.ts";
import { attemptSignal, type Doubt, runTool, type ToolWatch } from "./run-tool.ts";
import { beginAttempt } from "./begin-attempt.ts";
import { type Outcome, reportOutcome, reportStart } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";
import { randomUUID } from "node:crypto";

/** A read-only step is shown as started when it takes longer than this; most are done by then. */
const SHOW_START_MS = 30;

export async function runStep(deps: StepDeps, work: StepWork, context: WorkContext): Promise<void> {
  const span = processSpan(deps.telemetry, context.trace, {
    destination: "work.step",
    subject: context.subject,
    deliveries: context.deliveries,
    attributes: {
      "plan.id": work.planId,
      "step.id": work.stepId,
      "step.attempt": work.attempt,
      "worker.id": deps.workerId,
    },
  });
  await withSpan(span, async () => {
    const startedAt = deps.now();
    const beginning = await beginAttempt(deps, work, context);
    if (beginning === "refused") return;
    const showStart = (): void => {
      if (work.effect !== "read" || hasAllowance(work)) return;
      reportStart(deps, work, { context }).catch((err: unknown) =>
        deps.log.debug({ err }, "could not publish start"),
      );
    };
    const trace = span.ids;
    const attempt = async () =>
      (await claimAllowance(deps, work, context)) ??
      (await attemptStep(deps, work, { context, trace, showStart }));
    const outcome = await actOnce(deps, work, { beginning, signal: context.signal, attempt });
    if (outcome === undefined) return;
    if (outcome.kind === "failed") span.fail(new Error(outcome.error.message));
    await reportOutcome(deps, work, { outcome, startedAt, trace });
  });
}

type AttemptOptions = {
  readonly context: WorkContext;
  readonly trace: TraceParent;
  /** Called when the attempt takes longer than usual. */
  readonly showStart: () => void;
  readonly watch?: ToolWatch;
};

/** Runs the step's tool. Undefined when the attempt is no longer wanted and its outcome is not needed. */
export async function attemptStep(
  deps: StepDeps,
  work: StepWork,
  { context, trace, showStart, watch }: AttemptOptions,
): Promise<Outcome | Doubt | undefined> {
  const { deliveries, storedAt } = context;
  using stop = attemptSignal(work, { stops: deps.stops, stopping: context.signal });
  const timer = setTimeout(showStart, SHOW_START_MS);
  try {
    const outcome = await runTool(deps, work, { stop, trace, deliveries, storedAt, watch });
    // A stopping worker returns the step instead of reporting it as failed; but if part of an allowance is spent, no other worker
    // could continue.
    if (outcome.kind === "failed" && !hasAllowance(work)) context.signal.throwIfAborted();
    // An effect is reported even if the step is no longer wanted: for the ledger.
    return stop.cause === "unwanted" && work.effect === "read" ? undefined : outcome;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the attempt's model calls draw on a budget. */
function hasAllowance({ allowance }: StepWork): boolean {
  const { tokens, usd } = wholeOf(allowance ?? {});
  return tokens > 0 || usd > 0;
}

/**
 * Claims the attempt's allowance by being the first to record the attempt's start in the log.
 *
 * @returns The attempt's outcome when another worker had already started it: that worker's usage will not be counted, so the
 * whole allowance is forfeited, and the next attempt gets its own.
 */
async function claimAllowance(
  deps: StepDeps,
  work: StepWork,
  context: Pick<WorkContext, "deliveries" | "sequence">,
): Promise<Outcome | undefined> {
  if (!hasAllowance(work)) return undefined;
  // A step with an effect has already recorded its start. A step that runs at most once never has an allowance.
  if (work.effect !== "read") return context.deliveries > 1 ? forfeited(work) : undefined;
  const started = await reportStart(deps, work, { context, claim: randomUUID() });
  return started === "lost" ? forfeited(work) : undefined;
}

function forfeited({ allowance = {} }: StepWork): Outcome {
  const message = "an earlier worker ended during this attempt, and its usage was not counted";
  const error = { code: "allowance_forfeited", message };
  return { kind: "failed", error, retryable: true, forfeited: wholeOf(allowance) };
}
