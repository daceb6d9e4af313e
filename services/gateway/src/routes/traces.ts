import { getTrace } from "@planwright/api";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, sendJson, serve } from "../http/contract.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { Traces } from "../traces/keep-traces.ts";
import { receiveTracesRoute } from "./receive-traces.ts";

/** `GET /v1/plans/:planId/trace`: the spans of one plan, and of none that shares its trace. */
export async function traceRoutes(
  app: App,
  { book, traces }: { readonly book: PlanBook; readonly traces: Traces },
): Promise<void> {
  await receiveTracesRoute(app, traces);
  serve(app, getTrace, async ({ tenant, params: { planId } }, reply) => {
    const plan = await ownPlan(book, { tenant, planId });
    const { trace } = plan.goal;
    const { traceId, sampled } = trace;
    const { spans, dropped, evicted } = await traces.get({ planId: plan.planId, tenant, trace });
    const head = JSON.stringify({ traceId, sampled, keptSince: traces.since, dropped, evicted });
    // Another thread has written the spans.
    void reply.header("cache-control", "no-store");
    return sendJson(reply, `${head.slice(0, -1)},"spans":${spans}}`);
  });
}
