/** The plan that a submission would run: over HTTP and MCP alike. */
import type { PlanEstimate, Preview } from "@planwright/api";
import { type PlanDocument, planStrategy } from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import type { PlanBook } from "../book/plan-book.ts";
import type { Caller } from "../http/authenticate.ts";
import type { TenantAndKeyQuotas } from "../quotas/create-quotas.ts";
import { pastPlansFor } from "../learning/past-plans-for.ts";
import { checkSubmission, type Offer, type SentSubmission } from "../submit/check-submission.ts";
import { askPlanner } from "./ask-planner.ts";
import { describePlan } from "./describe-plan.ts";

export type PreviewDeps = {
  readonly bus: Bus;
  readonly offer: (tenant: string) => Offer;
  readonly book: Pick<PlanBook, "pastPlans" | "stepRuns">;
  readonly quotas: Pick<TenantAndKeyQuotas, "refuseSpent">;
  /** See `LEARN_FROM_PAST_PLANS`. */
  readonly learns: boolean;
  readonly now: () => Date;
};

export type PreviewPlan = (request: SentSubmission & Caller) => Promise<Preview>;

/**
 * Makes the function that drafts without running. Nothing is stored.
 *
 * @throws {Problem} From the returned function: every refusal of `checkSubmission`, `quota_reached`, `no_planner`,
 *   `model_failed`.
 */
export function createPreviewPlan({ bus, offer, book, quotas, learns, now }: PreviewDeps): PreviewPlan {
  return async ({ tenant, identity, ...sent }) => {
    const offered = offer(tenant);
    const checked = checkSubmission(sent, offered, now());
    const { submission, plan } = checked;
    const describe = (document: PlanDocument): PlanEstimate =>
      describePlan(document, { tools: offered.tools, past: book.stepRuns(tenant) });
    if (plan !== undefined) {
      return { ...describe(plan), strategy: planStrategy({ asked: submission.strategy, plan }) };
    }
    quotas.refuseSpent({ tenant, identity });
    const pastPlans = pastPlansFor(checked, { tenant, learns, book });
    const {
      plan: draft,
      strategy,
      ...drafted
    } = await askPlanner(bus, submission, {
      tenant,
      pastPlans,
      policy: checked.policy,
    });
    return { ...describe(draft), ...drafted, strategy: strategy ?? submission.strategy };
  };
}
