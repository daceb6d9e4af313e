/** The messages of a pool's queue: a step, or a unit of several light steps. */
import {
  DELIVERIES_EXHAUSTED,
  firstStepOf,
  type Forfeit,
  type PoolWork,
  runOf,
  type StepWork,
  wholeOf,
} from "@planwright/plan";
import { parseWorkSubject, readPlan } from "@planwright/shared/bus";
import type { WorkContext, WorkHandler } from "@planwright/shared/queue";
import { mayHaveActed } from "../steps/begin-attempt.ts";
import { type AttemptOf, reportInterrupted, reportOutcome } from "../steps/report.ts";
import { runStep } from "../steps/run-step.ts";
import { returnUnit, runUnit } from "../steps/run-unit.ts";
import type { StepDeps } from "../steps/step-deps.ts";

/** A step's own timeout comes first; only a tool that blocks its thread runs past it, by up to this much. */
const RENEW_AFTER_TIMEOUT_MS = 10_000;
/** Writer of the event that returns a unit whose message is dead-lettered; at most one such event exists. */
const DEAD_LETTERED = "dead-lettered";

/** Handles the messages of an executor's pools. */
export function stepHandler(deps: StepDeps): WorkHandler<PoolWork> {
  return {
    handle: (work, context: WorkContext) =>
      "steps" in work ? runUnit(deps, work, context) : runStep(deps, work, context),
    renewForMs: (work) => longestOf(work) + RENEW_AFTER_TIMEOUT_MS,
    giveUp: (work, message) =>
      "steps" in work ? returnUnit(deps, work, DEAD_LETTERED) : giveUpStep(deps, work, message),
    giveUpUnread: (subject, message) => giveUpUnread(deps, subject, message),
    concerns: async (work) => {
      if ("steps" in work) return { stepId: firstStepOf(work.unit) };
      const { stepId, item, attempt } = work;
      return { stepId, item, attempt };
    },
  };
}

/** The steps of a unit start almost simultaneously. */
function longestOf(work: PoolWork): number {
  return "steps" in work ? Math.max(...work.steps.map(({ timeoutMs }) => timeoutMs)) : work.timeoutMs;
}

/** Records that the step will never finish: it failed, or may have taken effect. */
async function giveUpStep(deps: StepDeps, work: StepWork, message: string): Promise<void> {
  if (work.effect === "once" && mayHaveActed(await readPlan(deps.bus, work.planId), work)) {
    return reportInterrupted(deps, work, message.slice(0, 4_000));
  }
  const forfeited = work.allowance === undefined ? {} : { forfeited: wholeOf(work.allowance) };
  await recordGivenUp(deps, work, { message, ...forfeited });
}

/** The same for a message that cannot be parsed: the work behind it failed, or may have taken effect. */
async function giveUpUnread(deps: StepDeps, subject: string, message: string): Promise<void> {
  const address = parseWorkSubject(subject);
  if (address?.kind === "unit") return returnUnit(deps, address, DEAD_LETTERED);
  if (address?.kind !== "step") return;
  const { planId, stepId, item, attempt, pool } = address;
  const plan = await readPlan(deps.bus, planId);
  if (address.undo === true) {
    const effect = plan?.compensations?.find((entry) => entry.stepId === stepId)?.grant.effect ?? "once";
    if (mayHaveActed(plan, { ...address, effect })) return reportInterrupted(deps, address, message);
    return recordGivenUp(deps, address, { message });
  }
  const run = plan === undefined ? undefined : runOf(plan, { stepId, item });
  if (run?.state.status !== "running" || run.state.attempt !== attempt || run.state.unit !== undefined)
    return;
  const given = { planId, stepId, item, attempt, pool };
  if (mayHaveActed(plan, { ...given, effect: run.grant.effect }))
    await reportInterrupted(deps, given, message);
  else await recordGivenUp(deps, given, { message });
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
