/**
 * A plan's budget: how much is used, reserved for work in flight, and left.
 *
 * Invariants:
 *   BUDGET-1. The used, forfeited and reserved amounts never exceed the limit together, as long as no worker uses more
 *       than the allowance that its work carries. Compensations are counted, but the limit never holds them back.
 *   BUDGET-2. A reserve is settled once: by the first outcome of its work, or forfeited in full when that work is
 *       no longer needed and its usage will not be reported.
 *   BUDGET-3. A plan without a budget has no state here and no overhead.
 */
import type { Amount, BudgetState } from "./budget-state.ts";
import type { NextPlan } from "../plan-state.ts";
import type { RunName } from "../../values/ids.ts";
import { List, Map } from "immutable";
import { NO_USAGE, type Usage, addUsage } from "../../values/add-usage.ts";
import type { Allowance, Forfeit, StoredBudget } from "../../language/budget.ts";
import {
  leastNanoUsd,
  NANO_PER_USD,
  nanoRates,
  nanoUsdOf,
  type Need,
  RESERVE_TOKENS_MIN,
  tokensOf,
} from "./budget-prices.ts";

/** Costs are floating-point sums: an excess of less than this over a whole billionth is noise. */
const NANO_NOISE = 1e-3;
const GROWTHS_MAX = 10;
const NOTHING: Amount = { tokens: 0, nanoUsd: 0 };

export function openBudget(next: NextPlan, stored: StoredBudget, startsAt: string): void {
  next.budget = budgetOf(stored, startsAt);
}

/** Returns an unused budget. */
export function budgetOf(stored: StoredBudget, startsAt: string): BudgetState {
  const { tokens, usd, seconds, steps, onExhausted, usdPerToken } = stored;
  const limit = {
    ...(tokens === undefined ? {} : { tokens }),
    ...(usd === undefined ? {} : { nanoUsd: toNano(usd) }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(steps === undefined ? {} : { steps }),
  };
  return {
    limit,
    first: limit,
    asks: 0,
    onExhausted,
    ...(usdPerToken === undefined ? {} : { nanoUsdPerToken: nanoRates(usdPerToken) }),
    used: NOTHING,
    forfeited: NOTHING,
    reserved: NOTHING,
    stepsSent: 0,
    reserves: Map(),
    plain: List(),
    metered: List(),
    growth: Map(),
    ...(seconds === undefined ? {} : { deadline: { timer: "budget-1", at: later(startsAt, seconds) } }),
  };
}

/** The names under which reserves are held; ids have neither tilde nor slash. */
export const holderOf = {
  step: ({ stepId, item = 0, attempt }: RunName & { attempt: number }): string =>
    `${stepId}/${item}/${attempt}`,
  draft: (draft: number): string => `~draft/${draft}`,
  join: (join: number): string => `~join/${join}`,
};

/** Whether work that calls a model has to wait for a reserve. */
export function isMetered({ limit }: BudgetState): boolean {
  return limit.tokens !== undefined || limit.nanoUsd !== undefined;
}

/** Returns what is neither used nor reserved; infinite where there is no limit. */
export function freeOf({ limit, used, forfeited, reserved }: BudgetState): Amount {
  const left = (max: number | undefined, part: keyof Amount): number =>
    max === undefined ? Number.POSITIVE_INFINITY : max - used[part] - forfeited[part] - reserved[part];
  return { tokens: left(limit.tokens, "tokens"), nanoUsd: left(limit.nanoUsd, "nanoUsd") };
}

/**
 * Reserves what a piece of work needs. If less is left and nothing in flight could return any, reserves all that is
 * left.
 *
 * @param need - The estimated need of the work.
 * @returns What there is too little of; undefined if the reserve is held.
 */
export function reserve(next: NextPlan, holder: string, need: Need): "tokens" | "usd" | undefined {
  const { budget } = next;
  if (budget === undefined || budget.reserves.has(holder)) return undefined;
  const { limit, reserves } = budget;
  const free = freeOf(budget);
  const tokens = tokensOf(need);
  const nanoUsd = nanoUsdOf(budget, need);
  const want = {
    tokens: limit.tokens === undefined ? 0 : Math.min(tokens, limit.tokens),
    nanoUsd: limit.nanoUsd === undefined ? 0 : Math.min(nanoUsd ?? Infinity, limit.nanoUsd),
  };
  const short = lackOf(free, want);
  const least = { tokens: RESERVE_TOKENS_MIN, nanoUsd: leastNanoUsd(budget) };
  const lack = reserves.size > 0 ? short : lackOf(free, least);
  if (lack !== undefined) {
    next.budget = { ...budget, lack: { holder, need } };
    return lack;
  }
  const amount = {
    tokens: Math.min(want.tokens, free.tokens),
    nanoUsd: Math.min(want.nanoUsd, free.nanoUsd),
  };
  // A limit below the need leaves no room to grow into either.
  const capped = lackOf(
    { tokens: limit.tokens ?? Infinity, nanoUsd: limit.nanoUsd ?? Infinity },
    { tokens, nanoUsd: nanoUsd ?? 0 },
  );
  const why = short ?? capped;
  next.budget = {
    ...budget,
    reserved: add(budget.reserved, amount),
    reserves: reserves.set(holder, why === undefined ? amount : { ...amount, short: why, need }),
  };
  return undefined;
}

/**
 * Counts what a piece of work has used, and releases its reserve. Without a reserve, nothing is counted against the
 * budget: the reserve was already forfeited in full, or the plan has no budget.
 *
 * @param report.spent - The name under which the allowance proved too small.
 */
export function countWork(
  next: NextPlan,
  holder: string,
  report: {
    readonly usage?: Usage | undefined;
    readonly forfeited?: Forfeit | undefined;
    /** Of a sub-plan: how many steps it has sent. If unknown, all the steps of its share are counted. */
    readonly stepsSent?: number | undefined;
    readonly spent?: string | undefined;
  },
): void {
  if (report.usage !== undefined) next.usage = addUsage(next.usage, report.usage);
  const { budget } = next;
  const held = budget?.reserves.get(holder);
  if (budget === undefined || held === undefined) return;
  const { usage = NO_USAGE, forfeited = { tokens: 0, usd: 0 }, stepsSent, spent } = report;
  const stepsLeft = held.steps === undefined ? 0 : Math.max(0, held.steps - (stepsSent ?? held.steps));
  const counted = amountOf(usage, held);
  // An unknown cost has already taken the whole reserve.
  const lost = usage.costUsd === null ? { ...forfeited, usd: 0 } : forfeited;
  // Rounded together: if each part were rounded up separately, they could exceed the reserve that they share.
  const lostNano = toNano((usage.costUsd ?? 0) + lost.usd) - toNano(usage.costUsd ?? 0);
  next.budget = {
    ...budget,
    used: add(budget.used, counted),
    forfeited: add(budget.forfeited, { tokens: lost.tokens, nanoUsd: lostNano }),
    ...released(budget, holder, held),
    stepsSent: budget.stepsSent - stepsLeft,
    ...(spent === undefined ? {} : { growth: grow(budget, spent) }),
    ...(spent === undefined || held.short === undefined || budget.exhausted !== undefined
      ? {}
      : { exhausted: held.short, ...(held.need && { lack: { holder, need: held.need, given: held } }) }),
  };
}

/** Counts the usage of a compensation. It draws on no reserve, and can exceed the limit. */
export function countUndoing(next: NextPlan, usage: Usage | undefined): void {
  if (usage === undefined) return;
  next.usage = addUsage(next.usage, usage);
  const { budget } = next;
  if (budget === undefined) return;
  const need = { input: usage.inputTokens, output: usage.outputTokens };
  // An unknown cost is charged at the price of the most expensive model.
  const counted = amountOf(usage, { tokens: tokensOf(need), nanoUsd: nanoUsdOf(budget, need) ?? 0 });
  next.budget = { ...budget, used: add(budget.used, counted) };
}

/** Counts a whole reserve as used: its work may still be running, and its usage will not be reported. */
export function forfeitReserve(next: NextPlan, holder: string): void {
  const { budget } = next;
  const held = budget?.reserves.get(holder);
  if (budget === undefined || held === undefined) return;
  next.budget = {
    ...budget,
    forfeited: add(budget.forfeited, held),
    ...released(budget, holder, held),
  };
}

/** Returns the allowance of a piece of work, which its message carries. */
export function allowanceOf(budget: BudgetState | undefined, holder: string): Allowance | undefined {
  if (budget === undefined || !isMetered(budget)) return undefined;
  const { tokens, nanoUsd } = budget.reserves.get(holder) ?? NOTHING;
  return {
    ...(budget.limit.tokens === undefined ? {} : { maxTokens: tokens }),
    ...(budget.limit.nanoUsd === undefined ? {} : { maxUsd: toUsd(nanoUsd) }),
  };
}

/** Returns the factor by which the next allowance exceeds the usual one. */
export function growthOf({ growth }: BudgetState, name: string): number {
  return 2 ** (growth.get(name) ?? 0);
}

export function toNano(usd: number): number {
  return Math.ceil(usd * NANO_PER_USD - NANO_NOISE);
}

export function toUsd(nanoUsd: number): number {
  return nanoUsd / NANO_PER_USD;
}

export function later(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1_000).toISOString();
}

/** Charges an unknown cost as the whole reserve. */
function amountOf({ inputTokens, outputTokens, costUsd }: Usage, held: Amount): Amount {
  return {
    tokens: inputTokens + outputTokens,
    nanoUsd: costUsd === null ? held.nanoUsd : toNano(costUsd),
  };
}

function released({ reserved, reserves }: BudgetState, holder: string, held: Amount): Partial<BudgetState> {
  const { tokens, nanoUsd } = held;
  return {
    reserved: add(reserved, { tokens: -tokens, nanoUsd: -nanoUsd }),
    reserves: reserves.delete(holder),
  };
}

function grow({ growth }: BudgetState, name: string): Map<string, number> {
  return growth.update(name, 0, (count) => Math.min(GROWTHS_MAX, count + 1));
}

function lackOf(free: Amount, want: Amount): "tokens" | "usd" | undefined {
  if (free.tokens < want.tokens) return "tokens";
  return free.nanoUsd < want.nanoUsd ? "usd" : undefined;
}

function add(left: Amount, right: Amount): Amount {
  return { tokens: left.tokens + right.tokens, nanoUsd: left.nanoUsd + right.nanoUsd };
}
