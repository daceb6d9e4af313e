import { continuityOf } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { PlanPath } from "./get-plan.ts";

/** `GET /v1/plans/:planId/continuity.md`: what a plan knows and how far it has come, as a page for whoever goes on. */
export function continuityRoute(app: FastifyInstance, { book }: { readonly book: PlanBook }): void {
  const schema = {
    summary: "What one plan knows, as Markdown",
    description: "Its goal, facts with their sources, open questions, steps and answer.",
    tags: ["plans"],
    params: PlanPath,
  };
  app.get("/v1/plans/:planId/continuity.md", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const plan = await ownPlan(book, { tenant: request.tenant, planId });
    return reply
      .type("text/markdown; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .send(continuityOf(plan));
  });
}
