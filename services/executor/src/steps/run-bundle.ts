/** A work message with several light steps: each is run once, and reports for itself. */
import { isWorkWanted, stepsOfWork, type StepWork, stepWorkId } from "@planwright/plan";
import { readPlan, sendOnce, stepSubject } from "@planwright/shared/bus";
import type { WorkContext } from "@planwright/shared/queue";
import {
  processSpan,
  renderTraceParent,
  TRACEPARENT,
  type TraceParent,
  withSpan,
} from "@planwright/shared/telemetry";
import { runAttempt, runStep } from "./run-step.ts";
import type { StepDeps } from "./step-deps.ts";

/**
 * Runs all steps of a bundle at the same time. Resolves when all of them have reported.
 *
 * A bundle that is delivered again is taken apart, so that a step that kills its worker is dead-lettered alone, and
 * does not take the others with it.
 */
export async function runBundle(deps: StepDeps, work: StepWork, context: WorkContext): Promise<void> {
  if (context.deliveries > 1) {
    const first = await takeApart(deps, work, context.trace);
    if (first !== undefined) await runStep(deps, first, context);
    return;
  }
  const { planId } = work;
  const steps = stepsOfWork(work);
  const span = processSpan(deps.telemetry, context.trace, {
    destination: "work.step",
    subject: context.subject,
    deliveries: context.deliveries,
    attributes: {
      "plan.id": planId,
      "worker.id": deps.workerId,
      "messaging.batch.message_count": steps.length,
    },
  });
  await withSpan(span, async () => {
    const runs = steps.map((step) => runAttempt(deps, step, { context, trace: span.ids }));
    // Late reports must still be awaited: the message is in hand for all of them.
    const faults = (await Promise.allSettled(runs)).filter((run) => run.status === "rejected");
    if (faults[0] !== undefined) throw faults[0].reason;
  });
}

/**
 * Sends the remaining steps of a bundle as separate messages.
 *
 * @returns The first step, if it is still to be run: the bundle's own message now stands for that one alone.
 */
export async function takeApart(
  deps: Pick<StepDeps, "bus" | "publish">,
  work: StepWork,
  trace: TraceParent | undefined,
): Promise<StepWork | undefined> {
  const plan = await readPlan(deps.bus, work.planId);
  const [first, ...others] = stepsOfWork(work);
  const headers = trace === undefined ? {} : { [TRACEPARENT]: renderTraceParent(trace) };
  const wanted = others.filter((step) => isWorkWanted(plan, step));
  await Promise.all(wanted.map((step) => sendAlone(deps, step, headers)));
  return first !== undefined && isWorkWanted(plan, first) ? first : undefined;
}

async function sendAlone(
  { publish }: Pick<StepDeps, "publish">,
  step: StepWork,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  // It may have been sent when the bundle came the time before.
  await sendOnce(publish, stepSubject(step), step, { id: stepWorkId(step), headers });
}
