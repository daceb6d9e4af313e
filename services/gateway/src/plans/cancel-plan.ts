import { CancelRequested, isEnded, type KnownPlan, type PlanId } from "@planwright/plan";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "./own-plan.ts";
import { type StoreDeps, storeRequest } from "./store-request.ts";

export type ControlDeps = StoreDeps & { readonly now: () => Date };

export type CancelPlan = (request: {
  readonly tenant: string;
  readonly planId: string;
  readonly reason: string | undefined;
  /** The user who cancels it, for the record; the tenant when absent. */
  readonly by?: string | undefined;
}) => Promise<{ readonly planId: PlanId }>;

/**
 * Makes the function that cancels plans. It resolves once the gateway's own view shows the plan as cancelled; cancelling again
 * before the plan has ended changes nothing and succeeds.
 *
 * @throws {Problem} From the returned function: `plan_not_found`; `plan_ended`, also when the end was decided first.
 */
export function createCancelPlan(deps: ControlDeps): CancelPlan {
  return async ({ tenant, planId, reason, by = tenant }) => {
    const plan = await ownPlan(deps.book, { tenant, planId });
    if (isEnded(plan)) throw ended(plan);
    if (isCancelled(plan)) return { planId: plan.planId };

    const head = { planId: plan.planId, at: deps.now() };
    const data = { reason: reason ?? "cancelled on request", by };
    await storeRequest(deps, CancelRequested.create(head, data));
    const after = await ownPlan(deps.book, { tenant, planId });
    if (!isCancelled(after)) throw ended(after);
    return { planId: plan.planId };
  };
}

function isCancelled({ conclusion }: KnownPlan): boolean {
  return conclusion?.outcome === "cancelled";
}

/** The refusal of a late request. */
export function ended({ conclusion, status }: KnownPlan): Problem {
  return new Problem("plan_ended", `plan already finished (${conclusion?.outcome ?? status})`);
}
