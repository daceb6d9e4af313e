import { z } from "zod";

/** From the lowest to the highest. */
const PRIORITIES = ["low", "normal", "high"] as const;

/** How much of its tenant's share of the workers a plan gets beside the tenant's other plans. */
export const Priority = z.enum(PRIORITIES);
export type Priority = z.infer<typeof Priority>;

/** Of plans that all want more than there is, each gets slots in this proportion. */
const WEIGHTS: Readonly<Record<Priority, number>> = { low: 1, normal: 4, high: 16 };

export function weightOf(priority: Priority = "normal"): number {
  return WEIGHTS[priority];
}

/**
 * The priority of a plan where at most `highest` is allowed; undefined when the one that is asked for is higher. What asks
 * for none gets the normal one, or less where that is too high.
 */
export function grantedPriority(
  asked: Priority | undefined,
  highest: Priority = "high",
): Priority | undefined {
  const isLower = (one: Priority, other: Priority) => PRIORITIES.indexOf(one) < PRIORITIES.indexOf(other);
  if (asked === undefined) return isLower(highest, "normal") ? highest : "normal";
  return isLower(highest, asked) ? undefined : asked;
}
