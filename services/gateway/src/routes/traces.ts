import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { Traces } from "../traces/keep-traces.ts";
import { TraceSpan } from "../traces/shown-span.ts";
import { PlanPath } from "./get-plan.ts";
import { receiveTracesRoute } from "./receive-traces.ts";

const Trace = z.object({
  traceId: z.string(),
  sampled: z
    .boolean()
    .meta({ description: "Whether all of the plan is traced; otherwise only what failed." }),
  keptSince: z.iso
    .datetime()
    .meta({ description: "Spans that came before are not here: they are kept in memory." }),
  dropped: z.int().meta({ description: "Spans of the trace that were not kept, because it has too many." }),
  evicted: z.boolean().meta({ description: "Its spans were let go to make room for others." }),
  spans: z.array(TraceSpan).meta({ description: "In the order of their beginnings." }),
});

/** `GET /v1/plans/:planId/trace`: the spans of one plan, and of none that shares its trace. */
export async function traceRoutes(
  app: FastifyInstance,
  { book, traces }: { readonly book: PlanBook; readonly traces: Traces },
): Promise<void> {
  await receiveTracesRoute(app, traces);
  const schema = {
    summary: "The trace of one plan",
    tags: ["plans"],
    params: PlanPath,
    response: { 200: Trace },
  };
  app.get("/v1/plans/:planId/trace", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const plan = await ownPlan(book, { tenant: request.tenant, planId });
    const { trace } = plan.goal;
    const { traceId, sampled } = trace;
    const { spans, dropped, evicted } = await traces.get({ planId: plan.planId, trace });
    const head = JSON.stringify({ traceId, sampled, keptSince: traces.since, dropped, evicted });
    return reply
      .header("cache-control", "no-store")
      .type("application/json; charset=utf-8")
      .send(`${head.slice(0, -1)},"spans":${spans}}`);
  });
}
