import { Issue, Strategy, Submission, Usage } from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { askPlanner } from "../preview/ask-planner.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { pastPlansFor } from "../learning/past-plans-for.ts";
import { describePlan, PlanEstimate } from "../preview/describe-plan.ts";
import type { ToolTimes } from "../preview/tool-times.ts";
import { checkPlanBody, checkSubmission, type Offer } from "../submit/check-submission.ts";

const Preview = PlanEstimate.extend({
  strategy: Strategy,
  strategyReason: z.string().optional(),
  /** What drafting cost; absent when nothing had to be drafted. */
  usage: Usage.optional(),
});
const Check = z.object({ valid: z.boolean(), issues: z.array(Issue) });

type PreviewDeps = {
  readonly bus: Bus;
  readonly offer: () => Offer;
  readonly times: ToolTimes;
  readonly book: Pick<PlanBook, "pastPlans">;
  /** See `LEARN_FROM_PAST_PLANS`. */
  readonly learns: boolean;
  readonly now: () => Date;
};

/** `POST /v1/plans/preview`: drafts without running. `POST /v1/plans/check`: names a plan's faults. */
export function previewRoutes(
  app: FastifyInstance,
  { bus, offer, times, book, learns, now }: PreviewDeps,
): void {
  const schema = {
    summary: "The plan that a submission would run",
    description: "Nothing is stored and nothing runs; a goal without a plan is drafted by a model.",
    tags: ["plans"],
    body: Submission,
    response: { 200: Preview },
  };
  app.post("/v1/plans/preview", { schema }, async (request): Promise<z.output<typeof Preview>> => {
    const checked = checkSubmission(request.body, offer(), now());
    const { submission, plan } = checked;
    if (plan !== undefined) return { ...describePlan(plan, times), strategy: submission.strategy };
    const {
      plan: draft,
      strategy,
      ...drafted
    } = await askPlanner(bus, submission, pastPlansFor(checked, { tenant: request.tenant, learns, book }));
    return { ...describePlan(draft, times), ...drafted, strategy: strategy ?? submission.strategy };
  });

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
