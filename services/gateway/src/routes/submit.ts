import { PlanId, Submission } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";
import { withSpan } from "@planwright/shared/telemetry";
import type { SubmitPlan } from "../submit/submit-plan.ts";

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "wanted 1 to 255 printable characters");
export const SubmitHeaders = z.object({
  "idempotency-key": IdempotencyKey.optional(),
  traceparent: z.string().optional(),
});
export const Accepted = z.object({ planId: PlanId, traceId: z.string() });

/** `POST /v1/plans`: accepts a goal, with or without a plan. */
export function submitRoute(
  app: FastifyInstance,
  { submit, tracing }: { readonly submit: SubmitPlan; readonly tracing: RequestSpanDeps },
): void {
  const schema = {
    summary: "Submit a goal",
    description: "Answers once the log has stored it. The same Idempotency-Key and body get the same answer.",
    tags: ["plans"],
    headers: SubmitHeaders,
    body: Submission,
    response: { 202: Accepted },
  };
  app.post("/v1/plans", { schema }, async (request, reply) => {
    const headers = parsePart(SubmitHeaders, request.headers, "headers");
    const { traceparent } = headers;
    const span = startPostSpan(tracing, { route: "/v1/plans", path: "/v1/plans", traceparent });
    const accepted = await withSpan(span, async () => {
      const { tenant, body } = request;
      const result = await submit({ tenant, body, idempotencyKey: headers["idempotency-key"], span });
      span.setAttributes({ "http.response.status_code": 202 });
      return result;
    });
    return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
  });
}
