import { planReviewOf } from "./review-gates.ts";
import { strategyOf } from "../drafting/strategies.ts";
import type { KnownPlan } from "../plan-state.ts";

/** Whether the draft that is requested or open is the plan's first one or its improvement, and is reviewed before it runs. */
export function isUnderReview(plan: Pick<KnownPlan, "goal" | "drafting" | "search">): boolean {
  const { goal, drafting } = plan;
  if (planReviewOf(goal) === undefined || !strategyOf(plan).isReviewed) return false;
  return drafting.revision === 0 || drafting.cause === "critique";
}
