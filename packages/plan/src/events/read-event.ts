import type { z } from "zod";
import { isPlainSuccess, type StepSucceeded } from "./step-events.ts";
import { PlanEvent } from "./plan-event.ts";

/**
 * Reads a fact that came out of the log. The most frequent one by far, a step's plain success, is recognised by
 * its form; everything else is parsed.
 *
 * @param value - Decoded JSON.
 * @returns What is wrong with it when it is no fact that this version knows.
 */
export function readEvent(
  value: unknown,
): { readonly event: PlanEvent } | { readonly issues: readonly z.core.$ZodIssue[] } {
  if (isPlainSuccess(value)) return { event: value as StepSucceeded };
  const parsed = PlanEvent.safeParse(value);
  return parsed.success ? { event: parsed.data } : { issues: parsed.error.issues };
}
