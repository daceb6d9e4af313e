import type { PastPlan, Strategy } from "@planwright/plan";
import type { PlanBook } from "../book/plan-book.ts";
import type { CheckedSubmission } from "../submit/check-submission.ts";

/** The strategies whose drafts are prompted with examples. */
const LEARNING: ReadonlySet<Strategy> = new Set(["auto", "sequential", "parallel", "hierarchical", "waves"]);

/** The past plans to show to the planner of a submission: none when no model drafts it. */
export function pastPlansFor(
  { submission: { goal, strategy, learn }, plan }: Pick<CheckedSubmission, "submission" | "plan">,
  {
    tenant,
    learns,
    book,
  }: { readonly tenant: string; readonly learns: boolean; readonly book: Pick<PlanBook, "pastPlans"> },
): readonly PastPlan[] {
  if (plan !== undefined || !learn || !learns || !LEARNING.has(strategy)) return [];
  return book.pastPlans({ tenant, goal });
}
