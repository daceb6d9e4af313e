/** A plan's budget as people read it: a row for each amount that has a limit. */
import type { PlanView } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";
import { formatUsd } from "@planwright/plan/amounts";
import { BUDGET_ROWS } from "./header-words.ts";

type Budget = NonNullable<PlanView["budget"]>;
type AmountName = NonNullable<Budget["exhausted"]>;

export type BudgetRow = {
  readonly name: AmountName;
  readonly label: string;
  /** Shares of the limit, from 0 to 1, which together are never more than 1. */
  readonly used: number;
  readonly reserved: number;
  /** Where the plan is expected to end; more than 1 when that is beyond the limit. */
  readonly forecast: number | undefined;
  readonly state: "within" | "near" | "beyond" | "exhausted";
  /** What a person should know of its state; absent while all is well. */
  readonly warning: string | undefined;
  /** `$0.42 of $1.00, $0.10 reserved, about $0.71 when it ends`. */
  readonly words: string;
};

/** From this share on a limit is nearly used up. */
const NEAR = 0.9;

const ENDS: Readonly<Record<Budget["onExhausted"], string>> = {
  end: BUDGET_ROWS.endsWithResults,
  ask: BUDGET_ROWS.asksApproval,
};

const NAMES = ["usd", "tokens", "seconds", "steps"] as const satisfies readonly AmountName[];
const LABELS: Readonly<Record<AmountName, string>> = {
  usd: BUDGET_ROWS.cost,
  tokens: BUDGET_ROWS.tokens,
  seconds: BUDGET_ROWS.time,
  steps: BUDGET_ROWS.stepsDispatched,
};

/** @param isOver - The plan has ended: nothing is expected any more. */
export function budgetRows(budget: Budget, isOver: boolean): BudgetRow[] {
  return NAMES.flatMap((name) => {
    const limit = budget.limit[name];
    return limit === undefined ? [] : [rowOf(budget, { name, limit, isOver })];
  });
}

type Of = { readonly name: AmountName; readonly limit: number; readonly isOver: boolean };

function rowOf(budget: Budget, { name, limit, isOver }: Of): BudgetRow {
  const used = budget.used[name] ?? 0;
  const reserved = isOver ? 0 : (budget.reserved[name] ?? 0);
  const forecast = isOver ? undefined : budget.forecast?.[name];
  const share = (amount: number) => (limit === 0 ? 1 : amount / limit);
  const usedShare = Math.min(1, share(used));
  const state = stateOf(budget.exhausted === name, {
    used: share(used),
    forecast: forecast === undefined ? undefined : share(forecast),
    isOver,
  });
  const parts = [
    `${amountText(name, used)} of ${amountText(name, limit)}`,
    reserved > 0 ? `${amountText(name, reserved)} reserved` : undefined,
    forecast === undefined ? undefined : `about ${amountText(name, forecast)} expected`,
    (budget.forfeited[name] ?? 0) > 0
      ? BUDGET_ROWS.forfeited(amountText(name, budget.forfeited[name] ?? 0))
      : undefined,
  ];
  return {
    name,
    label: LABELS[name],
    used: usedShare,
    reserved: Math.min(1 - usedShare, share(reserved)),
    forecast: forecast === undefined ? undefined : share(forecast),
    state,
    warning: warningOf(state, { share: share(used), onExhausted: budget.onExhausted, isOver }),
    words: parts.filter((part) => part !== undefined).join(", "),
  };
}

type Shares = { readonly used: number; readonly forecast: number | undefined; readonly isOver: boolean };

function stateOf(isExhausted: boolean, { used, forecast, isOver }: Shares): BudgetRow["state"] {
  if (isExhausted) return "exhausted";
  if (used > 1 || (forecast !== undefined && forecast > 1)) return "beyond";
  return used >= NEAR && !isOver ? "near" : "within";
}

type Told = { readonly share: number; readonly onExhausted: Budget["onExhausted"]; readonly isOver: boolean };

function warningOf(state: BudgetRow["state"], { share, onExhausted, isOver }: Told): string | undefined {
  switch (state) {
    case "within":
      return undefined;
    case "near":
      return share < 1 ? BUDGET_ROWS.nearlyUsed : BUDGET_ROWS.used;
    case "beyond":
      // What had been done is undone also when the budget is used up.
      if (share > 1) return BUDGET_ROWS.exceeded(isOver ? "was" : "is");
      return BUDGET_ROWS.willExceed(ENDS[onExhausted]);
    case "exhausted":
      return isOver ? BUDGET_ROWS.limitReached : BUDGET_ROWS.limitReachedThen(ENDS[onExhausted]);
    default:
      return state satisfies never;
  }
}

function amountText(name: AmountName, amount: number): string {
  switch (name) {
    case "usd":
      return formatUsd(amount);
    case "seconds":
      return amount === 0 ? "0 s" : formatDuration(amount * 1_000);
    case "tokens":
    case "steps":
      return amount.toLocaleString("en");
    default:
      name satisfies never;
      return "";
  }
}

/** What a plan without limits has used of models; undefined when that is nothing. */
export function usageWords({
  modelCalls,
  inputTokens,
  outputTokens,
  costUsd,
}: PlanView["usage"]): string | undefined {
  if (modelCalls === 0) return undefined;
  const cost = costUsd === null ? BUDGET_ROWS.costUnknown : costUsd > 0 ? formatUsd(costUsd) : undefined;
  const parts = [
    `${modelCalls.toLocaleString("en")} model ${modelCalls === 1 ? "call" : "calls"}`,
    `${(inputTokens + outputTokens).toLocaleString("en")} tokens`,
    cost,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
