import { getPlan } from "@planwright/api";
import { type KnownPlan, viewOf } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { viewWithSubPlans } from "../plans/view-with-sub-plans.ts";
import { waitForPlan } from "../plans/wait-for-plan.ts";

export type GetPlanDeps = {
  readonly book: PlanBook;
  readonly now: () => Date;
  /** Aborts when requests that wait have to be answered. */
  readonly stopping: AbortSignal;
};

/** `GET /v1/plans/:planId`: the whole view of a plan, now, at its end or at an earlier event. */
export function getPlanRoute(app: App, { book, now, stopping }: GetPlanDeps): void {
  serve(app, getPlan, async ({ tenant, keyEnded, params: { planId }, query: { seq, wait } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    void reply.header("cache-control", "no-store");
    if (seq !== undefined) return await viewAt(book, plan, seq);
    if (wait === 0) return await viewWithSubPlans(book, plan, now().getTime());
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, stopping, ...(keyEnded === undefined ? [] : [keyEnded])]);
    const waited = await waitForPlan({
      book,
      tenant,
      planId,
      timeoutMs: wait * 1_000,
      untilEnd: true,
      signal,
    });
    keyEnded?.throwIfAborted();
    return await viewWithSubPlans(book, waited, now().getTime());
  });
}

async function viewAt(book: PlanBook, plan: KnownPlan, seq: number) {
  const then = seq <= plan.seq ? await book.at(plan.planId, seq) : undefined;
  if (then === undefined)
    throw new Problem("invalid_request", `seq: the plan has ${plan.seq} events so far, not ${seq}`);
  // The time left is estimated for that moment, from the step durations that are known today.
  return viewOf(then, Date.parse(then.updatedAt), book.knownTimes(then.goal.tenant));
}
