import { PlanId, PlanView } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PlanSummary } from "../book/list-plans.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";

const Query = z.object({
  status: PlanView.shape.status.optional(),
  parent: PlanId.optional().meta({ description: "The plan whose sub-plans are wanted." }),
  q: z.string().trim().max(500).optional().meta({
    description: "Words of the goal, the metadata or the id; each must occur, or a word that begins so.",
  }),
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
    const { q, ...query } = parsePart(Query, request.query, "query");
    // An empty search field asks for everything.
    const page = book.list({ ...query, q: q === "" ? undefined : q, tenant: request.tenant });
    return reply.header("cache-control", "no-store").send(page);
  });
}
