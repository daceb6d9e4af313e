import { type BudgetState, type Limited, toUsd } from "./budget-ledger.ts";

/** Names the budget, in a sentence without its full stop. */
export function reasonOf(budget: BudgetState, exhausted: Limited): string {
  const { limit, used, forfeited } = budget;
  switch (exhausted) {
    case "steps":
      return `the budget of ${counted(limit.steps, "step")} was reached`;
    case "seconds":
      return `the budget of ${counted(limit.seconds, "second")} was reached`;
    case "tokens": {
      const spent = used.tokens + forfeited.tokens;
      return `the budget of ${counted(limit.tokens, "token")} was reached: ${spent} are used, and what is left is too little to go on`;
    }
    case "usd": {
      const spent = toUsd(used.nanoUsd + forfeited.nanoUsd);
      return `the budget of ${toUsd(limit.nanoUsd ?? 0)} US dollars was reached: ${spent} are used, and what is left is too little to go on`;
    }
    default:
      exhausted satisfies never;
      return "the budget was reached";
  }
}

function counted(count: number | undefined, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
