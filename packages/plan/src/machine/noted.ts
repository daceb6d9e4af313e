/** What a plan's state keeps for its figures alone: nothing is decided by it. */
import type { PlanTally } from "../figures/plan-tally.ts";
import { addTallies, withoutMinimum } from "../figures/plan-tally.ts";
import type { Strategy } from "../language/plan-language.ts";
import type { NextPlan } from "./step/step-transitions.ts";

export type Noted = {
  /** Of the first draft. */
  readonly strategy?: Strategy;
  /** When the first draft was complete. */
  readonly sealedAt?: string;
  /** Of the sub-plans that have ended, and theirs. */
  readonly subPlans?: PlanTally;
};

export function noteStrategy(next: NextPlan, strategy: Strategy): void {
  if (next.noted?.strategy === undefined) next.noted = { ...next.noted, strategy };
}

export function noteSealed(next: NextPlan, at: string): void {
  if (next.noted?.sealedAt === undefined) next.noted = { ...next.noted, sealedAt: at };
}

/** Adds what a sub-plan did; nothing for any other step. */
export function noteSubPlan(next: NextPlan, tally: PlanTally | undefined, hasSucceeded: boolean): void {
  if (tally === undefined) return;
  const counted = hasSucceeded ? tally : withoutMinimum(tally);
  const before = next.noted?.subPlans;
  next.noted = { ...next.noted, subPlans: before === undefined ? counted : addTallies(before, counted) };
}
