import type { Issue } from "@planwright/plan";
import { Problem } from "../http/problem.ts";

/** The refusal of a plan, which names its first fault and lists them all. */
export function invalidPlan(issues: readonly Issue[]): Problem {
  const [first] = issues;
  const where = first?.stepId === undefined ? "" : `step ${first.stepId}, `;
  // An issue of the plan as a whole has no field inside it.
  const field = first?.field === "" ? "plan" : first?.field;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new Problem("invalid_plan", `${where}${field}: ${first?.message}${more}`, { issues });
}
