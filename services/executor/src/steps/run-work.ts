/** A work message: its step, and the steps that the worker may go on with after it. */
import { resumedWork, type StepWork, wholeOf } from "@planwright/plan";
import { readPlan } from "@planwright/shared/bus";
import type { WorkContext } from "@planwright/shared/queue";
import { mayHaveActed } from "./begin-attempt.ts";
import { reportInterrupted, reportOutcome } from "./report.ts";
import { runStep } from "./run-step.ts";
import type { StepDeps } from "./step-deps.ts";

/** Resolves once nothing of the work is left to this worker. */
export async function runWork(deps: StepDeps, work: StepWork, context: WorkContext): Promise<void> {
  const isFirst = context.deliveries === 1;
  let current = isFirst || work.followUps === undefined ? work : await whereLeft(deps, work);
  while (current !== undefined) current = await runStep(deps, current, context);
}

/** Records that the work will never be done: the step that it had come to has failed, or may have acted. */
export async function giveUpWork(deps: StepDeps, work: StepWork, message: string): Promise<void> {
  const current = work.followUps === undefined ? work : await whereLeft(deps, work);
  if (current === undefined) return;
  if (work.effect === "once" && mayHaveActed(await readPlan(deps.bus, work.planId), work)) {
    return reportInterrupted(deps, work, message.slice(0, 4_000));
  }
  const error = { code: "deliveries_exhausted", message };
  const forfeited = work.allowance === undefined ? {} : { forfeited: wholeOf(work.allowance) };
  const outcome = { kind: "failed", error, retryable: false, ...forfeited } as const;
  await reportOutcome(deps, current, { outcome, startedAt: deps.now() });
}

/** An earlier worker may have done some of it: the log says how far it came. */
async function whereLeft(deps: StepDeps, work: StepWork): Promise<StepWork | undefined> {
  const plan = await readPlan(deps.bus, work.planId);
  return plan === undefined ? undefined : resumedWork(plan, work);
}
