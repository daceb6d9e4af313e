import type { PlanId } from "@planwright/plan";

/** An open plan as recorded in the index. */
export type IndexedPlan = { readonly planId: PlanId; readonly firstSequence: number };

export type PlanReplay = {
  /** Plans to be read individually and completely. */
  readonly alone: readonly IndexedPlan[];
  /** The position from which the log is followed for all others. */
  readonly from: number;
};

/** Reading one plan individually costs about as much as following this many messages of the log. */
export const READ_COST_MESSAGES = 500;

/**
 * How to restore the open plans with the least effort: the oldest ones individually, the others, which are close together at the
 * end of the log, by following it. So a plan that stays open for a year costs one read, not the replay of a year.
 *
 * @param covered - The sequence up to which the index knows every open plan; later events have to be followed.
 */
export function planReplay(plans: readonly IndexedPlan[], covered: number): PlanReplay {
  const known = plans
    .filter(({ firstSequence }) => firstSequence <= covered)
    .toSorted((one, other) => one.firstSequence - other.firstSequence);
  let best = { alone: known.length, cost: known.length * READ_COST_MESSAGES };
  for (const [alone, { firstSequence }] of known.entries()) {
    const cost = alone * READ_COST_MESSAGES + (covered + 1 - firstSequence);
    if (cost < best.cost) best = { alone, cost };
  }
  const from = known[best.alone]?.firstSequence ?? covered + 1;
  return { alone: known.slice(0, best.alone), from };
}
