import type { Command } from "./command.ts";
import { critiqueHolder } from "../machine/review/critique-state.ts";
import { reviewHolder } from "../machine/review/review-state.ts";
import type { StepId } from "../values/ids.ts";
import { mayStart } from "./may-start.ts";
import { allowanceOf } from "../machine/budget/budget-ledger.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { type CritiqueWork, critiqueWorkId, type ReviewWork, reviewWorkId } from "../events/work.ts";

/** Has the step's output judged. */
export function judgeStep(plan: KnownPlan, stepId: StepId): Command | undefined {
  const state = plan.steps.get(stepId)?.state;
  if (state?.status !== "reviewing") return undefined;
  const { attempt, review } = state;
  const holder = reviewHolder({ stepId, attempt, review });
  if (!mayStart(plan.budget, holder)) return undefined;
  const allowance = allowanceOf(plan.budget, holder);
  const { planId, goal } = plan;
  const run = { planId, stepId, item: 0, attempt, review, trace: goal.trace };
  const work: ReviewWork = allowance === undefined ? run : { ...run, allowance };
  return { kind: "review", id: reviewWorkId(work), work };
}

/** Has a draft judged as a whole. */
export function judgeDraft({ planId, goal, budget, critique }: KnownPlan): Command | undefined {
  if (critique === undefined) return undefined;
  const holder = critiqueHolder(critique);
  if (!mayStart(budget, holder)) return undefined;
  const allowance = allowanceOf(budget, holder);
  const wanted = { planId, ...critique, trace: goal.trace };
  const work: CritiqueWork = allowance === undefined ? wanted : { ...wanted, allowance };
  return { kind: "critique", id: critiqueWorkId(work), work };
}
