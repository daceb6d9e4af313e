/** Asks a user for more budget: once each time a limit is reached, up to a maximum. */
import type { Limited, BudgetState, Lack } from "./budget-state.ts";
import type { KnownPlan, NextPlan } from "../plan-state.ts";
import type { BudgetRaise } from "../../language/budget.ts";
import type { ApprovalRequested } from "../../events/approval-events.ts";
import type { JsonObject } from "../../values/json.ts";
import { formatCount, formatNumber } from "../../values/amounts.ts";
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
  // The policy allows no further raise.
  if (roomFor(next, budget.exhausted) <= 0) return false;
  const asks = budget.asks + 1;
  next.budget = { ...budget, asks, asking: { approvalId: `budget-${asks}`, limit: budget.exhausted } };
  return true;
}

/** Returns the request for more budget to send; undefined if there is none or it was already sent. */
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

/** @param edits - By how much to raise each limit. The limit that was reached is raised by its initial amount if not listed. */
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

/** The extra time runs from the decision on: the time until the decision is not charged to the plan. */
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

/** Returns the raise in the edits, which the gateway checked before storing them; an empty one if they hold anything else. */
function raiseIn(edits: JsonObject = {}): BudgetRaise {
  const isRaise = Object.entries(edits).every(([name, value]) => {
    const isKnown = LIMITS.some((limit) => limit === name) && typeof value === "number" && value > 0;
    return isKnown && (name === "usd" || Number.isInteger(value));
  });
  return isRaise ? edits : {};
}

/** Caps the raise so that no limit exceeds what the installation's policy allows, whichever key requests it. */
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

/** Describes the budget, what is left of it, and what the next piece of work would have reserved. No final full stop. */
export function reasonOf(budget: BudgetState, exhausted: Limited): string {
  const { limit, used, forfeited } = budget;
  switch (exhausted) {
    case "steps":
      return `the budget of ${formatCount(limit.steps ?? 0, "step")} is exhausted`;
    case "seconds":
      return `the budget of ${formatCount(limit.seconds ?? 0, "second")} is exhausted`;
    case "tokens": {
      const spent = formatNumber(used.tokens + forfeited.tokens);
      return `the budget of ${formatCount(limit.tokens ?? 0, "token")} is exhausted: ${spent} are used${lackText(budget, "tokens")}`;
    }
    case "usd": {
      const spent = usdText(used.nanoUsd + forfeited.nanoUsd);
      return `the budget of ${usdText(limit.nanoUsd ?? 0)} is exhausted: ${spent} is used${lackText(budget, "usd")}`;
    }
    default:
      exhausted satisfies never;
      return "the budget is exhausted";
  }
}

/** Describes how much was left, and for which work it was too little. */
function lackText(budget: BudgetState, of: "tokens" | "usd"): string {
  const { lack } = budget;
  const free = freeOf(budget);
  const amount = ({ tokens, nanoUsd }: { readonly tokens: number; readonly nanoUsd: number }) =>
    of === "tokens" ? formatNumber(tokens) : usdText(nanoUsd);
  if (lack === undefined) return `, and the remaining ${amount(free)} is not enough to continue`;
  const { need, given } = lack;
  const parts = `(${formatNumber(need.input)} tokens to read and ${formatNumber(need.output)} to write)`;
  const nanoUsd = nanoUsdOf(budget, need);
  const wanted =
    of === "tokens"
      ? `needs about ${formatNumber(tokensOf(need))} ${parts}`
      : nanoUsd === undefined
        ? `needs all of it, as its price is unknown ${parts}`
        : `needs about ${usdText(nanoUsd)} at the highest token price ${parts}`;
  if (given === undefined) return ` and ${amount(free)} left, but ${workOf(lack)} ${wanted}`;
  return `, and the remaining ${amount(given)} was not enough for ${workOf(lack)}, which ${wanted}`;
}

/** Describes a piece of work, given the name under which its reserve is held. */
function workOf({ holder }: Lack): string {
  const [first = "", second = ""] = holder.split("/");
  if (holder.includes("/review/")) {
    return first.startsWith("~") ? `the review of the ${first.slice(1)}` : `the review of step ${first}`;
  }
  if (first === "~draft") return second === "1" ? "the draft" : "the next draft";
  if (first === "~join") return "the review of the results";
  return first.startsWith("~") ? "the extraction of facts" : `step ${first}`;
}

/** Formats dollars with three significant digits. */
function usdText(nanoUsd: number): string {
  return `$${Number(toUsd(nanoUsd).toPrecision(3))}`;
}
