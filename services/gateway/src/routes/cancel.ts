import { PlanId } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";
import type { CancelPlan } from "../plans/cancel-plan.ts";
import { PlanPath } from "./get-plan.ts";

const Body = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() });

/** `POST /v1/plans/:planId/cancel`: ends a plan; what runs is stopped. */
export function cancelRoute(app: FastifyInstance, { cancel }: { readonly cancel: CancelPlan }): void {
  const schema = {
    summary: "Cancel a plan",
    tags: ["plans"],
    params: PlanPath,
    body: Body.optional(),
    response: { 202: z.object({ planId: PlanId, status: z.literal("cancelled") }) },
  };
  app.post("/v1/plans/:planId/cancel", { schema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const { reason } = parsePart(Body, request.body ?? {}, "body");
    const cancelled = await cancel({ tenant: request.tenant, planId, reason });
    return reply.code(202).send({ ...cancelled, status: "cancelled" });
  });
}
