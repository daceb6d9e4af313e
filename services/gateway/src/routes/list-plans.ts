import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PlanSummary } from "../book/list-plans.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { PlanFilter } from "../book/plan-filter.ts";
import { parsePart } from "../http/parse-part.ts";

const Query = PlanFilter.extend({
  limit: z.coerce.number().pipe(z.int().min(1).max(200)).default(50),
  cursor: z.string().max(64).optional().meta({ description: "The `nextCursor` of the page before." }),
});
const Page = z.object({ plans: z.array(PlanSummary), nextCursor: z.string().optional() });

/** `GET /v1/plans`: lists and searches plans, newest first. */
export function listPlansRoute(
  app: FastifyInstance,
  { book }: { readonly book: Pick<PlanBook, "list"> },
): void {
  const schema = {
    summary: "List and search plans",
    tags: ["plans"],
    querystring: Query,
    response: { 200: Page },
  };
  app.get("/v1/plans", { schema }, async (request, reply) => {
    const query = parsePart(Query, request.query, "query");
    const page = book.list({ ...query, tenant: request.tenant });
    return reply.header("cache-control", "no-store").send(page);
  });
}
