/**
 * What a sub-plan gets of its parent's budget: an equal share of what is free, minus one synthesis of the parent.
 * Whatever the sub-plan has not used returns to the parent when it ends.
 */
import type { BudgetState, Limited, ReadyStep, Reserve } from "./budget-state.ts";
import type { NextPlan, StepEntry } from "../plan-state.ts";
import type { RunName } from "../../values/ids.ts";
import { PLAN_RUN } from "../../language/tool-names.ts";
import { freeOf, holderOf, isMetered } from "./budget-ledger.ts";
import { leastNanoUsd, nanoUsdOf, type Need, RESERVE_TOKENS_MIN, tokensOf } from "./budget-prices.ts";
import { DRAFT_NEED, JOIN_NEED } from "./budget-needs.ts";
import { nameOf, runNamed } from "../step/runs.ts";

/** With less than a draft and a synthesis, a sub-plan waits for others to return some budget. */
const SUB_PLAN_NEED: Need = {
  input: DRAFT_NEED.input + JOIN_NEED.input,
  output: DRAFT_NEED.output + JOIN_NEED.output,
};
/** How many steps share the budget when more than that are ready simultaneously. */
const SHARERS_MAX = 16;

/** Whether a step gets a share of the budget instead of its tool's estimated need. */
export function isSharer({ limit }: BudgetState, tool: string): boolean {
  return tool === PLAN_RUN && (limit.tokens ?? limit.nanoUsd ?? limit.steps) !== undefined;
}

/**
 * Reserves the share of a step that runs as a sub-plan.
 *
 * @returns What there is too little of; undefined if the share is held.
 */
export function reserveShare(next: NextPlan, entry: StepEntry, attempt: number): Limited | undefined {
  const { budget } = next;
  if (budget === undefined) return undefined;
  const sharers = sharersOf(next, budget);
  const { limit, stepsSent, reserves } = budget;
  const free = freeOf(budget);
  const share = {
    tokens: limit.tokens === undefined ? 0 : shareIn(free.tokens, tokensOf(JOIN_NEED), sharers),
    nanoUsd:
      limit.nanoUsd === undefined
        ? 0
        : shareIn(free.nanoUsd, nanoUsdOf(budget, JOIN_NEED) ?? Infinity, sharers),
  };
  const isAlone = reserves.size === 0;
  const least = isAlone ? RESERVE_TOKENS_MIN : tokensOf(SUB_PLAN_NEED);
  const leastUsd = isAlone ? leastNanoUsd(budget) : (nanoUsdOf(budget, SUB_PLAN_NEED) ?? 0);
  const isShort = limit.tokens !== undefined && share.tokens < least;
  if (isShort || (limit.nanoUsd !== undefined && share.nanoUsd < Math.max(1, leastUsd))) {
    const holder = holderOf.step({ ...nameOf(entry), attempt });
    next.budget = { ...budget, lack: { holder, need: SUB_PLAN_NEED } };
    return isShort ? "tokens" : "usd";
  }
  const steps = limit.steps === undefined ? {} : { steps: stepsFor(limit.steps - stepsSent, sharers) };
  next.budget = {
    ...budget,
    reserved: {
      tokens: budget.reserved.tokens + share.tokens,
      nanoUsd: budget.reserved.nanoUsd + share.nanoUsd,
    },
    stepsSent: stepsSent + (steps.steps ?? 0),
    reserves: reserves.set(holderOf.step({ ...nameOf(entry), attempt }), { ...share, ...steps }),
  };
  return undefined;
}

/** Returns the budget of a sub-plan, limited only where its parent is. Undefined if no share is held for it. */
export function shareOf(
  { limit, reserves }: BudgetState,
  run: RunName & { readonly attempt: number },
): Partial<Reserve> | undefined {
  const held = reserves.get(holderOf.step(run));
  if (held === undefined) return undefined;
  return {
    ...(limit.tokens === undefined ? {} : { tokens: held.tokens }),
    ...(limit.nanoUsd === undefined ? {} : { nanoUsd: held.nanoUsd }),
    ...(held.steps === undefined ? {} : { steps: held.steps }),
  };
}

/** Queues a step until the budget has room for it: see `allot`. */
export function awaitAllotment(next: NextPlan, { step }: StepEntry, ready: ReadyStep): void {
  const { budget } = next;
  if (budget === undefined) return;
  const isMeteredShare = isSharer(budget, step.tool) && isMetered(budget);
  const queue = tokensOf(ready.need) > 0 || isMeteredShare ? "metered" : "plain";
  next.budget = { ...budget, [queue]: budget[queue].push(ready) };
}

/** Returns how many sub-plans are ready, including this one. */
function sharersOf(next: NextPlan, { plain, metered }: BudgetState): number {
  let count = 0;
  for (const ready of [...plain.take(SHARERS_MAX), ...metered.take(SHARERS_MAX)]) {
    const entry = runNamed(next, ready);
    if (entry?.step.tool === PLAN_RUN && entry.state.status === "waiting") count += 1;
  }
  return Math.max(1, count);
}

function shareIn(free: number, keep: number, sharers: number): number {
  const kept = Math.min(keep, Math.floor(free / (sharers + 1)));
  return Math.floor((free - kept) / sharers);
}

function stepsFor(left: number, sharers: number): number {
  return Math.max(1, Math.floor(left / sharers));
}
