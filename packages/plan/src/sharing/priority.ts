import { z } from "zod";

/** From the lowest to the highest. */
const PRIORITIES = ["low", "normal", "high"] as const;

/** A plan's share of the workers relative to the tenant's other plans. */
export const Priority = z.enum(PRIORITIES);
export type Priority = z.infer<typeof Priority>;

/** When plans want more slots than there are, they get slots in this proportion. */
const WEIGHTS: Readonly<Record<Priority, number>> = { low: 1, normal: 4, high: 16 };

export function weightOf(priority: Priority = "normal"): number {
  return WEIGHTS[priority];
}

/**
 * The priority of a plan whose maximum is `highest`; undefined if the requested one is higher. Without a request it is `normal`,
 * or the maximum if that is lower.
 */
export function grantedPriority(
  asked: Priority | undefined,
  highest: Priority = "high",
): Priority | undefined {
  const isLower = (one: Priority, other: Priority) => PRIORITIES.indexOf(one) < PRIORITIES.indexOf(other);
  if (asked === undefined) return isLower(highest, "normal") ? highest : "normal";
  return isLower(highest, asked) ? undefined : asked;
}
