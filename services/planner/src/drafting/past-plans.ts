/** Past plans as shown to the planner of the next one. */
import type { PastPlan } from "@planwright/plan";
import { jsonBlock } from "@planwright/shared/prompt";

/** One line for each, with nothing that goes without saying. */
export function pastPlansBlock(pastPlans: readonly PastPlan[]): string {
  return jsonBlock("past_plans", pastPlans.map(described));
}

function described({ goal, how, outcome, note, replans, edits, rating }: PastPlan) {
  return {
    goal,
    steps: how,
    ended: outcome,
    why: note,
    ...(replans === 0 ? {} : { revisions: replans }),
    ...(edits === 0 ? {} : { changed_by_people: edits }),
    ...(rating === undefined ? {} : { rating: `${rating} of 5` }),
  };
}
