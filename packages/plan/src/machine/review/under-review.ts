import { planReviewOf } from "./review-gates.ts";
import type { KnownPlan } from "../plan-state.ts";

/** Whether the draft that is wanted or written is the plan's first one, or its improvement, and is judged before it runs. */
export function isUnderReview({
  goal,
  drafting,
  search,
}: Pick<KnownPlan, "goal" | "drafting" | "search">): boolean {
  // A search values its actions, and a plan of one call has nothing to be judged.
  if (planReviewOf(goal) === undefined || search !== undefined || drafting.strategy === "direct")
    return false;
  return drafting.revision === 0 || drafting.cause === "critique";
}
