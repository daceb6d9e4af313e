import type { PlanId } from "@planwright/plan";

/** An open plan as the index knows it. */
export type IndexedPlan = { readonly planId: PlanId; readonly firstSequence: number };

export type PlanReplay = {
  /** Plans to be read by themselves, whole. */
  readonly alone: readonly IndexedPlan[];
  /** From where the log is read for all others. */
  readonly from: number;
};

/** Reading one plan by itself costs about as much as following this many messages of the log. */
export const READ_COST_MESSAGES = 500;

/**
 * How the open plans are brought back for the least effort: the oldest one by one, the others, which lie close
 * together at the end of the log, by following it. So one plan that stays open for a year costs one read, and
 * not the replay of a year.
 *
 * @param covered - Up to this sequence the index knows every open plan; later events have to be followed.
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
