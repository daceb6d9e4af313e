/** The most that a plan may use, by the installation's policy. */
import type { Budget, BudgetLimits, BudgetRaise } from "../budget.ts";
import { toUsd } from "../state/budget-ledger.ts";
import type { KnownPlan } from "../state/plan-state.ts";

const LIMITS = ["tokens", "usd", "seconds", "steps"] as const;

/** Returns a budget with no limit above the policy's: those that are not set are the policy's. */
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

/** Why a plan's budget may not be raised by so much, as a sentence; undefined when it may. */
export function raiseAbove({ budget, goal }: KnownPlan, raise: BudgetRaise): string | undefined {
  for (const limit of LIMITS) {
    const max = goal.policy?.maxBudget?.[limit];
    const more = raise[limit];
    if (budget === undefined || max === undefined || more === undefined) continue;
    const now = limit === "usd" ? toUsd(budget.limit.nanoUsd ?? 0) : (budget.limit[limit] ?? 0);
    if (now + more > max)
      return `the installation's policy lets a plan use at most ${max} ${limit}; this one may use ${now} now, and ${more} more are asked for`;
  }
  return undefined;
}
