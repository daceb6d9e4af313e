import { JsonValue, StepId } from "@planwright/plan";
import { withSpan } from "@planwright/shared/telemetry";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ForkPlan } from "../fork/fork-plan.ts";
import { parsePart } from "../http/parse-part.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";
import { PlanPath } from "./get-plan.ts";
import { Accepted, SubmitHeaders } from "./submit.ts";

export const ForkBody = z.strictObject({
  fromStep: StepId.meta({ description: "The settled step that runs anew, with all that needs it." }),
  edits: z.record(z.string(), JsonValue).optional().meta({
    description: "All the arguments that it is to run with; its own when absent. They may hold references.",
  }),
});

/** `POST /v1/plans/:planId/fork`: another plan that begins where a step of this one ended. */
export function forkRoute(
  app: FastifyInstance,
  { fork, tracing }: { readonly fork: ForkPlan; readonly tracing: RequestSpanDeps },
): void {
  const schema = {
    summary: "Fork a plan",
    description: "What has succeeded before that step is carried over, and never runs again.",
    tags: ["plans"],
    params: PlanPath,
    headers: SubmitHeaders,
    body: ForkBody,
    response: { 202: Accepted },
  };
  app.post("/v1/plans/:planId/fork", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const headers = parsePart(SubmitHeaders, request.headers, "headers");
    const body = parsePart(ForkBody, request.body, "body");
    const route = "/v1/plans/:planId/fork";
    const { traceparent } = headers;
    const span = startPostSpan(tracing, { route, path: request.url, traceparent });
    const { tenant } = request;
    const idempotencyKey = headers["idempotency-key"];
    const accepted = await withSpan(span, () => fork({ tenant, planId, body, idempotencyKey, span }));
    return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
  });
}
