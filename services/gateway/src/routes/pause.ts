import { PlanId, PlanView } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { parsePart } from "../http/parse-part.ts";
import type { PausePlan, ResumePlan } from "../plans/pause-plan.ts";
import { PlanPath } from "./get-plan.ts";

const PauseBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() });
const ResumeBody = z.strictObject({});
const State = z.object({ planId: PlanId, status: PlanView.shape.status });

/** `POST /v1/plans/:planId/pause` and `/resume`: what runs may end; nothing new is sent in between. */
export function pauseRoutes(
  app: FastifyInstance,
  { pause, resume }: { readonly pause: PausePlan; readonly resume: ResumePlan },
): void {
  const common = { tags: ["plans"], params: PlanPath, response: { 202: State } };
  const pauseSchema = { ...common, summary: "Pause a plan", body: PauseBody.optional() };
  app.post("/v1/plans/:planId/pause", { schema: pauseSchema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const { reason } = parsePart(PauseBody, request.body ?? {}, "body");
    return reply.code(202).send(await pause({ tenant: request.tenant, planId, reason }));
  });
  const resumeSchema = { ...common, summary: "Let a paused plan go on", body: ResumeBody.optional() };
  app.post("/v1/plans/:planId/resume", { schema: resumeSchema }, async (request, reply) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    parsePart(ResumeBody, request.body ?? {}, "body");
    return reply.code(202).send(await resume({ tenant: request.tenant, planId }));
  });
}
