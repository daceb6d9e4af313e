/** The public view of a plan's budget. */
import type { Amount, BudgetState } from "../machine/budget/budget-state.ts";
import { z } from "zod";
import { BudgetLimits, OnExhausted } from "../language/budget.ts";
import { toUsd } from "../machine/budget/budget-ledger.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const Amounts = z.object({
  tokens: z.number().optional(),
  usd: z.number().optional(),
  seconds: z.number().optional(),
  steps: z.number().optional(),
});
type Amounts = z.infer<typeof Amounts>;

/** Each part contains only limited amounts. */
export const BudgetView = z.object({
  limit: BudgetLimits,
  used: Amounts.meta({
    description: "Used so far, including unreported usage that is charged in full (`forfeited`).",
  }),
  forfeited: Amounts.meta({
    description: "The part of `used` that was never reported and is charged in full.",
  }),
  reserved: Amounts.meta({ description: "Reserved for work in progress." }),
  remaining: Amounts.meta({ description: "Neither used nor reserved; never negative." }),
  forecast: Amounts.optional().meta({
    description:
      "Projected usage of the whole plan at the rate of its finished steps; absent until a step has finished.",
  }),
  onExhausted: OnExhausted,
  exhausted: z
    .enum(["tokens", "usd", "seconds", "steps"])
    .optional()
    .meta({ description: "The limit that was reached." }),
});
export type BudgetView = z.infer<typeof BudgetView>;

/** @param nowMs - The current time in milliseconds since the epoch; only the seconds depend on it. */
export function budgetView(plan: KnownPlan, nowMs: number): BudgetView | undefined {
  const { budget, done, total, drafting } = plan;
  if (budget === undefined) return undefined;
  const { used, forfeited, reserved, onExhausted, exhausted } = budget;
  const seconds = secondsOf(plan, nowMs);
  const gone = { tokens: used.tokens + forfeited.tokens, nanoUsd: used.nanoUsd + forfeited.nanoUsd };
  const shown = {
    limit: amounts(budget, limitOf(budget)),
    used: amounts(budget, { ...plain(gone), seconds, steps: budget.stepsSent }),
    forfeited: amounts(budget, plain(forfeited)),
    reserved: amounts(budget, plain(reserved)),
  };
  const isForeseeable = drafting.phase === "sealed" && done > 0 && total > 0;
  // Running attempts belong to no settled step.
  const settled = { ...shown.used, steps: Math.max(0, budget.stepsSent - plan.inFlight) };
  return {
    ...shown,
    remaining: remainingOf(shown),
    ...(isForeseeable
      ? { forecast: atLeast(shown.used, scaled(amounts(budget, settled), total / done)) }
      : {}),
    onExhausted,
    ...(exhausted === undefined ? {} : { exhausted }),
  };
}

function limitOf({ limit }: BudgetState): Amounts {
  const { tokens, nanoUsd, seconds, steps } = limit;
  return { tokens, usd: nanoUsd === undefined ? undefined : toUsd(nanoUsd), seconds, steps };
}

function plain({ tokens, nanoUsd }: Amount): Amounts {
  return { tokens, usd: toUsd(nanoUsd) };
}

/** Omits amounts without a limit. */
function amounts({ limit }: BudgetState, { tokens, usd, seconds, steps }: Amounts): Amounts {
  return {
    ...(limit.tokens === undefined || tokens === undefined ? {} : { tokens }),
    ...(limit.nanoUsd === undefined || usd === undefined ? {} : { usd }),
    ...(limit.seconds === undefined || seconds === undefined ? {} : { seconds }),
    ...(limit.steps === undefined || steps === undefined ? {} : { steps }),
  };
}

function remainingOf({ limit, used, reserved }: Pick<BudgetView, "limit" | "used" | "reserved">): Amounts {
  const names = ["tokens", "usd", "seconds", "steps"] as const;
  const left = names.flatMap((name) => {
    const max = limit[name];
    return max === undefined
      ? []
      : [[name, Math.max(0, max - (used[name] ?? 0) - (reserved[name] ?? 0))] as const];
  });
  return Object.fromEntries(left);
}

function scaled({ tokens, usd, steps }: Amounts, factor: number): Amounts {
  return {
    ...(tokens === undefined ? {} : { tokens: Math.ceil(tokens * factor) }),
    ...(usd === undefined ? {} : { usd: usd * factor }),
    ...(steps === undefined ? {} : { steps: Math.ceil(steps * factor) }),
  };
}

/** The forecast is at least the current usage. */
function atLeast(used: Amounts, forecast: Amounts): Amounts {
  const { steps } = forecast;
  return steps === undefined ? forecast : { ...forecast, steps: Math.max(steps, used.steps ?? 0) };
}

function secondsOf({ submittedAt, endedAt }: KnownPlan, nowMs: number): number {
  const untilMs = endedAt === undefined ? nowMs : Date.parse(endedAt);
  return Math.max(0, Math.round((untilMs - Date.parse(submittedAt)) / 1_000));
}
