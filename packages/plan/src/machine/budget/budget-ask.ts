/** Asking a person for more of a budget that was reached: once for each time it was, up to a limit. */
import type { Limited, BudgetState, Lack } from "./budget-state.ts";
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { BudgetRaise } from "../../language/budget.ts";
import type { ApprovalRequested } from "../../events/approval-events.ts";
import type { JsonObject } from "../../values/json.ts";
import { LIMITS, roomFor } from "../../policy/max-budget.ts";
import { shownDeciders } from "../../policy/may-decide.ts";
import { later, toNano, toUsd, freeOf } from "./budget-ledger.ts";
import { nanoUsdOf, tokensOf } from "./budget-prices.ts";

/** How often a plan may ask for more budget. After that, it ends when the budget is reached. */
const ASKS_MAX = 20;

/** Asks for more budget, unless a request is already open. Returns false when the plan may not ask again. */
export function askForMore(next: NextPlan): boolean {
  const { budget } = next;
  if (budget?.exhausted === undefined || budget.onExhausted !== "ask" || budget.isRefused === true)
    return false;
  if (budget.asking !== undefined) return true;
  if (budget.asks >= ASKS_MAX) return false;
  // No more of it may be given.
  if (roomFor(next, budget.exhausted) <= 0) return false;
  const asks = budget.asks + 1;
  next.budget = { ...budget, asks, asking: { approvalId: `budget-${asks}`, limit: budget.exhausted } };
  return true;
}

/** What is asked; undefined when nothing is, or was already. */
export function budgetQuestion(
  plan: KnownPlan,
  expiresAfterMs: number,
): ApprovalRequested["data"] | undefined {
  const { budget, approvals } = plan;
  if (budget?.asking === undefined || approvals.has(budget.asking.approvalId)) return undefined;
  const { approvalId, limit } = budget.asking;
  const question = `May the plan use more? ${sentenceOf(reasonOf(budget, limit))}`;
  const details = { limit, more: { [limit]: usualRaise(plan, limit) } };
  const deciders = shownDeciders(plan, { kind: "budget" });
  return { approvalId, kind: "budget", question, ...deciders, details, expiresAfterMs };
}

function sentenceOf(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** @param edits - By how much each limit is raised; the one that was reached by its first amount when it is not among them. */
export function grantMore(next: NextPlan, edits: JsonObject | undefined, at: string): void {
  const { budget } = next;
  if (budget?.asking === undefined) return;
  const { asking, exhausted: _reached, lack: _lack, ...rest } = budget;
  const more = withinMax(next, { [asking.limit]: usualRaise(next, asking.limit), ...raiseIn(edits) });
  const { limit } = budget;
  const tokens = plus(limit.tokens, more["tokens"]);
  const nanoUsd = plus(limit.nanoUsd, more["usd"] === undefined ? undefined : toNano(more["usd"]));
  const steps = plus(limit.steps, more["steps"]);
  next.budget = {
    ...rest,
    limit: {
      ...limit,
      ...(tokens === undefined ? {} : { tokens }),
      ...(nanoUsd === undefined ? {} : { nanoUsd }),
      ...(steps === undefined ? {} : { steps }),
    },
  };
  if (limit.seconds !== undefined && more["seconds"] !== undefined) extend(next, more["seconds"], at);
  else if (budget.isTimeUp === true) next.budget = { ...next.budget, exhausted: "seconds" };
}

/** Records that the request for more budget was rejected: the plan ends with the results so far. */
export function refuseMore(next: NextPlan): void {
  if (next.budget?.asking === undefined) return;
  const { asking: _asking, ...rest } = next.budget;
  next.budget = { ...rest, isRefused: true };
}

/** From the decision on: the time that it took to decide is not the plan's. */
function extend(next: NextPlan, seconds: number, at: string): void {
  const { budget } = next;
  if (budget === undefined) return;
  const { isTimeUp, ...rest } = budget;
  const from = isTimeUp === true || budget.deadline === undefined ? at : budget.deadline.at;
  const deadline = { timer: `budget-${budget.asks + 1}`, at: later(from, seconds) };
  const limit = { ...budget.limit, seconds: (budget.limit.seconds ?? 0) + seconds };
  next.budget = { ...rest, limit, deadline };
}

function usualRaise(plan: KnownPlan, limit: Limited): number {
  const first = plan.budget?.first ?? {};
  const usual = (limit === "usd" ? toUsd(first.nanoUsd ?? 0) : first[limit]) ?? 0;
  return Math.min(usual, roomFor(plan, limit));
}

/** The raise that edits hold, which the gateway has checked before they were stored; none if they hold anything else. */
function raiseIn(edits: JsonObject = {}): BudgetRaise {
  const isRaise = Object.entries(edits).every(([name, value]) => {
    const isKnown = LIMITS.some((limit) => limit === name) && typeof value === "number" && value > 0;
    return isKnown && (name === "usd" || Number.isInteger(value));
  });
  return isRaise ? edits : {};
}

/** No limit is raised above what the installation's policy allows, whichever key asks for it. */
function withinMax(plan: KnownPlan, more: BudgetRaise): BudgetRaise {
  const raises: BudgetRaise = {};
  for (const limit of LIMITS) {
    const wanted = more[limit];
    if (wanted !== undefined) raises[limit] = Math.min(wanted, roomFor(plan, limit));
  }
  return raises;
}

function plus(limit: number | undefined, more: number | undefined): number | undefined {
  return limit === undefined || more === undefined ? limit : limit + more;
}

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
