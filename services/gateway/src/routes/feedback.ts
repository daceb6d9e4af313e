import { PlanView, Rating } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { GiveFeedback } from "../feedback/give-feedback.ts";
import { parsePart } from "../http/parse-part.ts";
import { PlanPath } from "./get-plan.ts";

const FeedbackBody = z.strictObject({
  rating: Rating.meta({ description: "From 1, useless, to 5, just right." }),
  comment: z.string().trim().min(1).max(2_000).optional(),
  by: z.string().trim().min(1).max(128).optional().meta({ description: "Who says so; for the record." }),
});

/** `POST /v1/plans/:planId/feedback`: what somebody thinks of an ended plan; the last word counts. */
export function feedbackRoute(
  app: FastifyInstance,
  { giveFeedback }: { readonly giveFeedback: GiveFeedback },
): void {
  const schema = {
    summary: "Say what a plan was good for",
    tags: ["plans"],
    params: PlanPath,
    body: FeedbackBody,
    response: { 200: PlanView.shape.feedback.unwrap() },
  };
  app.post("/v1/plans/:planId/feedback", { schema }, async (request) => {
    const { planId } = parsePart(PlanPath, request.params, "path");
    const feedback = parsePart(FeedbackBody, request.body, "body");
    return giveFeedback({ tenant: request.tenant, planId, feedback });
  });
}
