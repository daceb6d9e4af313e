import {
  type KnownPlan,
  type PlanId,
  type PlanView,
  progressOf,
  viewOf,
  withSubPlans,
} from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";

/** Of one plan; the others count when they have ended. */
const SUB_PLANS_MAX = 100;

/** The view of a plan, whose progress includes that of its running sub-plans, and of theirs. */
export async function viewWithSubPlans(
  book: Pick<PlanBook, "find">,
  plan: KnownPlan,
  nowMs: number,
): Promise<PlanView> {
  const view = viewOf(plan, nowMs);
  return { ...view, progress: await progressWithSubPlans(book, plan, { progress: view.progress, nowMs }) };
}

async function progressWithSubPlans(
  book: Pick<PlanBook, "find">,
  plan: KnownPlan,
  { progress, nowMs }: { readonly progress: PlanView["progress"]; readonly nowMs: number },
): Promise<PlanView["progress"]> {
  const percents = new Map<PlanId, number>();
  for (const { planId } of [...plan.subPlans.values()].slice(0, SUB_PLANS_MAX)) {
    const child = await book.find(planId);
    if (child === undefined) continue;
    const own = { progress: progressOf(child, nowMs), nowMs };
    percents.set(planId, (await progressWithSubPlans(book, child, own)).percent);
  }
  return withSubPlans(progress, plan, (planId) => percents.get(planId));
}
