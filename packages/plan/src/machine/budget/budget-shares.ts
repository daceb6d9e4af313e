/**
 * What a sub-plan gets of its parent's budget: an equal share of what is free, with one judgement of the parent kept
 * back. What it has not used comes back with its end.
 */
import type { BudgetState, Limited, ReadyStep, Reserve } from "./budget-state.ts";
import type { NextPlan, StepEntry } from "../plan-state.ts";
import type { RunName } from "../../values/ids.ts";
import { PLAN_RUN } from "../../language/owner-tools.ts";
import { freeOf, holderOf, isMetered } from "./budget-ledger.ts";
import { leastNanoUsd, nanoUsdOf, type Need, RESERVE_TOKENS_MIN, tokensOf } from "./budget-prices.ts";
import { DRAFT_NEED, JOIN_NEED } from "./budget-needs.ts";
import { nameOf, runNamed } from "../step/runs.ts";

/** With less than a draft and a judgement, a sub-plan waits for others to give something back. */
const SUB_PLAN_NEED: Need = {
  input: DRAFT_NEED.input + JOIN_NEED.input,
  output: DRAFT_NEED.output + JOIN_NEED.output,
};
/** How many steps share the budget when more than that are ready simultaneously. */
const SHARERS_MAX = 16;

/** Whether a step is given a share of the budget, and not what its tool is thought to need. */
export function isSharer({ limit }: BudgetState, tool: string): boolean {
  return tool === PLAN_RUN && (limit.tokens ?? limit.nanoUsd ?? limit.steps) !== undefined;
}

/**
 * Sets aside the share of a step that hands its work to a sub-plan.
 *
 * @returns What there is too little of; undefined when the share is held.
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

/** What a sub-plan may use: only what its parent has a limit for. Undefined when nothing is set aside for it. */
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

/** Has a step wait for its turn: see `allot`. */
export function awaitAllotment(next: NextPlan, { step }: StepEntry, ready: ReadyStep): void {
  const { budget } = next;
  if (budget === undefined) return;
  const isMeteredShare = isSharer(budget, step.tool) && isMetered(budget);
  const queue = tokensOf(ready.need) > 0 || isMeteredShare ? "metered" : "plain";
  next.budget = { ...budget, [queue]: budget[queue].push(ready) };
}

/** How many sub-plans are ready, this one among them. */
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
