/** Pauses and resumes a plan. */
import { isEnded, type KnownPlan, PauseRequested, type PlanId, ResumeRequested } from "@planwright/plan";
import { TransientError } from "@planwright/shared/errors";
import { Problem } from "../http/problem.ts";
import { type ControlDeps, ended } from "./cancel-plan.ts";
import { ownPlan } from "./own-plan.ts";
import { storeRequest } from "./store-request.ts";

/** How often other users may pause or resume the plan in between. */
const TRIES_MAX = 5;

export type PlanState = { readonly planId: PlanId; readonly status: KnownPlan["status"] };
export type PausePlan = (request: {
  readonly tenant: string;
  readonly planId: string;
  readonly reason: string | undefined;
  /** The user who pauses it, for the record; the tenant when absent. */
  readonly by?: string | undefined;
}) => Promise<PlanState>;
export type ResumePlan = (request: {
  readonly tenant: string;
  readonly planId: string;
  /** The user who resumes it, for the record; the tenant when absent. */
  readonly by?: string | undefined;
}) => Promise<PlanState>;

/**
 * Makes the function that pauses plans. It resolves once the gateway's own view shows the plan as paused; pausing a paused plan
 * changes nothing and succeeds.
 *
 * @throws {Problem} From the returned function: `plan_not_found`; `plan_ended`, also when the end was decided first.
 */
export function createPausePlan(deps: ControlDeps): PausePlan {
  return async ({ tenant, planId, reason, by = tenant }) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const plan = await ownPlan(deps.book, { tenant, planId });
      if (plan.pause !== undefined) return stateOf(plan);
      if (isEnded(plan) || plan.conclusion !== undefined) throw ended(plan);
      const pause = plan.pauses + 1;
      const head = { planId: plan.planId, at: deps.now() };
      const data = { pause, reason: reason ?? "paused on request", by };
      await storeRequest(deps, PauseRequested.create(head, data));
    }
    throw restless();
  };
}

/**
 * Makes the function that resumes paused plans. It resolves once the gateway's own view shows that the pause is over, whichever
 * request ended it.
 *
 * @throws {Problem} From the returned function: `plan_not_found`, `plan_ended`, `plan_not_paused`.
 */
export function createResumePlan(deps: ControlDeps): ResumePlan {
  return async ({ tenant, planId, by = tenant }) => {
    const plan = await ownPlan(deps.book, { tenant, planId });
    if (isEnded(plan)) throw ended(plan);
    if (plan.pause === undefined)
      throw new Problem("plan_not_paused", `the plan is not paused: ${plan.status}`);
    const { pauses: pause } = plan;
    const head = { planId: plan.planId, at: deps.now() };
    await storeRequest(deps, ResumeRequested.create(head, { pause, by }));
    const after = await ownPlan(deps.book, { tenant, planId });
    if (after.pause !== undefined && after.pauses === pause) throw restless();
    return stateOf(after);
  };
}

function stateOf({ planId, status }: KnownPlan): PlanState {
  return { planId, status };
}

function restless(): TransientError {
  return new TransientError("the plan is being paused and resumed by others; try again");
}
