import { PlannedBy } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { Kpis } from "../figures/kpis.ts";
import { Period } from "../figures/periods.ts";
import { parsePart } from "../http/parse-part.ts";

const Time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "wanted a date or a time, such as 2026-01-31 or 2026-01-31T10:00:00Z",
  })
  .transform((text) => Date.parse(text));

const Query = z.strictObject({
  from: Time.optional().meta({
    description: "The first moment that counts; a date begins at midnight, UTC.",
  }),
  to: Time.optional().meta({ description: "The first moment that does not count; now when absent." }),
  period: Period.optional().meta({ description: "Adds the figures of every hour, day or week, UTC." }),
  strategy: PlannedBy.optional().meta({ description: "Only plans that came about so." }),
});

/** `GET /v1/kpis`: how the plans that ended have done. */
export function kpisRoute(
  app: FastifyInstance,
  { book, now }: { readonly book: Pick<PlanBook, "kpis">; readonly now: () => Date },
): void {
  const schema = {
    summary: "How the plans that ended have done: of all, by strategy and by period",
    tags: ["system"],
    querystring: Query,
    response: { 200: Kpis },
  };
  app.get("/v1/kpis", { schema }, async (request, reply) => {
    const { from: fromMs, to: toMs = now().getTime(), ...query } = parsePart(Query, request.query, "query");
    const kpis = await book.kpis({ ...query, tenant: request.tenant, fromMs, toMs });
    return reply.header("cache-control", "no-store").send(kpis);
  });
}
