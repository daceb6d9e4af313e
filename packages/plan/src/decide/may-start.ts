import type { BudgetState } from "../machine/budget/budget-state.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { isMetered } from "../machine/budget/budget-ledger.ts";

/** Work without a reserve is not sent, and nothing is sent once the budget is reached. */
export function mayStart(budget: BudgetState | undefined, holder: string): boolean {
  if (budget === undefined) return true;
  return isMetered(budget) ? budget.reserves.has(holder) : budget.exhausted === undefined;
}

/** Limits an attempt's timeout to the time that its plan has left. */
export function withinDeadline({ budget, updatedAt }: KnownPlan, timeoutMs: number): number {
  if (budget?.deadline === undefined) return timeoutMs;
  const leftMs = Date.parse(budget.deadline.at) - Date.parse(updatedAt);
  return Math.max(1, Math.min(timeoutMs, leftMs));
}
