import {
  type KnownPlan,
  type KnownTimes,
  type PlanId,
  type PlanView,
  type Progress,
  progressOf,
  viewOf,
  withSubPlans,
} from "@planwright/plan";

/** The maximum for one plan; further sub-plans count once they have ended. */
const SUB_PLANS_MAX = 100;

type Book = {
  find(planId: PlanId): Promise<KnownPlan | undefined>;
  knownTimes(tenant: string): KnownTimes;
};

/**
 * The view of a plan. Its progress and estimate include its running sub-plans at every level. If the plan compensates another
 * one, the view says whether that one was deleted.
 */
export async function viewWithSubPlans(book: Book, plan: KnownPlan, nowMs: number): Promise<PlanView> {
  const { known, percentOf } = await knownOf(book, plan, nowMs);
  const view = viewOf(plan, nowMs, known);
  const { undoes } = view;
  const isGone = undoes !== undefined && (await book.find(undoes.planId)) === undefined;
  return {
    ...view,
    ...(isGone ? { undoes: { ...undoes, deleted: true } } : {}),
    progress: withSubPlans(view.progress, plan, percentOf),
  };
}

async function progressWithSubPlans(book: Book, plan: KnownPlan, nowMs: number): Promise<Progress> {
  const { known, percentOf } = await knownOf(book, plan, nowMs);
  return withSubPlans(progressOf(plan, nowMs, known), plan, percentOf);
}

/** The known durations and the progress of sub-plans, in addition to the plan's own state. */
async function knownOf(
  book: Book,
  plan: KnownPlan,
  nowMs: number,
): Promise<{ readonly known: KnownTimes; readonly percentOf: (planId: PlanId) => number | undefined }> {
  const children = new Map<string, Progress>();
  for (const { planId } of [...plan.subPlans.values()].slice(0, SUB_PLANS_MAX)) {
    const child = await book.find(planId);
    if (child !== undefined) children.set(planId, await progressWithSubPlans(book, child, nowMs));
  }
  const known = {
    ...book.knownTimes(plan.goal.tenant),
    subPlanMs: (planId: string) => children.get(planId)?.etaMs ?? undefined,
  };
  return { known, percentOf: (planId) => children.get(planId)?.percent };
}
