import { getMetrics } from "@planwright/api";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, serve } from "../http/contract.ts";

/** `GET /v1/metrics`: the metrics of plans that ended. */
export function kpisRoute(
  app: App,
  { book, now }: { readonly book: Pick<PlanBook, "kpis">; readonly now: () => Date },
): void {
  serve(app, getMetrics, async (request, reply) => {
    const { from: fromMs, to: toMs = now().getTime(), ...query } = request.query;
    const kpis = await book.kpis({ ...query, tenant: request.tenant, fromMs, toMs });
    return reply.header("cache-control", "no-store").send(kpis);
  });
}
