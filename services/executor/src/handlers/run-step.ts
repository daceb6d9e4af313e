/** A work message: its step, and the steps that the worker may continue with after it. */
import {
  allRuns,
  broughtBy,
  DELIVERIES_EXHAUSTED,
  type Forfeit,
  itemOf,
  resumedWork,
  type StepWork,
  wholeOf,
} from "@planwright/plan";
import { parseWorkSubject, readPlan } from "@planwright/shared/bus";
import type { WorkContext, WorkHandler } from "@planwright/shared/queue";
import { mayHaveActed } from "../steps/begin-attempt.ts";
import { followUpTime } from "../steps/follow-up-time.ts";
import { type AttemptOf, reportInterrupted, reportOutcome } from "../steps/report.ts";
import { runBundle, takeApart } from "../steps/run-bundle.ts";
import { runStep } from "../steps/run-step.ts";
import type { StepDeps } from "../steps/step-deps.ts";

/** A step's own time-out comes first; only a tool that blocks its thread outlives it by this much. */
const RENEW_AFTER_TIMEOUT_MS = 10_000;

/** What an executor does with the messages of its pools. */
export function stepHandler(deps: StepDeps): WorkHandler<StepWork> {
  return {
    handle: (work, context) => runWork(deps, work, context),
    renewForMs: ({ timeoutMs, followUps = [], others = [] }) =>
      [...followUps, ...others].reduce((sum, step) => sum + step.timeoutMs, timeoutMs) +
      RENEW_AFTER_TIMEOUT_MS,
    giveUp: (work, message) => giveUpWork(deps, work, message),
    giveUpUnread: (subject, message) => giveUpUnread(deps, subject, message),
    concerns: (work) => stepGivenUp(deps, work),
  };
}

/** Resolves once nothing of the work is left to this worker. */
async function runWork(deps: StepDeps, work: StepWork, context: WorkContext): Promise<void> {
  if (work.others !== undefined || work.sentWith !== undefined) return runBundle(deps, work, context);
  const isFirst = context.deliveries === 1;
  let current = isFirst || work.followUps === undefined ? work : await whereLeft(deps, work);
  const followUps = followUpTime(() => performance.now());
  while (current !== undefined) current = await runStep(deps, current, context, followUps);
}

/** Records that the work will never be done: the step that it had come to has failed, or may have acted. */
async function giveUpWork(deps: StepDeps, work: StepWork, message: string): Promise<void> {
  if (work.others !== undefined) await takeApart(deps, work, undefined);
  const current = work.followUps === undefined ? work : await whereLeft(deps, work);
  if (current === undefined) return;
  if (work.effect === "once" && mayHaveActed(await readPlan(deps.bus, work.planId), work)) {
    return reportInterrupted(deps, work, message.slice(0, 4_000));
  }
  const forfeited = work.allowance === undefined ? {} : { forfeited: wholeOf(work.allowance) };
  await recordGivenUp(deps, current, { message, ...forfeited });
}

/** The step that is dead-lettered with the work: one that followed, when the worker had come that far. */
async function stepGivenUp(deps: Pick<StepDeps, "bus">, work: StepWork): Promise<object> {
  const left = work.followUps === undefined ? undefined : await whereLeft(deps, work);
  const { stepId, item, attempt } = left ?? work;
  return { stepId, item, attempt };
}

/** The same for work that cannot be read: whatever runs by way of its message has failed, or may have acted. */
async function giveUpUnread(deps: StepDeps, subject: string, message: string): Promise<void> {
  const address = parseWorkSubject(subject);
  if (address?.kind !== "step") return;
  const { planId, stepId, item, attempt, pool } = address;
  const plan = await readPlan(deps.bus, planId);
  if (address.undo === true) {
    const effect = plan?.compensations?.find((entry) => entry.stepId === stepId)?.grant.effect ?? "once";
    if (mayHaveActed(plan, { ...address, effect })) return reportInterrupted(deps, address, message);
    return recordGivenUp(deps, address, { message });
  }
  for (const run of plan === undefined ? [] : allRuns(plan)) {
    const { step, grant, state } = run;
    const { id } = step;
    if (state.status !== "running" || itemOf(run) !== item) continue;
    const sent = broughtBy({ stepId: id, ...state });
    if (sent.stepId !== stepId || sent.attempt !== attempt) continue;
    const given = { planId, stepId: id, item, attempt: state.attempt, pool };
    if (mayHaveActed(plan, { ...given, effect: grant.effect })) await reportInterrupted(deps, given, message);
    else
      await recordGivenUp(deps, state.via === undefined ? given : { ...given, via: state.via }, { message });
  }
}

async function recordGivenUp(
  deps: StepDeps,
  attempt: AttemptOf,
  { message, ...forfeited }: { readonly message: string; readonly forfeited?: Forfeit },
): Promise<void> {
  const error = { code: DELIVERIES_EXHAUSTED, message };
  const outcome = { kind: "failed", error, retryable: false, ...forfeited } as const;
  await reportOutcome(deps, attempt, { outcome, startedAt: deps.now() });
}

/** An earlier worker may have done some of it: the log says how far it came. */
async function whereLeft(deps: Pick<StepDeps, "bus">, work: StepWork): Promise<StepWork | undefined> {
  const plan = await readPlan(deps.bus, work.planId);
  return plan === undefined ? undefined : resumedWork(plan, work);
}
