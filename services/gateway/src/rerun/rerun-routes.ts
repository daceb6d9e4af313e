import { JsonObject, JsonValue, Submission, submissionOf } from "@planwright/plan";
import { withSpan } from "@planwright/shared/telemetry";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import { parsePart } from "../http/parse-part.ts";
import { type RequestSpanDeps, startPostSpan } from "../http/request-span.ts";
import { ownPlan } from "../plans/own-plan.ts";
import { PlanPath } from "../routes/get-plan.ts";
import { Accepted, SubmitHeaders } from "../routes/submit.ts";
import type { RerunPlan } from "./rerun-plan.ts";

/** Every field of a submission, optional; `null` removes it. Plans are checked later, step by step. */
const Edits = z.strictObject(
  Object.fromEntries(
    Object.entries(Submission.shape).map(([name, Field]): [string, z.ZodType] => [
      name,
      name === "plan" ? JsonValue.optional() : Field.nullable().optional(),
    ]),
  ),
);

export const RerunBody = z.strictObject({
  edits: Edits.optional().meta({
    description:
      "Fields of a submission. Each replaces the whole field of the first run; null removes it, as `plan: null` has the goal planned again.",
  }),
});

const WithEdits = z.object({ edits: JsonObject.default({}) });

type RerunRouteDeps = {
  readonly book: Pick<PlanBook, "find">;
  readonly rerun: RerunPlan;
  readonly tracing: RequestSpanDeps;
};

/** `POST /v1/plans/:planId/rerun` and `GET /v1/plans/:planId/submission`. */
export function rerunRoutes(app: FastifyInstance, deps: RerunRouteDeps): void {
  submissionRoute(app, deps);
  rerunRoute(app, deps);
}

function rerunRoute(app: FastifyInstance, { rerun, tracing }: RerunRouteDeps): void {
  const schema = {
    summary: "Run a plan again",
    description:
      "Submits the same goal, or the same submitted plan, as a new plan. Every step runs again. The same Idempotency-Key and body get the same answer.",
    tags: ["plans"],
    params: PlanPath,
    headers: SubmitHeaders,
    body: RerunBody,
    response: { 202: Accepted },
  };
  const route = "/v1/plans/:planId/rerun";
  app.post(route, { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const headers = parsePart(SubmitHeaders, request.headers, "headers");
    const body = request.body ?? {};
    parsePart(RerunBody, body, "body");
    // As they were sent: parsing would add the defaults of fields that were not.
    const { edits } = WithEdits.parse(body);
    const { traceparent } = headers;
    const span = startPostSpan(tracing, { route, path: request.url, traceparent });
    const { tenant } = request;
    const idempotencyKey = headers["idempotency-key"];
    const accepted = await withSpan(span, () => rerun({ tenant, planId, edits, idempotencyKey, span }));
    return reply.code(202).header("location", `/v1/plans/${accepted.planId}`).send(accepted);
  });
}

function submissionRoute(app: FastifyInstance, { book }: RerunRouteDeps): void {
  const schema = {
    summary: "The submission that runs a plan again",
    description: "What a re-run without edits submits: the body of another submission.",
    tags: ["plans"],
    params: PlanPath,
    response: { 200: Submission },
  };
  app.get("/v1/plans/:planId/submission", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const { goal } = await ownPlan(book, { tenant: request.tenant, planId });
    return reply.header("cache-control", "no-store").send(submissionOf(goal));
  });
}
