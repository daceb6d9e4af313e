import {
  checkPlan,
  forkPlan,
  getSubmission,
  previewPlan,
  rerunPlan,
  SentEdits,
  submitPlan,
  SubmitHeaders,
  type SubmissionBody,
} from "@planwright/api";
import { submissionOf } from "@planwright/plan";
import { type Span, withSpan } from "@planwright/shared/telemetry";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import type { ForkPlan } from "../submit/fork-plan.ts";
import { type App, sendJson, serve } from "../http/contract.ts";
import { parsePart } from "../http/parse-part.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";
import { ownPlan } from "../plans/own-plan.ts";
import type { PreviewPlan } from "../submit/preview-plan.ts";
import type { RerunPlan } from "../submit/rerun-plan.ts";
import { issuesOfPlan, type Offer } from "../submit/check-submission.ts";
import type { Accepted } from "../submit/store-goal.ts";
import type { SubmitPlan } from "../submit/submit-plan.ts";

type SubmitDeps = {
  readonly book: Pick<PlanBook, "find">;
  readonly submit: SubmitPlan;
  readonly fork: ForkPlan;
  readonly rerun: RerunPlan;
  readonly preview: PreviewPlan;
  readonly offer: () => Pick<Offer, "tools" | "agents">;
  readonly tracing: RequestSpanDeps;
};

/** New plans: submitted, forked or re-run; and previews of the plan that a submission would run. */
export function submitRoutes(
  app: App,
  { book, submit, fork, rerun, preview, offer, tracing }: SubmitDeps,
): void {
  serve(
    app,
    submitPlan,
    async (request, reply) => {
      const { tenant, identity, sentBody } = request;
      const { headers, read } = readLate(request);
      const { traceparent, "idempotency-key": idempotencyKey } = headers;
      const route = submitPlan.path;
      const span = startPostSpan(tracing, { route, path: route, traceparent });
      return accept(reply, span, async () => {
        const result = await submit({ tenant, identity, sentBody, read, idempotencyKey, span });
        span.setAttributes({ "http.response.status_code": 202 });
        return result;
      });
    },
    { attachValidation: true },
  );

  serve(app, forkPlan, async (request, reply) => {
    const { tenant, identity, headers, body, url: path } = request;
    const { planId } = request.params;
    const { traceparent, "idempotency-key": idempotencyKey } = headers;
    const span = startPostSpan(tracing, { route: forkPlan.path, path, traceparent });
    return accept(reply, span, () => fork({ tenant, identity, planId, body, idempotencyKey, span }));
  });

  serve(app, getSubmission, async ({ tenant, params: { planId } }, reply) => {
    const { goal } = await ownPlan(book, { tenant, planId });
    void reply.header("cache-control", "no-store");
    return sendJson(reply, JSON.stringify(submissionOf(goal)));
  });

  serve(app, rerunPlan, async (request, reply) => {
    const { tenant, identity, headers, sentBody, url: path } = request;
    const { planId } = request.params;
    const edits = SentEdits.parse(sentBody);
    const { traceparent, "idempotency-key": idempotencyKey } = headers;
    const span = startPostSpan(tracing, { route: rerunPlan.path, path, traceparent });
    return accept(reply, span, () => rerun({ tenant, identity, planId, edits, idempotencyKey, span }));
  });

  // Drafts without running.
  serve(app, previewPlan, async ({ tenant, identity, body, sentBody }) =>
    preview({ tenant, identity, sentBody, read: () => body }),
  );
  // Lists a plan's faults.
  serve(app, checkPlan, async ({ body: { plan } }) => {
    const issues = [...issuesOfPlan(plan, offer())];
    return { valid: issues.length === 0, issues };
  });
}

/** Responds with 202 and the plan that `store` stores within the span of the request. */
async function accept(reply: FastifyReply, span: Span, store: () => Promise<Accepted>) {
  const accepted = await withSpan(span, store);
  return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
}

type Headers = z.output<typeof SubmitHeaders>;
type Submitting = Pick<FastifyRequest, "validationError"> & {
  readonly headers: Headers;
  readonly body: SubmissionBody;
};

/**
 * Delays reporting a faulty body until the submission is read, because an Idempotency-Key takes precedence: a key that was used
 * with another body is refused as such, even when this body is at fault.
 */
function readLate({ validationError, headers, body }: Submitting): {
  readonly headers: Headers;
  readonly read: () => SubmissionBody;
} {
  if (validationError === undefined) return { headers, read: () => body };
  if (validationError.validationContext !== "body") throw validationError;
  return {
    // The framework stops at the body's fault, so the headers are parsed here.
    headers: parsePart(SubmitHeaders, headers, "headers"),
    read: () => {
      throw validationError;
    },
  };
}
