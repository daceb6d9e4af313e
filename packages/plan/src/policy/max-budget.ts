/** The maximum budget of a plan under the installation's policy. */
import type { Limited } from "../machine/budget/budget-state.ts";
import type { Budget, BudgetLimits, BudgetRaise } from "../language/budget.ts";
import { toUsd } from "../machine/budget/budget-ledger.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

export const LIMITS: readonly Limited[] = ["tokens", "usd", "seconds", "steps"];

/** Returns the budget with each limit capped by the policy's; limits that are not set become the policy's. */
export function cappedBudget<Wanted extends BudgetLimits & Pick<Budget, "onExhausted">>(
  wanted: Wanted | undefined,
  max: BudgetLimits | undefined,
): Wanted | (BudgetLimits & Pick<Budget, "onExhausted">) | undefined {
  if (max === undefined || LIMITS.every((limit) => max[limit] === undefined)) return wanted;
  const limits: BudgetLimits = {};
  for (const limit of LIMITS) {
    const most = max[limit];
    const asked = wanted?.[limit];
    const lower = most !== undefined && asked !== undefined ? Math.min(most, asked) : (most ?? asked);
    if (lower !== undefined) limits[limit] = lower;
  }
  return { onExhausted: "end", ...wanted, ...limits };
}

/** By how much a limit of a plan's budget may be raised. */
export function roomFor(plan: KnownPlan, limit: Limited): number {
  const max = plan.goal.policy?.maxBudget?.[limit];
  return max === undefined ? Number.POSITIVE_INFINITY : Math.max(0, max - limitNow(plan, limit));
}

function limitNow({ budget }: KnownPlan, limit: Limited): number {
  return limit === "usd" ? toUsd(budget?.limit.nanoUsd ?? 0) : (budget?.limit[limit] ?? 0);
}

/** The reason why a plan's budget may not be raised by an amount, as a sentence; undefined if it may. */
export function raiseAbove(plan: KnownPlan, raise: BudgetRaise): string | undefined {
  for (const limit of LIMITS) {
    const max = plan.goal.policy?.maxBudget?.[limit];
    const more = raise[limit];
    if (plan.budget === undefined || max === undefined || more === undefined) continue;
    const now = limitNow(plan, limit);
    if (now + more > max)
      return `the installation's policy lets a plan use at most ${max} ${limit}; this one may use ${now} now, and ${more} more are asked for`;
  }
  return undefined;
}
