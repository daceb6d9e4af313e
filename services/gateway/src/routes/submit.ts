import { submitPlan, SubmitHeaders, type SubmissionBody } from "@planwright/api";
import { withSpan } from "@planwright/shared/telemetry";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { type App, serve } from "../http/contract.ts";
import { parsePart } from "../http/parse-part.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";
import type { SubmitPlan } from "../submit/submit-plan.ts";

/** `POST /v1/plans`: accepts a goal, with or without a plan. */
export function submitRoute(
  app: App,
  { submit, tracing }: { readonly submit: SubmitPlan; readonly tracing: RequestSpanDeps },
): void {
  const route = submitPlan.path;
  serve(
    app,
    submitPlan,
    async (request, reply) => {
      const { tenant, identity, sentBody } = request;
      const { headers, read } = readLate(request);
      const { traceparent, "idempotency-key": idempotencyKey } = headers;
      const span = startPostSpan(tracing, { route, path: route, traceparent });
      const accepted = await withSpan(span, async () => {
        const result = await submit({ tenant, identity, sentBody, read, idempotencyKey, span });
        span.setAttributes({ "http.response.status_code": 202 });
        return result;
      });
      return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
    },
    { attachValidation: true },
  );
}

type Headers = z.output<typeof SubmitHeaders>;
type Submitting = Pick<FastifyRequest, "validationError"> & {
  readonly headers: Headers;
  readonly body: SubmissionBody;
};

/**
 * An Idempotency-Key counts before the body: a key that was used with another body is refused as such, even when this
 * body is at fault. So the fault is reported when the submission is read.
 */
function readLate({ validationError, headers, body }: Submitting): {
  readonly headers: Headers;
  readonly read: () => SubmissionBody;
} {
  if (validationError === undefined) return { headers, read: () => body };
  if (validationError.validationContext !== "body") throw validationError;
  return {
    // The framework stops at the body's fault.
    headers: parsePart(SubmitHeaders, headers, "headers"),
    read: () => {
      throw validationError;
    },
  };
}
