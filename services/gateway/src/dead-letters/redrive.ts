/** Retries the step of a dead letter, and removes the dead letter. */
import type { DeadLetter, Retried } from "@planwright/api";
import {
  type KnownPlan,
  RedriveRequested,
  type RedriveRefusal,
  redriveRefusal,
  runOf,
} from "@planwright/plan";
import { factSubject, readFromLeader, STREAMS } from "@planwright/shared/bus";
import { Problem } from "../http/problem.ts";
import { type StoreDeps, storeRequest } from "../plans/store-request.ts";
import type { DeadLetterStore } from "./dead-letter-store.ts";

export type RedriveDeps = StoreDeps & {
  readonly store: Pick<DeadLetterStore, "remove">;
  readonly now: () => Date;
};

const AGAIN = "submit the goal again";

const REFUSALS: Readonly<Record<RedriveRefusal, string>> = {
  no_such_step: "the plan has no such step",
  not_given_up: "the step has a different outcome by now: discard the dead letter",
  decided: `the plan has continued without the step: ${AGAIN}`,
  may_have_acted:
    "the step runs at most once, and a worker had started it: a user has to decide whether it may run again",
};

/**
 * Requests the next attempt of the dead letter's step. The dead letter leaves the list once the plan has accepted the request;
 * repeated calls, on any gateway, make a single attempt.
 *
 * @throws {Problem} `retry_refused`, with what to do instead; `plan_ended`.
 */
export async function redrive(
  deps: RedriveDeps,
  { letter, by }: { letter: DeadLetter; by: string },
): Promise<Retried> {
  const plan = await planOf(deps, letter);
  const { stepId, attempt } = letter;
  if (stepId === undefined || attempt === undefined) {
    throw new Problem("retry_refused", `a dead-lettered ${letter.kind} ends its part of the plan: ${AGAIN}`);
  }
  const { planId } = plan;
  const { item = 0 } = letter;
  const run = { stepId, item, attempt };
  const event = RedriveRequested.create({ planId, at: deps.now() }, { ...run, by });
  if (!(await wasRequested(deps, plan, event))) {
    const refusal = redriveRefusal(plan, run);
    if (refusal !== undefined) throw refusedBy(plan, refusal);
    await storeRequest(deps, event);
    const after = await planOf(deps, letter);
    const isRedriven = runOf(after, run)?.failedAttempts.some((failed) => failed.attempt === attempt);
    if (isRedriven !== true) throw refusedBy(after, "decided");
  }
  await deps.store.remove(letter.id);
  return { id: letter.id, planId, stepId, attempt: attempt + 1 };
}

async function planOf({ book }: RedriveDeps, { planId }: DeadLetter): Promise<KnownPlan> {
  const plan = planId === undefined ? undefined : await book.find(planId);
  if (plan !== undefined) return plan;
  throw new Problem("retry_refused", "no plan waits for this message: it can only be discarded");
}

/** Whether an earlier retry was interrupted before the dead letter was removed. */
async function wasRequested(
  { bus }: RedriveDeps,
  plan: KnownPlan,
  event: RedriveRequested,
): Promise<boolean> {
  const { attempt } = event.data;
  const hasFailed = runOf(plan, event.data)?.failedAttempts.some((failed) => failed.attempt === attempt);
  if (hasFailed !== true) return false;
  const stored = await readFromLeader(bus, STREAMS.plans, { last_by_subj: factSubject(event) });
  return stored !== null;
}

function refusedBy({ endedAt }: KnownPlan, refusal: RedriveRefusal): Problem {
  if (endedAt !== undefined) return new Problem("plan_ended", `plan already finished: ${AGAIN}`);
  return new Problem("retry_refused", REFUSALS[refusal]);
}
