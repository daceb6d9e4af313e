import { PlanView, viewOf } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import { parsePart } from "../http/parse-part.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { viewWithSubPlans } from "../plans/view-with-sub-plans.ts";

export const PlanPath = z.object({ planId: z.string() });

const ViewQuery = z.strictObject({
  seq: z.coerce
    .number()
    .pipe(z.int().min(1))
    .optional()
    .meta({ description: "The plan as it was after this many facts; as it is now when absent." }),
});

/** `GET /v1/plans/:planId`: the whole view of a plan, now or as it was. */
export function getPlanRoute(
  app: FastifyInstance,
  { book, now }: { readonly book: PlanBook; readonly now: () => Date },
): void {
  const schema = {
    summary: "One plan",
    tags: ["plans"],
    params: PlanPath,
    querystring: ViewQuery,
    response: { 200: PlanView },
  };
  app.get("/v1/plans/:planId", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const { seq } = parsePart(ViewQuery, request.query, "query");
    const plan = await ownPlan(book, { tenant: request.tenant, planId });
    void reply.header("cache-control", "no-store");
    if (seq === undefined) return await viewWithSubPlans(book, plan, now().getTime());
    const then = seq <= plan.seq ? await book.at(plan.planId, seq) : undefined;
    if (then === undefined)
      throw new Problem("invalid_request", `seq: the plan has ${plan.seq} facts so far, not ${seq}`);
    // The time left is estimated for that moment, from the step durations that are known today.
    return viewOf(then, Date.parse(then.updatedAt), book.knownTimes(then.goal.tenant));
  });
}
