/** Parts of the random events of a lawless world. */
import fc from "fast-check";
import type { PlanEvent } from "../src/events/plan-event.ts";

export const id = fc.constantFrom("a", "b", "c", "d");
export const attempt = fc.integer({ min: 1, max: 3 });
export const small = fc.integer({ min: 1, max: 3 });

export function data(
  type: PlanEvent["type"],
  fields: Record<string, fc.Arbitrary<unknown>>,
  required?: string[],
): fc.Arbitrary<{ type: PlanEvent["type"]; data: object }> {
  const optional = ["answerFrom", "retryAfterMs"];
  const requiredKeys = required ?? Object.keys(fields).filter((key) => !optional.includes(key));
  return fc.record(fields, { requiredKeys }).map((body) => ({ type, data: body }));
}
