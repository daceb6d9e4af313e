import { Issue, Submission } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Preview, type PreviewPlan } from "../preview/preview-plan.ts";
import { checkPlanBody, type Offer } from "../submit/check-submission.ts";

const Check = z.object({ valid: z.boolean(), issues: z.array(Issue) });

/** `POST /v1/plans/preview`: drafts without running. `POST /v1/plans/check`: names a plan's faults. */
export function previewRoutes(
  app: FastifyInstance,
  { preview, offer }: { readonly preview: PreviewPlan; readonly offer: () => Offer },
): void {
  const schema = {
    summary: "The plan that a submission would run",
    description: "Nothing is stored and nothing runs; a goal without a plan is drafted by a model.",
    tags: ["plans"],
    body: Submission,
    response: { 200: Preview },
  };
  app.post("/v1/plans/preview", { schema }, ({ tenant, body }) => preview({ tenant, body }));

  const checkSchema = {
    summary: "Every fault of a plan",
    tags: ["plans"],
    body: z.strictObject({ plan: Submission.shape.plan }),
    response: { 200: Check },
  };
  app.post("/v1/plans/check", { schema: checkSchema }, async (request) => {
    const issues = checkPlanBody(request.body, offer());
    return { valid: issues.length === 0, issues };
  });
}
