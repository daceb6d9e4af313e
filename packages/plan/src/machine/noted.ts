/** The part of a plan's state that is only for its metrics: no decision depends on it. */
import type { PlanTally } from "../events/plan-tally.ts";
import type { NextPlan } from "./plan-state.ts";
import type { Strategy } from "../language/plan-language.ts";
import { addTallies, withoutMinimum } from "../values/add-tallies.ts";

export function noteStrategy(next: NextPlan, strategy: Strategy): void {
  if (next.noted?.strategy === undefined) next.noted = { ...next.noted, strategy };
}

export function noteSealed(next: NextPlan, at: string): void {
  if (next.noted?.sealedAt === undefined) next.noted = { ...next.noted, sealedAt: at };
}

/** Adds the tally of a sub-plan; does nothing for any other step. */
export function noteSubPlan(next: NextPlan, tally: PlanTally | undefined, hasSucceeded: boolean): void {
  if (tally === undefined) return;
  const counted = hasSucceeded ? tally : withoutMinimum(tally);
  const before = next.noted?.subPlans;
  next.noted = { ...next.noted, subPlans: before === undefined ? counted : addTallies(before, counted) };
}
