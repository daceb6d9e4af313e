import { PlanView, viewOf } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { ownPlan } from "../plans/own-plan.ts";

export const PlanPath = z.object({ planId: z.string() });

/** `GET /v1/plans/:planId`: the whole view of a plan. */
export function getPlanRoute(
  app: FastifyInstance,
  { book, now }: { readonly book: PlanBook; readonly now: () => Date },
): void {
  const schema = { summary: "One plan", tags: ["plans"], params: PlanPath, response: { 200: PlanView } };
  app.get("/v1/plans/:planId", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const plan = await ownPlan(book, { tenant: request.tenant, planId });
    return reply.header("cache-control", "no-store").send(viewOf(plan, now().getTime()));
  });
}
