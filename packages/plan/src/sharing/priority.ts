import { z } from "zod";

/** From the lowest to the highest. */
export const PRIORITIES = ["low", "normal", "high"] as const;

/** How much of its tenant's share of the workers a plan gets beside the tenant's other plans. */
export const Priority = z.enum(PRIORITIES);
export type Priority = z.infer<typeof Priority>;

/** Of plans that all want more than there is, each gets slots in this proportion. */
const WEIGHTS: Readonly<Record<Priority, number>> = { low: 1, normal: 4, high: 16 };

export function weightOf(priority: Priority = "normal"): number {
  return WEIGHTS[priority];
}

/** Whether the one may be asked for where at most the other is allowed. */
export function isAllowedPriority(asked: Priority, highest: Priority | undefined): boolean {
  return highest === undefined || PRIORITIES.indexOf(asked) <= PRIORITIES.indexOf(highest);
}
