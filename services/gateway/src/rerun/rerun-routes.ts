import { getSubmission, rerunPlan, SentEdits } from "@planwright/api";
import { submissionOf } from "@planwright/plan";
import { withSpan } from "@planwright/shared/telemetry";
import type { PlanBook } from "../book/plan-book.ts";
import { type App, sendJson, serve } from "../http/contract.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { RerunPlan } from "./rerun-plan.ts";

type RerunRouteDeps = {
  readonly book: Pick<PlanBook, "find">;
  readonly rerun: RerunPlan;
  readonly tracing: RequestSpanDeps;
};

/** `POST /v1/plans/:planId/rerun` and `GET /v1/plans/:planId/submission`. */
export function rerunRoutes(app: App, { book, rerun, tracing }: RerunRouteDeps): void {
  serve(app, getSubmission, async ({ tenant, params: { planId } }, reply) => {
    const { goal } = await ownPlan(book, { tenant, planId });
    void reply.header("cache-control", "no-store");
    return sendJson(reply, JSON.stringify(submissionOf(goal)));
  });

  serve(app, rerunPlan, async (request, reply) => {
    const { tenant, identity, headers, sentBody } = request;
    const { planId } = request.params;
    const edits = SentEdits.parse(sentBody);
    const { traceparent, "idempotency-key": idempotencyKey } = headers;
    const span = startPostSpan(tracing, { route: rerunPlan.path, path: request.url, traceparent });
    const accepted = await withSpan(span, () =>
      rerun({ tenant, identity, planId, edits, idempotencyKey, span }),
    );
    return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
  });
}
