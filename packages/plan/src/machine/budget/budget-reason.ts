import type { BudgetState, Lack, Limited } from "./budget-state.ts";
import { freeOf, toUsd } from "./budget-ledger.ts";
import { nanoUsdOf, tokensOf } from "./budget-prices.ts";

/** Names the budget, what is left of it, and what the next piece of work would have reserved; without a full stop. */
export function reasonOf(budget: BudgetState, exhausted: Limited): string {
  const { limit, used, forfeited } = budget;
  switch (exhausted) {
    case "steps":
      return `the budget of ${counted(limit.steps, "step")} was reached`;
    case "seconds":
      return `the budget of ${counted(limit.seconds, "second")} was reached`;
    case "tokens": {
      const spent = used.tokens + forfeited.tokens;
      return `the budget of ${counted(limit.tokens, "token")} was reached: ${spent} are used, ${lackWords(budget, "tokens")}`;
    }
    case "usd": {
      const spent = used.nanoUsd + forfeited.nanoUsd;
      return `the budget of ${usdText(limit.nanoUsd ?? 0)} US dollars was reached: ${usdText(spent)} are used, ${lackWords(budget, "usd")}`;
    }
    default:
      exhausted satisfies never;
      return "the budget was reached";
  }
}

/** What was left was too little, and for what. */
function lackWords(budget: BudgetState, of: "tokens" | "usd"): string {
  const { lack } = budget;
  const free = freeOf(budget);
  const left = of === "tokens" ? String(free.tokens) : usdText(free.nanoUsd);
  if (lack === undefined) return `and the remaining ${left} are not enough to continue`;
  const { need, given } = lack;
  const parts = `${need.input} for what it reads and ${need.output} for what it writes`;
  const usd = nanoUsdOf(budget, need);
  const wanted =
    of === "tokens"
      ? `about ${tokensOf(need)}: ${parts}`
      : `about ${usd === undefined ? "all there is" : usdText(usd)}: tokens at their highest price, ${parts}`;
  if (given === undefined) return `${left} are left, and ${workOf(lack)} would reserve ${wanted}`;
  const got = of === "tokens" ? String(given.tokens) : usdText(given.nanoUsd);
  return `and ${workOf(lack)} did not manage with the ${got} that were left; it would reserve ${wanted}`;
}

/** The piece of work, by the name under which its reserve is held. */
function workOf({ holder }: Lack): string {
  const [first = "", second = ""] = holder.split("/");
  if (holder.includes("/review/")) {
    return first.startsWith("~") ? `the review of the ${first.slice(1)}` : `the review of step ${first}`;
  }
  if (first === "~draft") return second === "1" ? "the draft" : "the next draft";
  if (first === "~join") return "the judgement of the results";
  return first.startsWith("~") ? "a look for facts" : `step ${first}`;
}

/** Dollars to three digits that count. */
function usdText(nanoUsd: number): string {
  return String(Number(toUsd(nanoUsd).toPrecision(3)));
}

function counted(count: number | undefined, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
