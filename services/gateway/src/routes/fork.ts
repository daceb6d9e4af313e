import { forkPlan } from "@planwright/api";
import { withSpan } from "@planwright/shared/telemetry";
import type { ForkPlan } from "../fork/fork-plan.ts";
import { type App, serve } from "../http/contract.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";

/** `POST /v1/plans/:planId/fork`: another plan that begins where a step of this one ended. */
export function forkRoute(
  app: App,
  { fork, tracing }: { readonly fork: ForkPlan; readonly tracing: RequestSpanDeps },
): void {
  serve(app, forkPlan, async (request, reply) => {
    const { tenant, identity, headers, body } = request;
    const { planId } = request.params;
    const { traceparent, "idempotency-key": idempotencyKey } = headers;
    const span = startPostSpan(tracing, { route: forkPlan.path, path: request.url, traceparent });
    const accepted = await withSpan(span, () =>
      fork({ tenant, identity, planId, body, idempotencyKey, span }),
    );
    return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
  });
}
