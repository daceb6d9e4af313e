import { getContinuity } from "@planwright/api";
import { continuityOf } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";
import { ownPlan } from "../plans/own-plan.ts";

/** `GET /v1/plans/:planId/continuity.md`: a plan's facts and progress, as a page. */
export function continuityRoute(app: App, { book }: { readonly book: PlanBook }): void {
  serve(app, getContinuity, async ({ tenant, params: { planId } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    return reply
      .type("text/markdown; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .send(continuityOf(plan));
  });
}
