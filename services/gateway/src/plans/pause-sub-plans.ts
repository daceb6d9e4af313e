/** Extends pauses to a plan's running sub-plans, at every level. */
import { type KnownPlan, pausedWith, type PlanId } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import { ownPlan } from "./own-plan.ts";
import type { PausePlan, ResumePlan } from "./pause-plan.ts";

type Deps = { readonly book: Pick<PlanBook, "find"> };

/** Errors for states that a sub-plan may have reached meanwhile and that leave nothing to do. */
const OVER: ReadonlySet<string> = new Set(["plan_ended", "plan_not_found", "plan_not_paused"]);

/**
 * Makes the function that pauses a plan, and then its running sub-plans. A sub-plan that is just being handed over does not exist
 * yet; the component that hands it over checks whether the parent is paused.
 */
export function withSubPlansPaused(deps: Deps, pause: PausePlan): PausePlan {
  const pauseAll: PausePlan = async (request) => {
    const state = await pause(request);
    await forSubPlans(deps, { ...request, planId: state.planId }, async ({ planId }) => {
      await pauseAll({ ...request, planId, reason: "its parent is paused", by: pausedWith(state.planId) });
    });
    return state;
  };
  return pauseAll;
}

/** Makes the function that resumes the sub-plans that were paused with a plan, and then the plan itself. */
export function withSubPlansResumed(deps: Deps, resume: ResumePlan): ResumePlan {
  const resumeAll: ResumePlan = async (request) => {
    const plan = await ownPlan(deps.book, request);
    await forSubPlans(deps, { ...request, planId: plan.planId }, async ({ planId, pause }) => {
      if (pause?.by === pausedWith(plan.planId)) await resumeAll({ ...request, planId });
    });
    return await resume(request);
  };
  return resumeAll;
}

async function forSubPlans(
  { book }: Deps,
  { tenant, planId }: { readonly tenant: string; readonly planId: PlanId },
  act: (subPlan: KnownPlan) => Promise<void>,
): Promise<void> {
  const parent = await ownPlan(book, { tenant, planId });
  for (const { planId: child } of parent.subPlans.values()) {
    try {
      await act(await ownPlan(book, { tenant, planId: child }));
    } catch (error) {
      if (!(error instanceof Problem && OVER.has(error.code))) throw error;
    }
  }
}
