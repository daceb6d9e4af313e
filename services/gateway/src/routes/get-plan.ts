import { getPlan } from "@planwright/api";
import { viewOf } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { viewWithSubPlans } from "../plans/view-with-sub-plans.ts";

/** `GET /v1/plans/:planId`: the whole view of a plan, now or at an earlier event. */
export function getPlanRoute(
  app: App,
  { book, now }: { readonly book: PlanBook; readonly now: () => Date },
): void {
  serve(app, getPlan, async ({ tenant, params: { planId }, query: { seq } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    void reply.header("cache-control", "no-store");
    if (seq === undefined) return await viewWithSubPlans(book, plan, now().getTime());
    const then = seq <= plan.seq ? await book.at(plan.planId, seq) : undefined;
    if (then === undefined)
      throw new Problem("invalid_request", `seq: the plan has ${plan.seq} facts so far, not ${seq}`);
    // The time left is estimated for that moment, from the step durations that are known today.
    return viewOf(then, Date.parse(then.updatedAt), book.knownTimes(then.goal.tenant));
  });
}
