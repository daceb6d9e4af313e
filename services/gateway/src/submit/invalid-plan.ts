import type { Issue } from "@planwright/plan";
import { Problem } from "../http/problem.ts";

/** The refusal of an invalid plan, which names its first fault and lists them all. */
export function invalidPlan(issues: readonly Issue[]): Problem {
  const [first] = issues;
  const where = first?.stepId === undefined ? "" : `step ${first.stepId}, `;
  // An issue of the plan as a whole does not refer to a field.
  const field = first?.field === "" ? "plan" : first?.field;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new Problem("invalid_plan", `${where}${field}: ${first?.message}${more}`, { issues });
}
