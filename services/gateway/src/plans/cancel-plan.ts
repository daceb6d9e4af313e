import { type CancelRequested, isEnded, type KnownPlan, type PlanId } from "@planwright/plan";
import { ConflictError, factSubject, type Publish } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "./own-plan.ts";

const FOLD_TIMEOUT_MS = 10_000;

export type CancelDeps = {
  readonly book: Pick<PlanBook, "find" | "reached">;
  readonly publish: Publish;
  readonly now: () => Date;
};

export type CancelPlan = (request: {
  readonly tenant: string;
  readonly planId: string;
  readonly reason: string | undefined;
}) => Promise<{ readonly planId: PlanId }>;

/**
 * Makes the function that cancels plans. It answers once the gateway's own view shows the plan as cancelled;
 * cancelling again before the plan has come to its end changes nothing and succeeds.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `plan_ended` also when the end was decided first.
 */
export function createCancelPlan({ book, publish, now }: CancelDeps): CancelPlan {
  return async ({ tenant, planId, reason }) => {
    const plan = await ownPlan(book, { tenant, planId });
    if (isEnded(plan)) throw ended(plan);
    if (plan.status === "cancelled") return { planId: plan.planId };

    const event: CancelRequested = {
      id: `${plan.planId}/cancel.requested`,
      type: "cancel.requested",
      planId: plan.planId,
      at: now().toISOString(),
      data: { reason: reason ?? "cancelled on request", by: tenant },
    };
    const sequence = await publishOnce(publish, event);
    await foldedUpTo(book, sequence);
    const after = await ownPlan(book, { tenant, planId });
    if (after.status !== "cancelled") throw ended(after);
    return { planId: plan.planId };
  };
}

/** Where the plan's cancellation stands in the stream, whoever asked for it first; undefined if it cannot be told. */
async function publishOnce(publish: Publish, event: CancelRequested): Promise<number | undefined> {
  try {
    return (await publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } })).sequence;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

async function foldedUpTo(book: CancelDeps["book"], sequence: number | undefined): Promise<void> {
  if (sequence === undefined) return;
  try {
    await book.reached(sequence, AbortSignal.timeout(FOLD_TIMEOUT_MS));
  } catch (cause) {
    throw new TransientError("the cancellation is stored, but has not come back yet", { cause });
  }
}

function ended(plan: KnownPlan): Problem {
  return new Problem("plan_ended", `the plan has already come to its end: ${plan.status}`);
}
